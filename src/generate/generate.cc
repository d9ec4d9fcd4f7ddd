#include "generate/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <unordered_set>

#include "base/budget.h"
#include "base/term_print.h"
#include "generate/concrete.h"
#include "generate/flow_targets.h"
#include "generate/fun_text.h"
#include "generate/goal.h"
#include "generate/items.h"
#include "generate/minimise.h"
#include "generate/search.h"
#include "generate/spec_types.h"
#include "machine/outcome_text.h"

namespace fathom::generate {

using machine::Outcome;
using machine::Value;
using symbolic::TypeId;

namespace {

// The module that calls the function if the arguments count (--given); the reason of its exit if
// they do not.
constexpr std::string_view kGivenModule = "fathom_given";
constexpr std::string_view kGivenFunction = "call";

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string call_text(const GenerateOptions& options, const std::vector<std::string>& arguments) {
  std::string text;
  append_atom(text, options.module);
  text += ":";
  append_atom(text, options.function);
  text += "(";
  for (size_t i = 0; i < arguments.size(); ++i) text += (i == 0 ? "" : ", ") + arguments[i];
  return text + ")";
}

TestCase::Outcome class_of(const Outcome& outcome) {
  if (outcome.kind == Outcome::Kind::Value) return TestCase::Outcome::Value;
  if (outcome.exception_class.is_atom(atoms::throw_)) return TestCase::Outcome::Throw;
  if (outcome.exception_class.is_atom(Atom::intern("exit"))) return TestCase::Outcome::Exit;
  return TestCase::Outcome::Error;
}

// Where an exception was raised: the first frame that says so.
std::string place_of_error(const Outcome& outcome) {
  for (Value trace = outcome.trace; trace.is_cons(); trace = trace.tail()) {
    const machine::StackFrame frame = machine::stack_frame(trace.head());
    if (frame.line == 0 || frame.file.empty()) continue;
    return fmt::format("{}:{}", frame.file, frame.line);
  }
  return {};
}

// The tag of a reason: badarith, {badmatch, …}.
std::string kind_of_reason(Value reason) {
  if (reason.is_tuple() && reason.arity() > 0) reason = reason.element(0);
  return reason.is_atom() ? std::string(reason.atom().text()) : std::string("other");
}

class Generator {
 public:
  Generator(session::Session& session, const GenerateOptions& options,
            const std::function<void(const Progress&)>& on_progress)
      : session_(session),
        options_(options),
        on_progress_(on_progress),
        runs_(session, {.unknowns = true}, options.calls * 10) {}

  Result<Suite> run();

 private:
  Result<machine::Function*> find_function(machine::Machine& m);
  void search(const std::vector<TypeId>& types);
  void search_paths(machine::Machine& m, symbolic::Store& store, symbolic::Asking& asking,
                    std::span<const Value> arguments);
  void end_of_path(symbolic::Store& store, const symbolic::Asking& asking,
                   std::span<const Value> arguments, const Outcome& outcome, int cost);
  bool is_wanted(const std::vector<uint32_t>& covers, const std::vector<uint32_t>& path,
                 const Outcome& outcome) const;
  void add_test(TestCase test, const std::vector<uint32_t>& predicted,
                const std::string& predicted_value);
  bool is_done() const;
  bool has_no_more_flows() const;
  bool counts_clauses() const {
    return options_.criterion != Criterion::DataFlow && options_.criterion != Criterion::Goal;
  }
  // Whether more than the clauses of a path must be known of it.
  bool needs_runs() const { return flows_ || goal_; }
  void add_other_items(TestCase& test, const std::string& call);
  Result<void> find_items(machine::Machine& m, machine::Function& function);
  Result<void> read_given();
  bool is_given(const Outcome& outcome) const;
  void limit_reached(const std::string& reason);
  std::string path_key(const std::vector<uint32_t>& path, const Outcome& outcome) const;

  // Everything is covered, but some of it only by calls that raise: so many paths are tried to find
  // others.
  static constexpr uint64_t kPathsWithoutValue = 200;
  // The analysis also finds flows that no input has, so without a bound there would be no end.
  static constexpr uint64_t kPathsWithoutFlow = 2000;

  session::Session& session_;
  const GenerateOptions& options_;
  const std::function<void(const Progress&)>& on_progress_;
  ConcreteRuns runs_;
  symbolic::Types types_;
  symbolic::SolverChain solver_;
  std::optional<Items> items_;  // clauses
  std::optional<FlowTargets> flows_;
  std::unique_ptr<Goal> goal_;
  std::optional<machine::ModuleSource::Found> given_;  // calls the function if the arguments count
  Suite suite_;  // its items: the clauses, if they count, then the flows
  std::set<uint32_t> covered_;
  std::set<uint32_t> covered_by_value_;  // a test that raises is kept only where there is no other
  std::unordered_set<std::string> paths_;
  std::set<std::string> errors_;  // places and kinds of exceptions
  std::set<std::string> calls_;   // that are tests
  uint64_t fruitless_ = 0;
  bool is_limit_reached_ = false;
};

Result<machine::Function*> Generator::find_function(machine::Machine& m) {
  machine::LoadedModule* module = m.ensure_module(options_.module);
  const std::string name =
      fmt::format("{}:{}/{}", options_.module.text(), options_.function.text(), options_.arity);
  if (!module) return Error{fmt::format("there is no module {}", options_.module.text())};
  for (machine::Function* f : module->functions) {
    if (f->name != options_.function || f->arity != options_.arity || f->captures != 0) continue;
    machine::Export* target = m.code().find_export(f->module, f->name, f->arity);
    if (target->native || (m.resolve(target) && target->function)) return f;
    return Error{fmt::format("{} is not exported, so no test can call it", name)};
  }
  return Error{fmt::format("there is no function {}", name)};
}

bool Generator::has_no_more_flows() const {
  return flows_ && options_.patience == 0 && fruitless_ >= kPathsWithoutFlow;
}

bool Generator::is_done() const {
  if (options_.patience > 0 && fruitless_ >= options_.patience) return true;
  if (has_no_more_flows()) return true;
  if (options_.criterion == Criterion::Paths || options_.errors || suite_.tests.empty())
    return false;
  const size_t all = suite_.items.size();
  return covered_by_value_.size() == all ||
         (covered_.size() == all && fruitless_ >= kPathsWithoutValue);
}

std::string Generator::path_key(const std::vector<uint32_t>& path, const Outcome& outcome) const {
  std::string key(reinterpret_cast<const char*>(path.data()), path.size() * sizeof(uint32_t));
  key += outcome.kind == Outcome::Kind::Value ? "v" : "e";
  if (outcome.kind == Outcome::Kind::Exception) key += kind_of_reason(outcome.value);
  return key;
}

bool Generator::is_wanted(const std::vector<uint32_t>& covers, const std::vector<uint32_t>& path,
                          const Outcome& outcome) const {
  const std::set<uint32_t>& before =
      outcome.kind == Outcome::Kind::Value ? covered_by_value_ : covered_;
  const bool is_new =
      std::ranges::any_of(covers, [&](uint32_t item) { return !before.contains(item); });
  if (is_new || (suite_.tests.empty() && outcome.kind == Outcome::Kind::Value)) return true;
  if (options_.criterion == Criterion::Paths || needs_runs()) {
    return !paths_.contains(path_key(path, outcome));
  }
  return options_.errors && outcome.kind == Outcome::Kind::Exception;
}

void Generator::end_of_path(symbolic::Store& store, const symbolic::Asking& asking,
                            std::span<const Value> arguments, const Outcome& outcome, int cost) {
  if (outcome.kind != Outcome::Kind::Value && outcome.kind != Outcome::Kind::Exception) {
    suite_.reasons.insert(outcome.kind == Outcome::Kind::Deadlock ? "paths that wait for ever"
                                                                  : outcome.message);
    return;
  }
  if (!is_given(outcome)) return;
  ++suite_.paths;
  const std::vector<uint32_t> covers =
      counts_clauses() ? items_->covered(asking.reached_clauses) : std::vector<uint32_t>();
  const std::vector<uint32_t> path = items_->path(asking.reached_clauses);
  const bool is_wanted_now = is_wanted(covers, path, outcome);
  ++fruitless_;
  if (!is_wanted_now) {
    if (paths_.insert(path_key(path, outcome)).second) ++suite_.distinct;
    return;
  }
  const auto solution = store.solution(arguments);
  if (!solution) {
    suite_.reasons.insert("conditions for which the solver found no values");
    return;
  }
  if (paths_.insert(path_key(path, outcome)).second) ++suite_.distinct;
  TestCase test;
  for (const Value argument : *solution) test.arguments.push_back(input_text(store, argument));
  test.cost = cost;
  test.path = path;
  test.covers = covers;
  test.outcome = class_of(outcome);
  bool is_literal = true;
  const std::string value = literal_text(store.under_solution(outcome.value), is_literal);
  add_test(std::move(test), asking.reached_clauses, is_literal ? value : std::string());
}

// The test is what the call really does.
void Generator::add_test(TestCase test, const std::vector<uint32_t>& predicted,
                         const std::string& predicted_value) {
  const std::string call = call_text(options_, test.arguments);
  if (calls_.contains(call)) return;
  const auto run = runs_.run(call);
  const bool ended = run && (run->outcome.kind == Outcome::Kind::Value ||
                             run->outcome.kind == Outcome::Kind::Exception);
  if (!ended) {
    suite_.reasons.insert("calls that could not be run");
    return;
  }
  const std::vector<uint32_t> path = items_->path(run->clauses);
  const TestCase::Outcome outcome = class_of(run->outcome);
  test.value = literal_text(run->outcome.value, test.is_literal);
  const bool same_value =
      predicted_value.empty() || !test.is_literal || predicted_value == test.value;
  if (path != items_->path(predicted) || outcome != test.outcome || !same_value) {
    ++suite_.unsound;
    if (suite_.unsound == 1) {
      suite_.reasons.insert("paths whose inputs take another path when they are run: " + call);
    }
    return;
  }
  test.place = place_of_error(run->outcome);
  add_other_items(test, call);
  if (test.outcome != TestCase::Outcome::Value) {
    const std::string error = test.place + kind_of_reason(run->outcome.value);
    test.is_finding = options_.errors && errors_.insert(error).second;
  }
  const bool is_value = test.outcome == TestCase::Outcome::Value;
  const std::set<uint32_t>& before = is_value ? covered_by_value_ : covered_;
  const bool is_new =
      std::ranges::any_of(test.covers, [&](uint32_t item) { return !before.contains(item); });
  const bool is_kept = is_new || test.is_finding || (suite_.tests.empty() && !goal_) ||
                       options_.criterion == Criterion::Paths;
  if (!is_kept) return;
  fruitless_ = 0;
  calls_.insert(call);
  covered_.insert(test.covers.begin(), test.covers.end());
  if (is_value) covered_by_value_.insert(test.covers.begin(), test.covers.end());
  suite_.tests.push_back(std::move(test));
}

void Generator::add_other_items(TestCase& test, const std::string& call) {
  if (goal_ && goal_->is_reached(call)) test.covers.push_back(0);
  if (!flows_) return;
  const auto first = static_cast<uint32_t>(counts_clauses() ? items_->all().size() : 0);
  for (const uint32_t flow : flows_->covered(call)) test.covers.push_back(first + flow);
}

void Generator::limit_reached(const std::string& reason) {
  suite_.reasons.insert(reason);
  is_limit_reached_ = true;
  if (on_progress_) on_progress_({.is_limit_reached = true});
}

void Generator::search_paths(machine::Machine& m, symbolic::Store& store, symbolic::Asking& asking,
                             std::span<const Value> arguments) {
  PathSearch search(m, store, asking, options_);
  if (given_) {
    m.code().load(given_->unit, given_->core);
    search.start(given_->core->name(), Atom::intern(kGivenFunction), arguments);
  } else {
    search.start(options_.module, options_.function, arguments);
  }
  bool is_left = true;
  try {
    while (!is_done()) {
      is_left = search.next_path();
      if (!is_left) break;
      const Outcome outcome = search.outcome();
      if (outcome.kind == Outcome::Kind::Limit) {
        limit_reached(outcome.message);
        break;
      }
      end_of_path(store, asking, arguments, outcome, search.cost());
      if (on_progress_) {
        on_progress_({covered_.size(), suite_.items.size(), suite_.tests.size(),
                      suite_.states + search.states()});
      }
    }
  } catch (const BudgetSpent& spent) {
    limit_reached(spent.reason);
  }
  if (is_left) suite_.exhausted = false;
  if (is_left && has_no_more_flows()) {
    suite_.reasons.insert(
        fmt::format("paths after {} without anything new (--patience)", kPathsWithoutFlow));
  }
  suite_.states += search.states();
  suite_.steps += asking.asked;
  suite_.reasons.insert(search.cut.begin(), search.cut.end());
  suite_.reasons.insert(asking.cut.begin(), asking.cut.end());
}

void Generator::search(const std::vector<TypeId>& types) {
  machine::Mode mode{.is_silent = true};
  mode.code.unknowns = true;
  const std::unique_ptr<machine::Machine> m = session_.make_machine({}, mode);
  m->mark();
  symbolic::Store store(*m, types_, solver_);
  symbolic::Asking asking(*m, store, {.length = options_.length});
  m->unknowns = &asking;
  std::vector<Value> arguments;
  arguments.reserve(types.size());
  for (const TypeId type : types) arguments.push_back(store.fresh(type));
  search_paths(*m, store, asking, arguments);
}

// The arguments that do not count end in an exit of its own. What the function raises is not
// caught: it is called after the try.
Result<void> Generator::read_given() {
  if (options_.given.empty()) return {};
  std::string names;
  for (uint32_t i = 1; i <= options_.arity; ++i)
    names += fmt::format("{}A{}", i == 1 ? "" : ", ", i);
  std::string target;
  append_atom(target, options_.module);
  target += ":";
  append_atom(target, options_.function);
  Diagnostics diagnostics;
  auto found = session_.library().from_text(
      std::string(kGivenModule),
      fmt::format("-module({0}).\n-export([{1}/{2}]).\n{1}({3}) ->\n"
                  "    try ({4})({3}) of\n        true -> {5}({3});\n        _ -> exit({0})\n"
                  "    catch _:_ -> exit({0})\n    end.\n",
                  kGivenModule, kGivenFunction, options_.arity, names, options_.given, target),
      diagnostics);
  const auto has_arity = [&] {
    const auto run = runs_.run(fmt::format("is_function({}, {})", options_.given, options_.arity));
    return run && run->outcome.kind == Outcome::Kind::Value &&
           run->outcome.value.is_atom(Atom::intern("true"));
  };
  if (!found || diagnostics.has_errors() || !has_arity()) {
    return Error{fmt::format("--given {}: this is not a fun of {} arguments", options_.given,
                             options_.arity)};
  }
  given_ = *found;
  return {};
}

bool Generator::is_given(const Outcome& outcome) const {
  return !given_ || outcome.kind != Outcome::Kind::Exception ||
         !outcome.value.is_atom(Atom::intern(kGivenModule));
}

Result<void> Generator::find_items(machine::Machine& m, machine::Function& function) {
  std::set<Atom> own = {options_.module};
  if (options_.scope == Scope::Global) {
    for (const SourceModule& module : session_.project().modules()) {
      own.insert(Atom::intern(std::filesystem::path(module.path).stem().string()));
    }
  }
  items_.emplace(m, session_, function, own);
  if (counts_clauses()) suite_.items = items_->all();
  if (options_.criterion == Criterion::Goal) {
    auto goal = Goal::find(session_, options_);
    if (!goal) return goal.error();
    goal_ = std::move(*goal);
    suite_.items = {goal_->item()};
  }
  if (options_.criterion != Criterion::DataFlow && options_.criterion != Criterion::Both) return {};
  flows_.emplace(session_, options_, own);
  for (Item& item : flows_->items()) suite_.items.push_back(std::move(item));
  return {};
}

Result<Suite> Generator::run() {
  const auto start = std::chrono::steady_clock::now();
  machine::Mode mode{.is_silent = true};
  mode.code.unknowns = true;
  const std::unique_ptr<machine::Machine> m = session_.make_machine({}, mode);
  const auto function = find_function(*m);
  if (!function) return function.error();
  if (auto found = find_items(*m, **function); !found) return found.error();
  if (auto given = read_given(); !given) return given.error();
  suite_.exhausted = true;
  std::vector<std::vector<TypeId>> signatures;
  if (options_.inputs == Inputs::Spec) {
    SpecTypes specs(session_, types_);
    signatures = specs.signatures(*(*function)->owner->unit, options_.function, options_.arity);
  }
  suite_.has_spec = !signatures.empty();
  if (signatures.empty()) signatures.emplace_back(options_.arity, TypeId::Any);
  for (const std::vector<TypeId>& types : signatures) {
    if (!is_done() && !is_limit_reached_) search(types);
  }
  suite_.search_seconds = seconds_since(start);
  const auto minimising = std::chrono::steady_clock::now();
  minimise(suite_, options_);
  suite_.minimise_seconds = seconds_since(minimising);
  suite_.solver = solver_.statistics();
  for (uint32_t i = 0; i < suite_.items.size(); ++i) {
    if (!covered_.contains(i)) suite_.uncovered.push_back(i);
  }
  return std::move(suite_);
}

}  // namespace

Result<Suite> generate(session::Session& session, const GenerateOptions& options,
                       const std::function<void(const Progress&)>& on_progress) {
  return Generator(session, options, on_progress).run();
}

}  // namespace fathom::generate
