// Which receives may take which messages, for all that asks: the graph and the process view.
//
// A send and a receive belong together if a process that the send may reach runs the receive, and
// if a clause may take what is sent. Copies of library code, and code that many processes run, have
// the same sets over and over. So sends with equal sets are one group, and receives likewise, and
// groups are compared, each pair of different sets once.
//
// A message to a process that is not known may reach each process that has escaped; there, the
// clauses are asked whether they may take it.
//
// Cost: for each two groups one look; for each two different sets one comparison.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "flow/analysis.h"

namespace fathom::flow {

class MessageIndex {
 public:
  explicit MessageIndex(const Analysis& analysis);

  struct ReceiveGroup {
    std::vector<const DispatchFacts*> receives;
    const ObjectSet* processes = nullptr;  // that run them
  };
  struct Match {
    size_t receives;                // a ReceiveGroup
    std::vector<uint32_t> clauses;  // that may take it, from 0 on
  };
  struct SendGroup {
    std::vector<const Send*> sends;
    const ObjectSet* receivers = nullptr;
    std::vector<Match> matches;
  };
  const std::vector<SendGroup>& sends() const { return sends_; }
  const ReceiveGroup& operator[](size_t receives) const { return receives_[receives]; }

 private:
  using SetId = uint32_t;
  struct KnownSet {
    ObjectSet values;
    bool has_unknown;
    bool has_escaped;  // something that has escaped
  };

  SetId intern(const ObjectSet& values);
  void add_receives();
  void add_sends();
  void match(size_t send_group);
  bool shares_process(SetId receivers, SetId processes);
  bool may_take(SetId message, size_t group, size_t clause);
  bool is_judged_to_take(SetId message, size_t group, size_t clause) const;

  const Analysis& analysis_;
  std::vector<SendGroup> sends_;
  std::vector<ReceiveGroup> receives_;
  std::vector<std::vector<SetId>> taken_;      // by receive group and clause
  std::vector<std::pair<SetId, SetId>> sent_;  // by send group: receivers, message
  std::vector<std::unique_ptr<KnownSet>> sets_;
  std::unordered_multimap<uint64_t, SetId> by_hash_;
  std::map<SetId, std::vector<size_t>> by_processes_;  // receive groups
  std::unordered_map<uint64_t, bool> shared_processes_;
  std::unordered_map<uint64_t, bool> shared_values_;
};

}  // namespace fathom::flow
