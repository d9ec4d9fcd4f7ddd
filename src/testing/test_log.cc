#include "testing/test_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "machine/assertion.h"
#include "machine/outcome_text.h"
#include "testing/failures.h"

namespace fathom::testing {

using machine::atom;
using machine::Value;
using machine::value_text;

namespace {

bool is_tagged(Value value, std::string_view tag) {
  return value.is_tuple(2) && value.element(0) == atom(tag);
}

std::vector<int64_t> read_id(Value list) {
  std::vector<int64_t> id;
  for (; list.is_cons(); list = list.tail()) {
    id.push_back(list.head().is_small() ? list.head().small() : 0);
  }
  return id;
}

bool is_below(const std::vector<int64_t>& id, const std::vector<int64_t>& above) {
  return id.size() >= above.size() && std::equal(above.begin(), above.end(), id.begin());
}

// The function in which a fun was written, by the fun's name: f of -f/0-fun-1-.
std::string_view written_in(std::string_view name) {
  const size_t slash = name.find('/');
  return name.starts_with('-') && slash != name.npos ? name.substr(1, slash - 1) : name;
}

}  // namespace

double real_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

TestLog::TestLog(machine::Machine& m, const TestModule& module, OnResult on_result, OnEnd on_end)
    : machine_(m),
      module_(module),
      places_(m),
      on_result_(std::move(on_result)),
      on_end_(std::move(on_end)),
      last_event_(real_seconds()) {}

void TestLog::note(Value event) {
  last_event_ = real_seconds();
  last_calls_ = machine_.statistics().reductions;
  const std::span<const Value> parts = event.elements();
  const Id id = read_id(parts[1]);
  if (parts[0] == atom("begin")) {
    begin(id, parts);
  } else if (parts[0] == atom("end")) {
    end(id, parts[2], parts[3]);
  } else if (parts[0] == atom("warning")) {
    warn(parts[2].element(0).atom(), static_cast<uint32_t>(parts[2].element(1).small()), parts[3]);
  } else {
    cancel(id, parts[2]);
  }
}

void TestLog::warn(Atom function, uint32_t arity, Value exception) {
  TestResult result = new_result();
  result.function = function.text();
  result.is_group = true;
  result.status = Status::Warning;
  result.place = places_.function(module_.name, function, arity);
  result.failure = function_failure(exception);
  if (result.failure->place.file.empty()) result.failure->place = result.place;
  on_result_(std::move(result));
}

TestResult TestLog::new_result() const {
  TestResult result;
  result.module = module_.name.text();
  if (function_) result.function = module_.functions[*function_].name.text();
  return result;
}

void TestLog::begin(const Id& id, std::span<const Value> event) {
  const Value title = event[3];
  const Value source = event[4];
  const Value line = event[5];
  last_begin_ = machine_.clock().now();
  Item item{new_result(), last_event_, machine_.output().text().size()};
  TestResult& result = item.result;
  result.is_group = event[2] == atom("group");
  if (source.is_tuple(3) && source.element(0) == atom("fathom_eunit")) {
    function_ = static_cast<size_t>(line.small());
    first_process_ = machine_.processes().next_number();
    return;
  }
  if (!id.empty()) {
    const auto parent = open_.find(Id(id.begin(), id.end() - 1));
    if (parent != open_.end()) result.titles = parent->second.result.titles;
  }
  if (!title.is_atom()) result.titles.push_back(machine::text_of(title));
  Atom module = module_.name;
  uint32_t arity = 0;
  if (source.is_tuple(3) && source.element(0).is_atom() && source.element(1).is_atom()) {
    module = source.element(0).atom();
    if (result.function.empty()) result.function = written_in(source.element(1).atom().text());
    if (source.element(2).is_small()) arity = static_cast<uint32_t>(source.element(2).small());
  }
  if (line.is_small() && line.small() > 0) {
    result.line = static_cast<uint32_t>(line.small());
    result.place = places_.line(module, result.line);
  } else {
    if (!module_.is_suite) arity = 0;  // a fun in a generator: the generator
    result.place = places_.function(module_.name, Atom::intern(result.function), arity);
  }
  if (module_.is_suite && !result.is_group) first_process_ = machine_.processes().next_number();
  open_.insert_or_assign(id, std::move(item));
}

void TestLog::end(const Id& id, Value status, Value output) {
  const auto item = open_.find(id);
  if (item == open_.end()) return;
  if (item->second.result.is_group && !status.is_tuple(4)) {
    open_.erase(item);
    hand_on();
    return;
  }
  std::string text = output.is_binary() ? machine::text_of(output) : "";
  if (is_tagged(status, "error")) {
    finish(id, Status::Failed, exception_failure(status.element(1), places_), std::move(text));
  } else if (is_tagged(status, "skipped")) {
    finish(id, Status::Skipped, abort_failure(status.element(1), places_), std::move(text));
  } else if (is_tagged(status, "timeout")) {
    finish(id, Status::Failed, timeout_failure(), std::move(text));
  } else if (is_tagged(status, "killed")) {
    finish(id, Status::Failed, exit_failure(status.element(1)), std::move(text));
  } else if (status.is_tuple(4)) {
    leave_out(id, status.elements(), std::move(text));
  } else {
    finish(id, Status::Passed, std::nullopt, std::move(text));
  }
}

void TestLog::leave_out(const Id& id, std::span<const Value> why, std::string output) {
  Failure failure{.kind = "skipped", .message = machine::text_of(why[2])};
  const Value cause = why[3];
  if (cause.is_tuple(2)) {
    Failure own = function_failure(cause);
    own.message = fmt::format("{}: {}", failure.message, own.message);
    own.kind = "fixture";
    failure = std::move(own);
  }
  const bool is_wanted = why[1] == atom("user");
  if (is_wanted) open_.at(id).result.is_left_out = true;
  finish(id, why[1] == atom("unknown") ? Status::Unknown : Status::Skipped, std::move(failure),
         std::move(output));
}

void TestLog::finish(const Id& id, Status status, std::optional<Failure> failure,
                     std::string output) {
  auto node = open_.extract(id);
  Item& item = node.mapped();
  TestResult& result = item.result;
  result.status = status;
  result.seconds = last_event_ - item.begin;
  result.output = std::move(output);
  const std::string& written = machine_.output().text();  // past EUnit, to `user`
  if (written.size() > item.output_begin) result.output += written.substr(item.output_begin);
  if (failure && failure->place.file.empty()) failure->place = result.place;
  result.failure = std::move(failure);
  if (on_end_) on_end_(machine_, result);
  done_.emplace(id, std::move(result));
  hand_on();
}

// What is done waits for what stands before it and is open still: parallel tests.
void TestLog::hand_on() {
  while (!done_.empty()) {
    const auto first = done_.begin();
    for (const auto& [id, item] : open_) {
      if (id > first->first) break;
      if (!is_below(first->first, id)) return;
    }
    TestResult result = std::move(first->second);
    done_.erase(first);
    on_result_(std::move(result));
  }
}

void TestLog::blame(const Id& id, Status status, const Failure& failure) {
  std::vector<Id> blamed;
  Id innermost;
  for (auto it = open_.lower_bound(id); it != open_.end() && is_below(it->first, id); ++it) {
    if (!it->second.result.is_group) blamed.push_back(it->first);
    if (it->first.size() > innermost.size()) innermost = it->first;
  }
  if (blamed.empty()) blamed_group_ = innermost;
  if (blamed.empty() && !innermost.empty()) blamed.push_back(innermost);
  for (const Id& each : blamed) finish(each, status, failure, "");
  if (!blamed.empty()) return;
  // Nothing but the root is open: the function itself, before it gave tests.
  TestResult result = new_result();
  result.is_group = true;
  if (module_.is_suite) result.function = "init_per_suite";
  result.place = places_.function(module_.name, Atom::intern(result.function), 0);
  open_.insert_or_assign(id, Item{std::move(result), last_event_, machine_.output().text().size()});
  finish(id, status, failure, "");
}

Failure TestLog::cancel_failure(Value reason) {
  if (is_tagged(reason, "abort")) return abort_failure(reason.element(1), places_);
  if (reason == atom("timeout") || is_tagged(reason, "timeout")) return timeout_failure();
  if (is_tagged(reason, "exit")) return exit_failure(reason.element(1));
  return {.kind = "killed", .message = "cancelled: " + value_text(reason)};
}

// Of an init or end function: {timeout, _}, {killed, Reason} or {error, Exception}.
Failure TestLog::function_failure(Value why) {
  if (is_tagged(why, "timeout")) return timeout_failure();
  if (is_tagged(why, "killed")) return exit_failure(why.element(1));
  return exception_failure(why.element(1), places_);
}

Failure TestLog::timeout_failure() {
  if (timeout_) return *std::exchange(timeout_, std::nullopt);
  return {.kind = "timeout", .message = "timed out"};
}

Failure TestLog::exit_failure(Value why) {
  Failure failure;
  failure.kind = "killed";
  const bool has_trace =
      why.is_tuple(2) && why.element(1).is_cons() && why.element(1).head().is_tuple(4);
  failure.message = fmt::format("the test's process was terminated by an exit signal: {}",
                                value_text(has_trace ? why.element(0) : why));
  if (has_trace) {
    failure.stack = stack_frames(why.element(1));
    failure.place = place_of_trace(why.element(1), places_);
  }
  return failure;
}

// Of {blame, OtherId} the other one's own cancellation has come before.
void TestLog::cancel(const Id& id, Value reason) {
  if (id.empty()) is_cut_short_ = true;
  if (!is_tagged(reason, "blame")) blame(id, Status::Failed, cancel_failure(reason));
  auto it = open_.lower_bound(id);
  while (it != open_.end() && is_below(it->first, id)) {
    if (it->second.result.is_group) {
      it = open_.erase(it);
      continue;
    }
    const Id test = it->first;
    finish(test, Status::Skipped, Failure{.kind = "killed", .message = "cancelled"}, "");
    it = open_.lower_bound(id);
  }
  hand_on();
}

void TestLog::give_up(Status status, const Failure& failure) {
  last_event_ = real_seconds();
  is_cut_short_ = true;
  blame({}, status, failure);
  open_.clear();
  hand_on();
}

}  // namespace fathom::testing
