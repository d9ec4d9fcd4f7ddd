// The table of fathom gen.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/term_print.h"
#include "generate/generate.h"
#include "report/gen_items.h"

namespace fathom::report {

using generate::Suite;
using generate::TestCase;

std::string item_place(const Place& place) {
  return fmt::format("{}:{}", std::filesystem::path(place.file).filename().string(), place.line);
}

std::string item_text(const generate::Item& item) {
  if (item.kind == generate::Item::Kind::Goal) return item.what;
  if (item.kind == generate::Item::Kind::Flow) {
    return fmt::format("{} ({} to {})", item.what, item_place(item.place), item_place(item.to));
  }
  return fmt::format("{} ({})", stable_item_text(item), item_place(item.place));
}

std::string stable_item_text(const generate::Item& item) {
  switch (item.kind) {
    case generate::Item::Kind::Clause:
      return fmt::format("clause {} of {}", item.number, item.function);
    case generate::Item::Kind::Again:
      return fmt::format("clause {} of {} twice", item.number, item.function);
    case generate::Item::Kind::Flow:
    case generate::Item::Kind::Goal:
      break;
  }
  return item.what;
}

std::string call_of(const generate::GenerateOptions& options, const TestCase& test) {
  std::string text;
  append_atom(text, options.module);
  text += ":";
  append_atom(text, options.function);
  text += "(";
  for (size_t i = 0; i < test.arguments.size(); ++i) {
    text += (i == 0 ? "" : ", ") + test.arguments[i];
  }
  return text + ")";
}

std::string name_of(const generate::GenerateOptions& options) {
  return fmt::format("{}:{}/{}", options.module.text(), options.function.text(), options.arity);
}

bool is_complete(const Suite& suite) { return suite.uncovered.empty() || suite.exhausted; }

std::string gen_verdict(const GeneratedSuites& suites) {
  bool is_clean = suites.errors.empty();
  for (const GeneratedFunction& f : suites.functions) {
    if (std::ranges::any_of(f.suite.tests, &TestCase::is_finding)) return "bug";
    const bool is_proof = f.suite.exhausted || !f.options.errors;
    is_clean = is_clean && is_complete(f.suite) && is_proof && f.suite.wrong.empty();
  }
  return is_clean ? "clean" : "unknown";
}

std::string wrong_text(const generate::WrongPrediction& wrong) {
  return fmt::format("{}: predicted {}, gives {}", wrong.call, wrong.predicted, wrong.actual);
}

namespace {

// With the messages that are sent before.
std::string line_of(const generate::GenerateOptions& options, const TestCase& test) {
  std::string text;
  for (const std::string& message : test.messages) text += "self() ! " + message + ", ";
  return text + call_of(options, test);
}

void add_table(std::string& text, const GeneratedFunction& f) {
  size_t width = 4;
  for (const TestCase& test : f.suite.tests) {
    width = std::max(width, std::min<size_t>(line_of(f.options, test).size(), 60));
  }
  for (const TestCase& test : f.suite.tests) {
    text += fmt::format("  {:<{}}  ->  {}{}\n", line_of(f.options, test), width,
                        generate::outcome_text(test), test.is_literal ? "" : "  (not compared)");
    if (test.is_finding && !test.place.empty()) text += fmt::format("      at {}\n", test.place);
    for (const uint32_t item : test.only) {
      text += fmt::format("      alone covers {}\n", item_text(f.suite.items[item]));
    }
  }
}

// "5 of 5 clauses, 7 of 9 flows"
std::string covered_text(const Suite& suite) {
  std::string text;
  using Kind = generate::Item::Kind;
  constexpr std::pair<Kind, const char*> kKinds[] = {
      {Kind::Clause, "clauses"}, {Kind::Flow, "flows"}, {Kind::Goal, "goals"}};
  for (const auto& [kind_of_items, word] : kKinds) {
    const Kind kind = kind_of_items;
    const auto is_counted = [&](const generate::Item& item) { return item.kind == kind; };
    const auto all = std::ranges::count_if(suite.items, is_counted);
    if (all == 0 && (kind != Kind::Clause || !suite.items.empty())) continue;
    const auto missing = std::ranges::count_if(
        suite.uncovered, [&](uint32_t item) { return is_counted(suite.items[item]); });
    text += fmt::format("{}{} of {} {}", text.empty() ? "" : ", ", all - missing, all, word);
  }
  return text;
}

void add_rest(std::string& text, const GeneratedFunction& f) {
  const Suite& suite = f.suite;
  for (const uint32_t item : suite.uncovered) {
    text += fmt::format("  not covered: {}\n", item_text(suite.items[item]));
  }
  const bool is_open = !suite.uncovered.empty() || (suite.items.empty() && !suite.exhausted) ||
                       f.options.errors || f.options.criterion == generate::Criterion::Paths;
  if (is_open && suite.exhausted && suite.reasons.empty()) {
    text += "  all paths were tried: there is nothing else\n";
  } else if (is_open && suite.exhausted) {
    text += "  all paths within the bounds were tried; not tried:\n";
  } else if (is_open) {
    text += "  the search was not finished; not tried:\n";
  }
  if (!is_open) return;
  for (const std::string& reason : suite.reasons) text += fmt::format("    {}\n", reason);
}

const char* inputs_text(const GeneratedFunction& f) {
  if (!f.suite.has_spec) return "\n";
  return f.options.inputs == generate::Inputs::OutsideSpec ? " (inputs outside the spec)\n"
                                                           : " (inputs as in the spec)\n";
}

}  // namespace

std::string gen_text(const GeneratedSuites& suites, const SourceMap&) {
  std::string text;
  if (suites.existing_tests > 0) {
    text += fmt::format("existing tests: {}", suites.existing_tests);
    text += suites.existing_failed > 0 ? fmt::format(", {} of them fail\n", suites.existing_failed)
                                       : std::string("\n");
  }
  for (const GeneratedFunction& f : suites.functions) {
    const Suite& suite = f.suite;
    text += fmt::format("{}: {} {}, {} covered", name_of(f.options), suite.tests.size(),
                        suite.tests.size() == 1 ? "test" : "tests", covered_text(suite));
    if (f.options.criterion == generate::Criterion::Paths) {
      text += fmt::format(", {} paths", suite.distinct);
    }
    if (f.options.exercised) text += fmt::format(", {} by existing tests", suite.exercised);
    text += inputs_text(f);
    add_table(text, f);
    add_rest(text, f);
    if (!suite.wrong.empty()) {
      text += fmt::format("  wrong predictions, not among the tests: {}\n", suite.wrong.size());
    }
    for (const generate::WrongPrediction& wrong : suite.wrong) {
      text += fmt::format("    {}\n", wrong_text(wrong));
    }
  }
  return text;
}

}  // namespace fathom::report
