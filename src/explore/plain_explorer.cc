#include "explore/plain_explorer.h"

#include <algorithm>

#include "base/hash.h"
#include "explore/at_rest.h"

namespace fathom::explore {

void PlainExplorer::enter() {
  const Depth depth = execution_.depth();
  Branches& branches = branches_.enter(depth);
  branches.actors.clear();
  branches.costs.clear();
  branches.next = 0;
  branches.cost = 0;
  branches.state = 0;
  if (depth == Depth{}) return;
  const Branches& before = branches_[depth - 1];
  branches.cost = before.cost + before.costs[before.next - 1];
  const Trace& trace = execution_.trace();
  if (leaves_out_seen_) branches.state = before.state + contribution(trace, trace.end() - 1);
}

Explorer::Next PlainExplorer::next(bool is_fresh) {
  Branches& branches = branches_[execution_.depth()];
  if (is_fresh) {
    const bool is_end = is_at_rest(execution_) || !execution_.find_enabled(enabled_);
    if (!is_end) put_last_first();
    if (leaves_out_seen_ && was_seen(branches, is_end)) return {kNoActor, true};
    if (is_end) return {};
    find_affordable(branches);
  }
  if (branches.next == branches.actors.size()) return {};
  return {branches.actors[branches.next++]};
}

// What follows depends on the state, on how far time has passed, on what is left of the budget,
// and on whose turn it is: with delays on the order of all, with preemptions on who has acted last.
bool PlainExplorer::was_seen(const Branches& branches, bool is_end) {
  uint64_t key = hash_combine(branches.state, mailboxes_hash(execution_));
  if (is_end) return seen_.visit(hash_finish(key), budget_);
  key = hash_combine(key, static_cast<uint64_t>(execution_.due()));
  if (bound_ == Bound::Delays) {
    for (const ActorId actor : enabled_) key = hash_combine(key, column(actor));
  } else if (enabled_.front() == execution_.last_actor()) {
    key = hash_combine(key, column(enabled_.front()));
  }
  return seen_.visit(hash_finish(key), budget_ - branches.cost);
}

// What it costs to go on with that one.
uint32_t PlainExplorer::cost(ActorId actor) const {
  if (bound_ == Bound::Delays) {
    return static_cast<uint32_t>(std::find(enabled_.begin(), enabled_.end(), actor) -
                                 enabled_.begin());
  }
  if (bound_ == Bound::None || actor == enabled_.front()) return 0;
  const Actors& actors = execution_.actors();
  const bool can_go_on = enabled_.front() == execution_.last_actor();
  const bool is_early = actors.waits(actor) && !actors.waits(enabled_.front());
  return can_go_on || is_early ? 1 : 0;
}

// The actor that has just acted comes first, if it can go on; the others in their order. Those that
// could only time out come last, that one too: else who waits in a loop would keep all others from
// running, and see its time run out.
void PlainExplorer::put_last_first() {
  const auto waiting = std::stable_partition(enabled_.begin(), enabled_.end(), [&](ActorId actor) {
    return !execution_.actors().waits(actor);
  });
  const auto last = std::find(enabled_.begin(), waiting, execution_.last_actor());
  if (last != waiting) std::rotate(enabled_.begin(), last, last + 1);
}

void PlainExplorer::find_affordable(Branches& branches) {
  for (const ActorId actor : enabled_) {
    const uint32_t its = cost(actor);
    if (branches.cost + its > budget_) {
      statistics_.is_bounded = true;
      continue;
    }
    branches.actors.push_back(actor);
    branches.costs.push_back(its);
  }
}

}  // namespace fathom::explore
