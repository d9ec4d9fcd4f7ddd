// The table of fathom gen.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/term_print.h"
#include "report/gen_items.h"

namespace fathom::report {

using generate::Item;
using generate::Suite;
using generate::TestCase;

std::string item_place(const Place& place) {
  return fmt::format("{}:{}", std::filesystem::path(place.file).filename().string(), place.line);
}

std::string item_text(const Item& item) {
  if (item.is_flow()) {
    return fmt::format("{} ({} to {})", item.flow, item_place(item.place), item_place(item.to));
  }
  return fmt::format("{} ({})", stable_item_text(item), item_place(item.place));
}

std::string stable_item_text(const Item& item) {
  if (item.is_flow()) return item.flow;
  return fmt::format("clause {} of {}", item.number, item.function);
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

std::string outcome_of(const TestCase& test) {
  switch (test.outcome) {
    case TestCase::Outcome::Value:
      return test.value;
    case TestCase::Outcome::Error:
      return "error: " + test.value;
    case TestCase::Outcome::Exit:
      return "exit: " + test.value;
    case TestCase::Outcome::Throw:
      break;
  }
  return "throw: " + test.value;
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
    is_clean = is_clean && is_complete(f.suite) && is_proof && f.suite.unsound == 0;
  }
  return is_clean ? "clean" : "unknown";
}

namespace {

void add_table(std::string& text, const GeneratedFunction& f) {
  size_t width = 4;
  for (const TestCase& test : f.suite.tests) {
    width = std::max(width, std::min<size_t>(call_of(f.options, test).size(), 60));
  }
  for (const TestCase& test : f.suite.tests) {
    text += fmt::format("  {:<{}}  ->  {}\n", call_of(f.options, test), width, outcome_of(test));
    if (test.is_finding && !test.place.empty()) text += fmt::format("      at {}\n", test.place);
    for (const uint32_t item : test.only) {
      text += fmt::format("      alone covers {}\n", item_text(f.suite.items[item]));
    }
  }
}

// "5 of 5 clauses, 7 of 9 flows"
std::string covered_text(const Suite& suite) {
  std::string text;
  for (const bool is_flow : {false, true}) {
    const auto is_counted = [&](const Item& item) { return item.is_flow() == is_flow; };
    const auto all = std::ranges::count_if(suite.items, is_counted);
    if (all == 0 && (is_flow || !suite.items.empty())) continue;
    const auto missing = std::ranges::count_if(
        suite.uncovered, [&](uint32_t item) { return is_counted(suite.items[item]); });
    text += fmt::format("{}{} of {} {}", text.empty() ? "" : ", ", all - missing, all,
                        is_flow ? "flows" : "clauses");
  }
  return text;
}

void add_rest(std::string& text, const GeneratedFunction& f) {
  const Suite& suite = f.suite;
  for (const uint32_t item : suite.uncovered) {
    text += fmt::format("  not covered: {}\n", item_text(suite.items[item]));
  }
  const bool is_open = !suite.uncovered.empty() || f.options.errors ||
                       f.options.criterion == generate::Criterion::Paths;
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

}  // namespace

std::string gen_text(const GeneratedSuites& suites, const SourceMap&) {
  std::string text;
  for (const GeneratedFunction& f : suites.functions) {
    const Suite& suite = f.suite;
    text += fmt::format("{}: {} {}, {} covered", name_of(f.options), suite.tests.size(),
                        suite.tests.size() == 1 ? "test" : "tests", covered_text(suite));
    if (f.options.criterion == generate::Criterion::Paths) {
      text += fmt::format(", {} paths", suite.distinct);
    }
    text += suite.has_spec ? " (inputs as in the spec)\n" : "\n";
    add_table(text, f);
    add_rest(text, f);
    if (suite.unsound > 0) {
      text += fmt::format("  {} predicted outcomes were wrong and are left out\n", suite.unsound);
    }
  }
  return text;
}

}  // namespace fathom::report
