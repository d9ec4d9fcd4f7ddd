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
#include "values/convert.h"

namespace fathom::generate {

using machine::Outcome;
using machine::Value;
using symbolic::TypeId;

namespace {

// The function of that module which calls the one that is tested, if the arguments count (--given).
// The name of the module is the reason of its exit if they do not.
using symbolic::kCaller;
constexpr std::string_view kCallerFunction = "call";

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// With the messages: an expression that sends them first.
std::string call_text(const GenerateOptions& options, const std::vector<std::string>& arguments,
                      const std::vector<std::string>& messages = {}) {
  std::string text = messages.empty() ? "" : "begin ";
  for (const std::string& message : messages) text += "self() ! " + message + ", ";
  append_atom(text, options.module);
  text += ":";
  append_atom(text, options.function);
  text += "(";
  for (size_t i = 0; i < arguments.size(); ++i) text += (i == 0 ? "" : ", ") + arguments[i];
  return text + (messages.empty() ? ")" : ") end");
}

std::string name_of(const GenerateOptions& options) {
  return fmt::format("{}:{}/{}", options.module.text(), options.function.text(), options.arity);
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

// Among its inputs, as input_text() writes them.
bool has_identifier(const TestCase& test) {
  const auto is_one = [](const std::string& text) {
    return text.find("self()") != text.npos || text.find("make_ref()") != text.npos;
  };
  return std::ranges::any_of(test.arguments, is_one) || std::ranges::any_of(test.messages, is_one);
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
  Result<std::vector<std::vector<TypeId>>> prepare();
  Result<void> search_all();
  Result<machine::Function*> find_function(machine::Machine& m);
  void search(const std::vector<TypeId>& types);
  void search_paths(machine::Machine& m, symbolic::Store& store, symbolic::Asking& asking,
                    std::span<const Value> arguments);
  void end_of_path(symbolic::Store& store, const symbolic::Asking& asking,
                   std::span<const Value> arguments, std::span<const Value> messages,
                   const Outcome& outcome, int cost);
  bool is_wanted(const std::vector<uint32_t>& covers, const std::vector<uint32_t>& path,
                 const Outcome& outcome) const;
  void add_test(TestCase test, const Call& call, const std::vector<uint32_t>& predicted,
                const std::string& predicted_value);
  Call call_of(symbolic::Store& store, std::span<const Value> solution, const TestCase& test) const;
  bool is_done() const;
  bool has_no_more_flows() const;
  bool counts_clauses() const {
    return options_.criterion != Criterion::DataFlow && options_.criterion != Criterion::Goal;
  }
  // What the tests that are there have chosen again is not known.
  bool counts_loops() const { return options_.criterion == Criterion::Both && !options_.exercised; }
  // Whether more than the clauses of a path must be known of it.
  bool needs_runs() const { return flows_ || goal_; }
  void keep_test(TestCase test, const Call& call, const ConcreteRuns::Run& run);
  bool confirm(TestCase& test, const Call& call);
  bool has_ended(const std::optional<ConcreteRuns::Run>& run);
  void add_wrong(const Call& call, const TestCase& predicted, const TestCase& actual);
  void try_earlier();
  void leave_out_exercised();
  Result<std::vector<std::vector<TypeId>>> signatures(const machine::Function& function);
  bool is_outside(std::span<const Value> arguments) const;
  void add_other_items(TestCase& test, const Call& call);
  std::vector<uint32_t> covered_clauses(const std::vector<uint32_t>& clauses);
  Result<void> find_items(machine::Machine& m, machine::Function& function);
  Result<void> make_caller();
  bool is_given(const Outcome& outcome) const;
  void limit_reached(const std::string& reason);
  std::string path_key(const std::vector<uint32_t>& path, const Outcome& outcome) const;

  // Everything is covered, but some of it only by calls that raise: so many paths are tried to find
  // others.
  static constexpr uint64_t kPathsWithoutValue = 200;
  // Everything is covered, but there may be clauses that can be chosen again.
  static constexpr uint64_t kPathsWithoutLoop = 100;
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
  std::optional<machine::ModuleSource::Found> caller_;
  Suite suite_;                         // its items: the clauses, if they count, then the flows
  std::map<uint32_t, uint32_t> again_;  // by clause: the item that it is chosen again
  std::set<uint32_t> covered_;
  std::set<uint32_t> covered_by_value_;  // a test that raises is kept only where there is no other
  std::unordered_set<std::string> paths_;
  std::set<std::string> errors_;            // places and kinds of exceptions
  std::set<std::string> calls_;             // that are tests
  std::set<uint32_t> exercised_;            // items that tests which are there cover
  std::vector<std::vector<TypeId>> specs_;  // of arguments
  std::string last_call_;
  uint64_t fruitless_ = 0;
  bool is_limit_reached_ = false;
};

Result<machine::Function*> Generator::find_function(machine::Machine& m) {
  machine::LoadedModule* module = m.ensure_module(options_.module);
  const std::string name = name_of(options_);
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
  const bool has_none = suite_.tests.empty() && !options_.exercised;
  if (options_.criterion == Criterion::Paths || options_.errors || has_none) return false;
  if (counts_loops() && fruitless_ < kPathsWithoutLoop) return false;
  const size_t all = suite_.items.size();
  return covered_by_value_.size() == all ||
         (covered_.size() == all && fruitless_ >= kPathsWithoutValue);
}

std::string Generator::path_key(const std::vector<uint32_t>& path, const Outcome& outcome) const {
  std::string key(reinterpret_cast<const char*>(path.data()), path.size() * sizeof(uint32_t));
  key += static_cast<char>('0' + static_cast<int>(class_of(outcome)));
  if (outcome.kind == Outcome::Kind::Exception) key += kind_of_reason(outcome.value);
  return key;
}

bool Generator::is_wanted(const std::vector<uint32_t>& covers, const std::vector<uint32_t>& path,
                          const Outcome& outcome) const {
  const std::set<uint32_t>& before =
      outcome.kind == Outcome::Kind::Value ? covered_by_value_ : covered_;
  const bool is_new =
      std::ranges::any_of(covers, [&](uint32_t item) { return !before.contains(item); });
  const bool is_first = suite_.tests.empty() && !options_.exercised;
  if (is_new || (is_first && outcome.kind == Outcome::Kind::Value)) return true;
  if (options_.criterion == Criterion::Paths || needs_runs()) {
    return !paths_.contains(path_key(path, outcome));
  }
  return options_.errors && outcome.kind == Outcome::Kind::Exception;
}

void Generator::end_of_path(symbolic::Store& store, const symbolic::Asking& asking,
                            std::span<const Value> arguments, std::span<const Value> messages,
                            const Outcome& outcome, int cost) {
  if (outcome.kind != Outcome::Kind::Value && outcome.kind != Outcome::Kind::Exception) {
    suite_.reasons.insert(outcome.kind == Outcome::Kind::Deadlock ? "paths that wait for ever"
                          : outcome.kind == Outcome::Kind::Halt   ? "paths that end in halt"
                                                                  : outcome.message);
    return;
  }
  if (!is_given(outcome)) return;
  ++suite_.paths;
  const std::vector<uint32_t> covers = covered_clauses(asking.reached_clauses);
  const std::vector<uint32_t> path = items_->path(asking.reached_clauses);
  const bool is_wanted_now = is_wanted(covers, path, outcome);
  ++fruitless_;
  if (!is_wanted_now) {
    if (paths_.insert(path_key(path, outcome)).second) ++suite_.distinct;
    return;
  }
  std::vector<Value> inputs(arguments.begin(), arguments.end());
  inputs.insert(inputs.end(), messages.begin(), messages.end());
  const auto solution = store.solution(inputs);
  if (!solution) {
    suite_.reasons.insert("conditions for which the solver found no values");
    return;
  }
  if (has_twice(store, *solution)) {
    suite_.reasons.insert("inputs with one fun or reference in two places");
    return;
  }
  if (paths_.insert(path_key(path, outcome)).second) ++suite_.distinct;
  if (options_.inputs != Inputs::Any && suite_.has_spec &&
      is_outside(*solution) != (options_.inputs == Inputs::OutsideSpec)) {
    if (options_.inputs == Inputs::Spec) suite_.reasons.insert("inputs that left their spec");
    return;
  }
  TestCase test;
  for (const Value argument : *solution) {
    auto& texts = test.arguments.size() < arguments.size() ? test.arguments : test.messages;
    texts.push_back(input_text(store, argument));
    if (texts.back().find(kCaller) == std::string::npos) continue;
    suite_.reasons.insert("inputs with the stack trace of their caller");
    return;
  }
  test.cost = cost;
  test.path = path;
  test.covers = covers;
  test.outcome = class_of(outcome);
  bool is_literal = true;
  const Value result = outcome.kind == Outcome::Kind::Value ? outcome.value.head() : outcome.value;
  const std::string value = literal_text(store.under_solution(result), is_literal);
  const Call call = call_of(store, *solution, test);
  add_test(std::move(test), call, asking.reached_clauses, is_literal ? value : std::string());
}

Call Generator::call_of(symbolic::Store& store, std::span<const Value> solution,
                        const TestCase& test) const {
  Call call{call_text(options_, test.arguments, test.messages), options_.module, options_.function};
  if (!test.messages.empty()) return call;  // they are sent by the text
  const auto is_data = [](Value v) {
    bool is_literal = true;
    literal_text(v, is_literal);
    return is_literal;
  };
  std::vector<Term> terms;
  for (const Value argument : solution) {
    const Value value = store.under_solution(argument);
    if (!is_data(value)) return call;
    terms.push_back(machine::to_term(value, call.arena));
  }
  call.arguments = std::move(terms);
  return call;
}

// The test is what the call really does.
void Generator::add_test(TestCase test, const Call& call, const std::vector<uint32_t>& predicted,
                         const std::string& predicted_value) {
  if (calls_.contains(call.text)) return;
  last_call_ = call.text;
  const auto run = runs_.run(call);
  if (!has_ended(run)) return;
  const std::vector<uint32_t> path = items_->path(run->clauses);
  TestCase actual = test;
  actual.outcome = class_of(run->outcome);
  actual.value = literal_text(run->outcome.value, actual.is_literal);
  const bool is_predicted = actual.is_literal && !predicted_value.empty() &&
                            predicted_value.find(kCaller) == std::string::npos;
  test.value = is_predicted ? predicted_value : actual.value;
  if (path != items_->path(predicted) || actual.outcome != test.outcome ||
      actual.value != test.value) {
    // self() is another process there, with another hash.
    const bool is_chance = !run->is_determined || has_identifier(test);
    if (!is_chance) return add_wrong(call, test, actual);
    suite_.reasons.insert("calls that depend on chance: random numbers, pids, orders of tables");
    return;
  }
  test.is_literal = actual.is_literal;
  keep_test(std::move(test), call, *run);
}

// False: that is not known, since it took too long.
bool Generator::has_ended(const std::optional<ConcreteRuns::Run>& run) {
  const bool ended = run && (run->outcome.kind == Outcome::Kind::Value ||
                             run->outcome.kind == Outcome::Kind::Exception);
  if (!ended) suite_.reasons.insert("calls that could not be run");
  // No assertion catches that, and the test that makes the call would end with it.
  const bool is_by_signal = ended && run->outcome.kind == Outcome::Kind::Exception &&
                            class_of(run->outcome) == TestCase::Outcome::Exit &&
                            !run->outcome.trace.is_cons();
  if (is_by_signal) suite_.reasons.insert("calls that an exit signal ends");
  return ended && !is_by_signal;
}

void Generator::add_wrong(const Call& call, const TestCase& predicted, const TestCase& actual) {
  suite_.reasons.insert("calls that came out differently than predicted");
  const std::string before = outcome_text(predicted);
  const std::string now = outcome_text(actual);
  suite_.wrong.push_back({call.text, before == now ? "another path" : before, now});
}

// If it shows anything new.
void Generator::keep_test(TestCase test, const Call& call, const ConcreteRuns::Run& run) {
  test.place = place_of_error(run.outcome);
  if (test.outcome != TestCase::Outcome::Value) {
    const std::string error = fmt::format("{} {} {}", static_cast<int>(test.outcome), test.place,
                                          kind_of_reason(run.outcome.value));
    test.is_finding = options_.errors && errors_.insert(error).second;
  }
  add_other_items(test, call);
  std::erase_if(test.covers, [&](uint32_t item) { return exercised_.contains(item); });
  const bool is_value = test.outcome == TestCase::Outcome::Value;
  const std::set<uint32_t>& before = is_value ? covered_by_value_ : covered_;
  const bool is_new =
      std::ranges::any_of(test.covers, [&](uint32_t item) { return !before.contains(item); });
  const bool is_kept = is_new || test.is_finding ||
                       (suite_.tests.empty() && !goal_ && !options_.exercised) ||
                       options_.criterion == Criterion::Paths;
  if (!is_kept || !confirm(test, call)) return;
  fruitless_ = 0;
  calls_.insert(call.text);
  covered_.insert(test.covers.begin(), test.covers.end());
  if (is_value) covered_by_value_.insert(test.covers.begin(), test.covers.end());
  suite_.tests.push_back(std::move(test));
}

// The clauses that were chosen, and those that were chosen again.
std::vector<uint32_t> Generator::covered_clauses(const std::vector<uint32_t>& clauses) {
  if (!counts_clauses()) return {};
  std::vector<uint32_t> result = items_->covered(clauses);
  if (!counts_loops()) return result;
  std::vector<uint32_t> path = items_->path(clauses);
  std::ranges::sort(path);
  for (size_t i = 1; i < path.size(); ++i) {
    if (path[i] != path[i - 1] || (i > 1 && path[i] == path[i - 2])) continue;
    const auto [at, is_new] = again_.emplace(path[i], static_cast<uint32_t>(suite_.items.size()));
    if (is_new) {
      suite_.items.push_back(suite_.items[path[i]]);
      suite_.items.back().kind = Item::Kind::Again;
    }
    result.push_back(at->second);
  }
  return result;
}

void Generator::add_other_items(TestCase& test, const Call& call) {
  if (goal_ && goal_->is_reached(call)) test.covers.push_back(0);
  if (!flows_) return;
  const auto first = static_cast<uint32_t>(counts_clauses() ? items_->all().size() : 0);
  for (const uint32_t flow : flows_->covered(call)) test.covers.push_back(first + flow);
  std::ranges::sort(test.covers);
}

// Runs the text of the call, from within another function, as a test will, and at another time: a
// value that is another one then depends on who calls, by a stack trace in it, or on the time, and
// is not written down. False: the text does not do what the call did.
bool Generator::confirm(TestCase& test, const Call& call) {
  const std::string text = fmt::format("[{}]", call.text);
  const auto at = [&](ConcreteRuns::Time time) -> std::optional<TestCase> {
    const auto run = runs_.run(text, time);
    if (!has_ended(run)) return std::nullopt;
    TestCase result = test;
    result.outcome = class_of(run->outcome);
    const bool is_value = result.outcome == TestCase::Outcome::Value;
    const Value value = is_value ? run->outcome.value.head() : run->outcome.value;
    result.value = literal_text(value, result.is_literal);
    result.path = items_->path(run->clauses);
    result.is_literal = result.is_literal && run->is_determined;
    return result;
  };
  const auto is_same = [&](const TestCase& other) {
    return other.outcome == test.outcome && other.path == test.path;
  };
  const auto later = at(ConcreteRuns::Time::Later);
  if (!later) return false;
  if (is_same(*later)) {
    test.is_literal = later->is_literal && later->value == test.value;
    return true;
  }
  const auto now = at(ConcreteRuns::Time::Start);
  if (now && is_same(*now)) {
    suite_.reasons.insert("calls that do something else at another time");
  } else if (now) {
    add_wrong(call, test, *now);
  }
  return false;
}

// Tests that were made before, with what they do now.
void Generator::try_earlier() {
  for (const std::vector<std::string>& arguments : options_.earlier) {
    TestCase test;
    test.arguments = arguments;
    test.is_earlier = true;
    const Call call{call_text(options_, arguments), options_.module, options_.function};
    const auto run = runs_.run(call);
    if (!has_ended(run)) continue;
    test.outcome = class_of(run->outcome);
    test.value = literal_text(run->outcome.value, test.is_literal);
    test.path = items_->path(run->clauses);
    test.covers = covered_clauses(run->clauses);
    keep_test(std::move(test), call, *run);
  }
  fruitless_ = 0;
}

void Generator::leave_out_exercised() {
  if (!options_.exercised) return;
  uint32_t first = 0;
  if (counts_clauses()) {
    const std::set<uint32_t>& clauses = options_.exercised->clauses;
    const std::vector<uint32_t> nodes(clauses.begin(), clauses.end());
    for (const uint32_t item : items_->covered(nodes)) exercised_.insert(item);
    first = static_cast<uint32_t>(items_->all().size());
  }
  if (flows_) {
    for (const uint32_t flow : flows_->covered(options_.exercised->flows)) {
      exercised_.insert(first + flow);
    }
  }
  covered_ = covered_by_value_ = exercised_;
  suite_.exercised = exercised_.size();
}

// Whether no signature of the spec allows the arguments.
bool Generator::is_outside(std::span<const Value> arguments) const {
  return std::ranges::none_of(specs_, [&](const std::vector<TypeId>& spec) {
    for (size_t i = 0; i < spec.size(); ++i) {
      if (!types_.accepts(spec[i], arguments[i])) return false;
    }
    return true;
  });
}

Result<std::vector<std::vector<TypeId>>> Generator::signatures(const machine::Function& function) {
  std::vector<std::vector<TypeId>> result;
  if (options_.inputs != Inputs::Any) {
    SpecTypes specs(session_, types_);
    result = specs.signatures(*function.owner->unit, options_.function, options_.arity);
    if (specs.has_identifiers()) suite_.reasons.insert(symbolic::kNoIdentifiers);
    for (const std::string& type : specs.unknown_types()) {
      suite_.reasons.insert(fmt::format("the type {} is not known, and taken as any term", type));
    }
  }
  suite_.has_spec = !result.empty();
  specs_ = result;
  if (options_.inputs == Inputs::OutsideSpec) {
    if (result.empty())
      return Error{"--inputs outside-spec: " + name_of(options_) + " has no spec"};
    suite_.reasons.insert("arguments of which several, or only parts, are outside of the spec");
    result.clear();
    for (const std::vector<TypeId>& spec : specs_) {
      for (size_t i = 0; i < spec.size(); ++i) {
        for (const TypeId outside : types_.outside(spec[i])) {
          result.push_back(spec);
          result.back()[i] = outside;
        }
      }
    }
    return result;
  }
  if (result.empty()) result.emplace_back(options_.arity, TypeId::Any);
  return result;
}

void Generator::limit_reached(const std::string& reason) {
  suite_.reasons.insert(reason);
  is_limit_reached_ = true;
  if (on_progress_) on_progress_({.is_over = true});
}

void Generator::search_paths(machine::Machine& m, symbolic::Store& store, symbolic::Asking& asking,
                             std::span<const Value> arguments) {
  PathSearch search(m, store, asking, options_);
  if (counts_clauses()) {
    search.distance = [this](const machine::Function& f) { return items_->distance(f, covered_); };
  }
  search.is_receiving = items_->has_receive();
  m.code().load(caller_->unit, caller_->core);
  search.start(caller_->core->name(), Atom::intern(kCallerFunction), arguments);
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
      end_of_path(store, asking, arguments, search.messages(), outcome, search.cost());
      search.learn(fruitless_ == 0);
      if (on_progress_) {
        on_progress_({covered_.size(), suite_.items.size(), suite_.tests.size(),
                      suite_.states + search.states(), last_call_});
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
  if (!options_.errors) suite_.reasons.erase(symbolic::kUncaught);
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

// A list of what the function returns, so that the call is none in tail position. The arguments
// that do not count end in an exit of its own; what the function raises is not caught: it is called
// after the try.
Result<void> Generator::make_caller() {
  std::string names;
  for (uint32_t i = 1; i <= options_.arity; ++i)
    names += fmt::format("{}A{}", i == 1 ? "" : ", ", i);
  std::string target;
  append_atom(target, options_.module);
  target += ":";
  append_atom(target, options_.function);
  std::string body = fmt::format("[{}({})]", target, names);
  if (!options_.given.empty()) {
    body = fmt::format(
        "try ({0})({1}) of\n        true -> {2};\n        _ -> exit({3})\n"
        "    catch _:_ -> exit({3})\n    end",
        options_.given, names, body, kCaller);
  }
  Diagnostics diagnostics;
  auto found = session_.library().from_text(
      std::string(kCaller),
      fmt::format("-module({0}).\n-export([{1}/{2}]).\n{1}({3}) ->\n    {4}.\n", kCaller,
                  kCallerFunction, options_.arity, names, body),
      diagnostics);
  const auto has_arity = [&] {
    const auto run = runs_.run(fmt::format("is_function({}, {})", options_.given, options_.arity));
    return run && run->outcome.kind == Outcome::Kind::Value &&
           run->outcome.value.is_atom(Atom::intern("true"));
  };
  if (!found || diagnostics.has_errors() || (!options_.given.empty() && !has_arity())) {
    return Error{fmt::format("--given {}: this is not a fun of {} arguments", options_.given,
                             options_.arity)};
  }
  caller_ = *found;
  return {};
}

bool Generator::is_given(const Outcome& outcome) const {
  return outcome.kind != Outcome::Kind::Exception || !outcome.value.is_atom(Atom::intern(kCaller));
}

Result<void> Generator::find_items(machine::Machine& m, machine::Function& function) {
  std::set<Atom> own = {options_.module};
  if (options_.scope == Scope::Global) {
    for (const SourceModule& module : session_.project().modules()) {
      own.insert(Atom::intern(std::filesystem::path(module.path).stem().string()));
    }
  }
  items_.emplace(m, session_, function, own);
  suite_.has_effects = items_->has_effects();
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

// What there is to be covered, and the inputs of which it may be.
Result<std::vector<std::vector<TypeId>>> Generator::prepare() {
  machine::Mode mode{.is_silent = true};
  mode.code.unknowns = true;
  const std::unique_ptr<machine::Machine> m = session_.make_machine({}, mode);
  const auto function = find_function(*m);
  if (!function) return function.error();
  if (auto found = find_items(*m, **function); !found) return found.error();
  if (auto made = make_caller(); !made) return made.error();
  return signatures(**function);
}

Result<void> Generator::search_all() {
  const auto inputs = prepare();
  if (!inputs) return inputs.error();
  leave_out_exercised();
  try_earlier();
  for (const std::vector<TypeId>& types : *inputs) {
    if (!is_done() && !is_limit_reached_) search(types);
  }
  return {};
}

Result<Suite> Generator::run() {
  const auto start = std::chrono::steady_clock::now();
  suite_.exhausted = true;
  try {
    if (auto searched = search_all(); !searched) return searched.error();
  } catch (const BudgetSpent& spent) {
    suite_.exhausted = false;
    limit_reached(spent.reason);
  }
  suite_.search_seconds = seconds_since(start);
  if (on_progress_) on_progress_({.is_over = true});
  const auto minimising = std::chrono::steady_clock::now();
  minimise(suite_, options_);
  suite_.minimise_seconds = seconds_since(minimising);
  suite_.solver = solver_.statistics();
  for (uint32_t i = 0; i < suite_.items.size(); ++i) {
    const bool is_again = suite_.items[i].kind == Item::Kind::Again;
    if (!is_again && !covered_.contains(i)) suite_.uncovered.push_back(i);
  }
  return std::move(suite_);
}

}  // namespace

std::string outcome_text(const TestCase& test) {
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

Result<Suite> generate(session::Session& session, const GenerateOptions& options,
                       const std::function<void(const Progress&)>& on_progress) {
  return Generator(session, options, on_progress).run();
}

}  // namespace fathom::generate
