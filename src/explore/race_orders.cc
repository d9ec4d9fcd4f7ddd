#include "explore/race_orders.h"

#include "base/budget.h"
#include "code/module.h"
#include "code/places.h"

namespace fathom::explore {

namespace {

bool has_place(const Record& record) {
  return record.event.place && record.event.place->owner && record.event.place->owner->core;
}

core::GlobalNodeId global_node(const Record& record) {
  return record.event.place->owner->core->global(record.event.node);
}

}  // namespace

void RaceOrders::add(const Record& first, const Record& second) {
  constexpr uint8_t kBoth = 3;
  if (!has_place(first) || !has_place(second)) return;
  const core::GlobalNodeId a = global_node(first);
  const core::GlobalNodeId b = global_node(second);
  const bool is_turned = std::pair(b, second.id.actor) < std::pair(a, first.id.actor);
  const Record& left = is_turned ? second : first;
  const Record& right = is_turned ? first : second;
  const auto at = pairs_.try_emplace(
      {std::min(a, b), std::max(a, b)},
      Seen{{left.event.place, left.event.node}, {right.event.place, right.event.node}, {}});
  Seen& seen = at.first->second;
  if (seen.in_both_orders) return;
  uint8_t& orders = seen.orders[{left.id.actor, right.id.actor}];
  orders |= is_turned ? 2 : 1;
  if (orders != kBoth) return;
  seen.in_both_orders = true;
  seen.orders.clear();
}

void RaceOrders::see(const EndedExecution& e) {
  const Trace& trace = e.trace();
  const auto add_pair = [&](EventIndex second, const Predecessor& p) {
    if (p.reason == Predecessor::Reason::Enabled || !trace.is_direct(second, p)) return;
    if (p.reason == Predecessor::Reason::Observed && trace.is_equal_message(p.observer, second))
      return;
    add(trace[p.index], trace[second]);
  };
  for (EventIndex i = e.fresh_from; i < trace.end(); ++i) {
    spend(static_cast<int64_t>(trace.predecessors(i).size()));
    for (const Predecessor& p : trace.predecessors(i)) add_pair(i, p);
    // Messages, whose order a receive has observed only now.
    for (const EventIndex sender : trace.observed(i)) {
      if (sender >= e.fresh_from) continue;  // its turn comes, or has come
      for (const Predecessor& p : trace.predecessors(sender)) {
        if (p.reason == Predecessor::Reason::Observed && p.observer == i) add_pair(sender, p);
      }
    }
  }
}

std::vector<RacingPlaces> RaceOrders::take() const {
  std::vector<RacingPlaces> result;
  for (const auto& [key, seen] : pairs_) {
    result.push_back({machine::place_of(seen.first.function, seen.first.node),
                      machine::place_of(seen.second.function, seen.second.node),
                      seen.in_both_orders});
  }
  return result;
}

}  // namespace fathom::explore
