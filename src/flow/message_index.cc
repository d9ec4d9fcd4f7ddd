#include "flow/message_index.h"

#include "base/budget.h"

namespace fathom::flow {
namespace {

uint64_t pair_of(uint32_t a, uint32_t b) { return uint64_t{a} << 32 | b; }

}  // namespace

MessageIndex::MessageIndex(const Analysis& analysis) : analysis_(analysis) {
  add_receives();
  add_sends();
  for (size_t i = 0; i < sends_.size(); ++i) match(i);
}

MessageIndex::SetId MessageIndex::intern(const ObjectSet& values) {
  const uint64_t hash = values.hash();
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto at = first; at != last; ++at) {
    if (sets_[at->second]->values == values) return at->second;
  }
  const auto id = static_cast<SetId>(sets_.size());
  sets_.push_back(
      std::make_unique<KnownSet>(KnownSet{values, values.contains(analysis_.objects().unknown()),
                                          values.intersects(analysis_.escaped())}));
  by_hash_.emplace(hash, id);
  return id;
}

void MessageIndex::add_receives() {
  const Facts& facts = analysis_.facts();
  std::map<std::vector<uint32_t>, size_t> groups;
  for (const DispatchFacts& receive : facts.dispatches) {
    if (!exists(receive.message)) continue;
    const SetId processes = intern(analysis_.values(facts[receive.instance].self));
    std::vector<SetId> taken;
    bool is_judged = false;  // its variables count as well
    for (const DispatchFacts::Clause& clause : receive.clauses) {
      taken.push_back(intern(analysis_.values(clause.taken)));
      is_judged |= sets_[taken.back()]->has_unknown;
    }
    std::vector<uint32_t> key = taken;
    key.push_back(processes);
    key.push_back(is_judged ? static_cast<uint32_t>(&receive - facts.dispatches.data())
                            : UINT32_MAX);
    const auto [at, is_new] = groups.try_emplace(std::move(key), receives_.size());
    if (is_new) {
      receives_.push_back({{}, &sets_[processes]->values});
      taken_.push_back(std::move(taken));
      by_processes_[processes].push_back(at->second);
    }
    receives_[at->second].receives.push_back(&receive);
  }
}

void MessageIndex::add_sends() {
  std::map<std::pair<SetId, SetId>, size_t> groups;
  for (const Send& send : analysis_.facts().sends) {
    ObjectSet receivers = analysis_.values(send.receivers);
    if (send.is_outside) receivers.insert_all(analysis_.escaped_processes());
    const std::pair key{intern(receivers), intern(analysis_.values(send.message))};
    const auto [at, is_new] = groups.try_emplace(key, sends_.size());
    if (is_new) {
      sends_.push_back({{}, &sets_[key.first]->values, {}});
      sent_.push_back(key);
    }
    sends_[at->second].sends.push_back(&send);
  }
}

void MessageIndex::match(size_t send_group) {
  const auto [receivers, message] = sent_[send_group];
  for (const auto& [processes, groups] : by_processes_) {
    spend(1);
    if (!shares_process(receivers, processes)) continue;
    for (const size_t group : groups) {
      spend(1);
      std::vector<uint32_t> clauses;
      for (size_t c = 0; c < taken_[group].size(); ++c) {
        if (may_take(message, group, c)) clauses.push_back(static_cast<uint32_t>(c));
      }
      if (!clauses.empty()) sends_[send_group].matches.push_back({group, std::move(clauses)});
    }
  }
}

bool MessageIndex::shares_process(SetId receivers, SetId processes) {
  const auto [at, is_new] = shared_processes_.try_emplace(pair_of(receivers, processes));
  if (is_new) at->second = sets_[receivers]->values.intersects(sets_[processes]->values);
  return at->second;
}

bool MessageIndex::may_take(SetId message, size_t group, size_t clause) {
  const SetId taken = taken_[group][clause];
  const KnownSet& left = *sets_[message];
  const KnownSet& right = *sets_[taken];
  const auto [at, is_new] = shared_values_.try_emplace(pair_of(message, taken));
  if (is_new) {
    at->second = (left.has_unknown && right.has_escaped) || left.values.intersects(right.values);
  }
  return at->second ||
         (right.has_unknown && left.has_escaped && is_judged_to_take(message, group, clause));
}

// The clause takes something that is not known: the message may be that, if it has escaped, and if
// the pattern does not say otherwise.
bool MessageIndex::is_judged_to_take(SetId message, size_t group, size_t clause) const {
  const DispatchFacts& receive = *receives_[group].receives[0];
  return sets_[message]->values.any_of([&](ObjectId object) {
    spend(4);
    return analysis_.escaped().contains(object) && analysis_.may_take(receive, clause, object);
  });
}

}  // namespace fathom::flow
