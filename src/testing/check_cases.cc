#include "testing/check_cases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "machine/assertion.h"
#include "testing/results.h"
#include "testing/run_suite.h"

namespace fathom::testing {

using machine::Machine;
using machine::Value;

namespace {

std::string function_name(const TestModule& module, const TestFunction& function) {
  return fmt::format("{}:{}()", module.name.text(), function.name.text());
}

bool passes(const CheckCase& test, session::Session& session) {
  Evaluation evaluation(session);
  return evaluation.value_of(call_of(test, evaluation.machine())).has_value();
}

// {Path, [Title], Line, Kind}, of fathom_check:cases/2.
struct Described {
  std::vector<int64_t> path;
  bool is_parallel = false;
  TestResult test = {};  // as far as it is known before it has run
};

Described described(Value value, const TestModule& module, const TestFunction& function) {
  Described result;
  for (Value list = value.element(0); list.is_cons(); list = list.tail()) {
    result.path.push_back(list.head().small());
  }
  result.test.module = module.name.text();
  result.test.function = function.name.text();
  for (Value list = value.element(1); list.is_cons(); list = list.tail()) {
    result.test.titles.push_back(machine::text_of(list.head()));
  }
  result.test.line = static_cast<uint32_t>(value.element(2).small());
  result.is_parallel = value.element(3) == machine::atom("parallel");
  return result;
}

CheckCase case_of(const Described& found, const TestModule& module, const TestFunction& function,
                  session::Session& session) {
  CheckCase test{function_name(module, function), module.name, function.name, true, found.path};
  if (found.test.line > 0) test.name += fmt::format(":{}", found.test.line);
  if (!found.test.titles.empty()) test.name += fmt::format(" \"{}\"", found.test.title());
  if (found.is_parallel) test.name += " in parallel";
  const bool is_first = std::all_of(found.path.begin(), found.path.end(),
                                    [](int64_t position) { return position == 1; });
  if (is_first || passes(test, session)) return test;
  test.needs_others = true;
  test.needs_others = passes(test, session);
  return test;
}

// Empty: the generator fails.
std::optional<std::vector<CheckCase>> cases_of(const TestModule& module,
                                               const TestFunction& function,
                                               session::Session& session, const Filter& filter) {
  Evaluation evaluation(session);
  const std::optional<Value> list =
      evaluation.value_of({Atom::intern("fathom_check"),
                           Atom::intern("cases"),
                           {Value(module.name), Value(function.name)}});
  if (!list) return std::nullopt;
  std::vector<CheckCase> cases;
  for (Value rest = *list; rest.is_cons(); rest = rest.tail()) {
    const Described found = described(rest.head(), module, function);
    if (filter.wants(found.test)) cases.push_back(case_of(found, module, function, session));
  }
  return cases;
}

// Tests of the same name are told apart by their positions.
void make_names_unique(std::vector<CheckCase>& cases) {
  std::map<std::string, size_t> count;
  for (const CheckCase& test : cases) ++count[test.name];
  for (CheckCase& test : cases) {
    if (count[test.name] > 1) test.name += fmt::format(" #{}", fmt::join(test.path, "."));
  }
}

std::vector<CheckCase> suite_cases(const TestModule& module, session::Session& session,
                                   const Filter& filter) {
  std::vector<CheckCase> cases;
  const Suite suite = read_suite(module, session);
  for (const SuiteCase& each : suite.cases) {
    if (!is_wanted(each, module, filter)) continue;
    CheckCase test{fmt::format("{}:{}(Config)", module.name.text(), each.name.text()), module.name,
                   each.name};
    if (!each.groups.empty()) test.name += fmt::format(" \"{}\"", fmt::join(each.groups, " / "));
    test.suite_case = each.number;
    cases.push_back(std::move(test));
  }
  return cases;
}

// Of fathom_check.
std::string_view runner_of(const CheckCase& test) {
  if (test.path.empty()) return "all";
  return test.needs_others ? "in_turn" : "alone";
}

}  // namespace

std::vector<CheckCase> check_cases(const TestModule& module, session::Session& session,
                                   const Filter& filter) {
  if (module.is_suite) return suite_cases(module, session, filter);
  std::vector<CheckCase> cases;
  for (const TestFunction& function : module.functions) {
    std::optional<std::vector<CheckCase>> own;
    if (function.is_generator) own = cases_of(module, function, session, filter);
    if (!own) {
      cases.push_back(
          {function_name(module, function), module.name, function.name, function.is_generator});
      continue;
    }
    make_names_unique(*own);
    std::move(own->begin(), own->end(), std::back_inserter(cases));
  }
  return cases;
}

Call call_of(const CheckCase& test, Machine& m) {
  if (test.suite_case > 0) {
    return {Atom::intern("fathom_ct"),
            Atom::intern("alone"),
            {Value(test.module), Value::small(test.suite_case)}};
  }
  if (!test.is_generator) return {test.module, test.function, {}};
  Call call{Atom::intern("fathom_check"),
            Atom::intern("all"),
            {Value(test.module), Value(test.function)}};
  if (test.path.empty()) return call;
  call.function = Atom::intern(test.needs_others ? "in_turn" : "alone");
  std::vector<Value> positions;
  positions.reserve(test.path.size());
  for (const int64_t position : test.path) positions.push_back(Value::small(position));
  call.arguments.push_back(m.heap().list(positions));
  return call;
}

std::string text_of(const CheckCase& test) {
  const std::string module = fmt::format("'{}'", test.module.text());
  const std::string function = fmt::format("'{}'", test.function.text());
  if (test.suite_case > 0) return fmt::format("fathom_ct:alone({}, {})", module, test.suite_case);
  if (!test.is_generator) return fmt::format("{}:{}()", module, function);
  const std::string path =
      test.path.empty() ? "" : fmt::format(", [{}]", fmt::join(test.path, ", "));
  return fmt::format("fathom_check:{}({}, {}{})", runner_of(test), module, function, path);
}

}  // namespace fathom::testing
