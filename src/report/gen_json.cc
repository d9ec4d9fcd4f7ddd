#include <algorithm>

#include "base/json.h"
#include "report/gen_items.h"
#include "report/places.h"

namespace fathom::report {
namespace {

using generate::Suite;
using generate::TestCase;

void write_item(JsonWriter& json, const generate::Item& item) {
  json.begin_object(JsonWriter::Shape::Inline);
  switch (item.kind) {
    case generate::Item::Kind::Clause:
      json.field("function", item.function);
      json.field("clause", item.number);
      break;
    case generate::Item::Kind::Again:
      json.field("function", item.function);
      json.field("clause", item.number);
      json.field("again", true);
      break;
    case generate::Item::Kind::Flow:
      json.field("flow", item.what);
      json.field("to_file", item.to.file);
      json.field("to_line", item.to.line);
      break;
    case generate::Item::Kind::Goal:
      json.field("goal", item.what);
      break;
  }
  json.field("file", item.place.file);
  json.field("line", item.place.line);
  json.end_object();
}

void write_items(JsonWriter& json, const char* name, const Suite& suite,
                 const std::vector<uint32_t>& items) {
  json.key(name);
  json.begin_array();
  for (const uint32_t item : items) write_item(json, suite.items[item]);
  json.end_array();
}

void write_test(JsonWriter& json, const GeneratedFunction& f, const TestCase& test) {
  json.begin_object();
  json.field("call", call_of(f.options, test));
  if (!test.messages.empty()) {
    json.key("messages");
    json.begin_array(JsonWriter::Shape::Inline);
    for (const std::string& message : test.messages) json.value(message);
    json.end_array();
  }
  const bool is_value = test.outcome == TestCase::Outcome::Value;
  json.field("outcome", is_value ? "value" : "exception");
  if (is_value) {
    json.field("value", test.value);
  } else {
    json.field("class", test.outcome == TestCase::Outcome::Error  ? "error"
                        : test.outcome == TestCase::Outcome::Exit ? "exit"
                                                                  : "throw");
    json.field("reason", test.value);
    json.field("place", test.place);
  }
  json.field("compared", test.is_literal);
  json.field("finding", test.is_finding);
  write_items(json, "covers", f.suite, test.covers);
  json.end_object();
}

void write_solver(JsonWriter& json, const symbolic::SolverStatistics& s) {
  json.key("solver");
  json.begin_object(JsonWriter::Shape::Inline);
  json.field("questions", s.questions);
  json.field("model", s.by_model);
  json.field("cache", s.by_cache);
  json.field("bounds", s.by_bounds);
  json.field("small_values", s.by_small_values);
  json.field("z3", s.by_z3);
  json.field("unknown", s.unknown);
  json.end_object();
}

void write_function(JsonWriter& json, const GeneratedFunction& f) {
  const Suite& suite = f.suite;
  json.begin_object();
  json.field("function", name_of(f.options));
  json.key("coverage");
  json.begin_object(JsonWriter::Shape::Inline);
  const auto total =
      static_cast<size_t>(std::ranges::count_if(suite.items, [](const generate::Item& item) {
        return item.kind != generate::Item::Kind::Again;
      }));
  json.field("covered", total - suite.uncovered.size());
  json.field("total", total);
  json.field("existing", suite.exercised);
  json.end_object();
  write_items(json, "missing", suite, suite.uncovered);
  json.field("exhausted", suite.exhausted);
  json.field("paths", suite.distinct);
  json.field("states", suite.states);
  json.field("steps", suite.steps);
  json.key("wrong_predictions");
  json.begin_array();
  for (const generate::WrongPrediction& wrong : suite.wrong) {
    json.begin_object(JsonWriter::Shape::Inline);
    json.field("call", wrong.call);
    json.field("predicted", wrong.predicted);
    json.field("actual", wrong.actual);
    json.end_object();
  }
  json.end_array();
  json.field("search_seconds", suite.search_seconds);
  json.field("minimise_seconds", suite.minimise_seconds);
  write_solver(json, suite.solver);
  json.key("reasons");
  json.begin_array();
  for (const std::string& reason : suite.reasons) json.value(reason);
  json.end_array();
  json.key("tests");
  json.begin_array();
  for (const TestCase& test : suite.tests) write_test(json, f, test);
  json.end_array();
  json.end_object();
}

}  // namespace

std::string gen_json(const GeneratedSuites& suites, const SourceMap&) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.field("command", "gen");
  json.field("verdict", gen_verdict(suites));
  json.field("seconds", suites.seconds);
  json.key("reasons");
  json.begin_array();
  for (const std::string& error : suites.errors) json.value(error);
  json.end_array();
  json.key("functions");
  json.begin_array();
  for (const GeneratedFunction& f : suites.functions) write_function(json, f);
  json.end_array();
  json.end_object();
  json.finish();
  return text;
}

}  // namespace fathom::report
