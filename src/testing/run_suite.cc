#include "testing/run_suite.h"

#include <fmt/format.h>

#include <filesystem>

#include "machine/assertion.h"
#include "machine/outcome_text.h"
#include "syntax/app_dir.h"
#include "testing/evaluation.h"
#include "testing/failures.h"

namespace fathom::testing {

using machine::atom;
using machine::Machine;
using machine::Outcome;
using machine::Value;

namespace {

constexpr std::string_view kRunner = "fathom_ct";

Value string_value(machine::Heap& heap, std::string_view text) {
  std::vector<Value> characters;
  characters.reserve(text.size());
  for (const char c : text) characters.push_back(Value::small(static_cast<unsigned char>(c)));
  return heap.list(characters);
}

Value numbers_value(machine::Heap& heap, const std::vector<int64_t>& numbers) {
  std::vector<Value> values;
  values.reserve(numbers.size());
  for (const int64_t number : numbers) values.push_back(Value::small(number));
  return heap.list(values);
}

// What runs so far came to, for the next machine.
struct Past {
  std::vector<Status> results;               // of cases, in the order in which they were begun
  std::vector<std::vector<int64_t>> broken;  // groups
};

Value result_value(Status status) {
  switch (status) {
    case Status::Passed:
      return Value(atoms::ok);
    case Status::Skipped:
      return atom("skipped");
    case Status::Failed:
    case Status::Unknown:
    case Status::Warning:
      return atom("failed");
  }
  return atom("failed");
}

void start(Machine& m, const TestModule& module, const std::vector<int64_t>& wanted,
           const Past& past) {
  machine::Heap& heap = m.heap();
  const std::string name(module.name.text());
  const std::string dir = directory_of(absolute_path(module.path));
  std::vector<Value> results;
  results.reserve(past.results.size());
  for (const Status status : past.results) results.push_back(result_value(status));
  std::vector<Value> broken;
  broken.reserve(past.broken.size());
  for (const auto& id : past.broken) broken.push_back(numbers_value(heap, id));
  m.ensure_module(module.name);
  const Value arguments[] = {Value(module.name),
                             string_value(heap, fmt::format("{}/{}_data/", dir, name)),
                             numbers_value(heap, wanted), heap.list(results), heap.list(broken)};
  m.start(Atom::intern(kRunner), Atom::intern("run"), arguments);
}

TestResult problem_of(const TestModule& module, Status status, Failure failure) {
  TestResult result;
  result.module = module.name.text();
  result.function = "all";
  result.is_group = true;
  result.status = status;
  result.failure = std::move(failure);
  return result;
}

TestResult problem_of(const TestModule& module, const std::optional<Outcome>& outcome, Machine& m) {
  const Places places(m);
  if (outcome && outcome->kind == Outcome::Kind::Exception) {
    Failure failure = exception_failure(
        m.heap().tuple({outcome->exception_class, outcome->value, outcome->trace}), places);
    failure.message = "no cases: " + failure.message;
    if (failure.place.file.empty())
      failure.place = places.function(module.name, Atom::intern("all"), 0);
    return problem_of(module, Status::Failed, std::move(failure));
  }
  Failure failure{.kind = "limit",
                  .message = "no cases: " + (outcome ? machine::outcome_text(*outcome) : "")};
  return problem_of(module, Status::Unknown, std::move(failure));
}

}  // namespace

Suite read_suite(const TestModule& module, session::Session& session) {
  Suite suite;
  Evaluation evaluation(session);
  Machine& m = evaluation.machine();
  m.ensure_module(module.name);
  const std::optional<Outcome> outcome =
      evaluation.outcome_of({Atom::intern(kRunner), Atom::intern("cases"), {Value(module.name)}});
  if (!outcome || outcome->kind != Outcome::Kind::Value) {
    suite.problem = problem_of(module, outcome, m);
    return suite;
  }
  const Value answer = outcome->value;
  if (answer.element(0) == atom("skip")) {
    Failure failure{.kind = "skipped", .message = machine::text_of(answer.element(1))};
    suite.problem = problem_of(module, Status::Skipped, std::move(failure));
    suite.problem->is_left_out = true;
    return suite;
  }
  for (Value list = answer.element(1); list.is_cons(); list = list.tail()) {
    SuiteCase test{static_cast<int64_t>(suite.cases.size()) + 1, list.head().element(1).atom(), {}};
    for (Value names = list.head().element(0); names.is_cons(); names = names.tail()) {
      test.groups.push_back(machine::text_of(names.head()));
    }
    suite.cases.push_back(std::move(test));
  }
  return suite;
}

bool is_wanted(const SuiteCase& test, const TestModule& module, const Filter& filter) {
  TestResult result;
  result.module = module.name.text();
  result.function = test.name.text();
  result.titles = test.groups;
  return filter.wants(result);
}

void run_suite(const TestModule& module, session::Session& session, const Filter& filter,
               const RunOptions& options, const OnResult& on_result) {
  if (!TestRun::may_begin()) return;
  Suite suite = read_suite(module, session);
  if (suite.problem) {
    on_result(std::move(*suite.problem));
    return;
  }
  std::vector<int64_t> wanted;
  for (const SuiteCase& test : suite.cases) {
    if (is_wanted(test, module, filter)) wanted.push_back(test.number);
  }
  if (wanted.empty()) return;
  Past past;
  for (bool goes_on = true; goes_on && TestRun::may_begin();) {
    const size_t known = past.results.size() + past.broken.size();
    TestRun run(module, session, options, [&](TestResult&& test) {
      if (!test.is_group) past.results.push_back(test.status);
      on_result(std::move(test));
    });
    run.run([&](Machine& m) { start(m, module, wanted, past); });
    if (const auto& group = run.log().blamed_group()) past.broken.push_back(*group);
    goes_on = run.log().is_cut_short() && past.results.size() + past.broken.size() > known;
  }
}

}  // namespace fathom::testing
