// Which nodes of some modules a machine has executed: every node of a body has a counter before it
// (code/probes.h). Patterns and guards count with the node whose clauses they belong to.
#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "code/probes.h"
#include "slice/model.h"

namespace fathom::reduce {

class Executed : public machine::ProbeSource {
 public:
  // It must outlive this, and be added before a machine runs it.
  void add(const core::Module& module);
  const machine::Probes* find(const core::Module& module) override;

  bool is_executed(const core::Module& module, core::NodeId node) const;
  bool is_entered(const core::Module& module, core::RegionId region) const;
  // Whether control came to the node more often than to the one after it in its body; of the last
  // of a body that is not known, and it may be so.
  bool may_have_raised(const core::Module& module, core::NodeId node) const;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Counted {
    std::vector<uint32_t> by_node;    // its counter
    std::vector<uint32_t> after;      // by node: that of the next one of its body
    std::vector<uint32_t> by_region;  // that of its first node
    std::vector<uint64_t> counters;
    machine::Probes probes;
  };
  class Numbering;

  const Counted* of(const core::Module& module) const {
    const auto found = by_module_.find(&module);
    return found == by_module_.end() ? nullptr : found->second;
  }

  std::deque<Counted> modules_;
  std::unordered_map<const core::Module*, Counted*> by_module_;
};

}  // namespace fathom::reduce
