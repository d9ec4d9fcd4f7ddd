#include "explore/execution.h"

#include <algorithm>
#include <utility>

namespace fathom::explore {

Path Execution::path() const {
  Path path;
  path.reserve(trace_.size());
  for (EventIndex i{}; i < trace_.end(); ++i) path.push_back(actors_.choice(trace_[i].id.actor));
  return path;
}

// ---- States -----------------------------------------------------------------

void Execution::begin() {
  actors_.settle();
  enter(State{});
}

void Execution::enter(const State& before) {
  const State state{machine_.mark(), before.due, before.barrier, false};
  if (states_.size() == number(depth())) states_.emplace_back();
  top() = state;
}

void Execution::clear() {
  if (states_.empty()) return;
  while (!trace_.empty()) retreat();
  if (std::exchange(top().passes_time, false)) trace_.unpass_time();
}

void Execution::pass_time(int64_t due) {
  State& state = top();
  state.due = due;
  if (!state.passes_time) state.barrier = trace_.pass_time();
  state.passes_time = true;
}

// ---- Events -----------------------------------------------------------------

RecordPtr Execution::perform(ActorId actor) {
  RecordPtr record = trace_.new_record();
  perform(actor, *record);
  return record;
}

// What the process stands before is known only now.
void Execution::perform(ActorId actor, Record& record) {
  machine::Process* process = actors_.process(actor);
  record.clear();
  if (process && may_poll(actor, *process)) record.state.save(*process);
  actors_.perform(actor, top().due, record);
}

// Whether its next event may be part of a round that changes nothing (polling.h), or end one: else
// its state is compared with no other.
bool Execution::may_poll(ActorId actor, const machine::Process& process) const {
  const EventIndex last = trace_.last_of(actor);
  return machine::may_change_nothing(process) || (exists(last) && trace_[last].changes_nothing());
}

void Execution::push(RecordPtr record) {
  const State before = top();
  trace_.push(std::move(record), before.barrier);
  enter(before);
}

RecordPtr Execution::retreat() {
  if (std::exchange(top().passes_time, false)) trace_.unpass_time();
  return trace_.pop();
}

size_t Execution::go_to(const Path& path) {
  const Path here = this->path();
  const auto [mine, theirs] = std::ranges::mismatch(here, path);
  const auto common = static_cast<size_t>(mine - here.begin());
  if (trace_.size() > common) {
    while (trace_.size() > common) retreat();
    rewind();
  }
  for (size_t i = common; i < path.size(); ++i) {
    if (machine_.outcome || !find_enabled(enabled_)) return i;
    const ActorId actor = actors_.find_enabled(path[i], top().due);
    if (!exists(actor)) return i;
    advance(actor);
  }
  return path.size();
}

}  // namespace fathom::explore
