// Probes: places of a function's code at which its run is counted, for whoever measures what a run
// exercises. The compiler asks for those of a module and puts an instruction at each; a machine
// without a source of probes has none.
//
// A probe stands before a node of a region (core.h), or at the region's end, and counts how often
// control came there. That the guard of a clause is true or false has counters of its own, since
// no region begins there. Counters only grow: going back in an execution does not undo them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/core.h"

namespace fathom::machine {

struct Probe {
  core::RegionId region{};
  uint32_t index = 0;  // before this node of the region
  uint64_t* counter = nullptr;
};

// Of one of the alternatives of a clause's guard; either counter may be missing.
struct GuardProbe {
  core::NodeId clause{};
  uint32_t alternative = 0;
  uint64_t* when_true = nullptr;
  uint64_t* when_false = nullptr;
};

// Those of a module.
class Probes {
 public:
  Probes() = default;
  Probes(std::vector<Probe> probes, std::vector<GuardProbe> guards)
      : probes_(std::move(probes)), guards_(std::move(guards)) {
    std::ranges::sort(probes_, [](const Probe& a, const Probe& b) {
      return a.region != b.region ? a.region < b.region : a.index < b.index;
    });
    std::ranges::sort(guards_, [](const GuardProbe& a, const GuardProbe& b) {
      return a.clause != b.clause ? a.clause < b.clause : a.alternative < b.alternative;
    });
  }

  // In ascending order of their indices.
  std::span<const Probe> in(core::RegionId region) const {
    const auto found = std::ranges::equal_range(probes_, region, {}, &Probe::region);
    return {found.begin(), found.end()};
  }
  GuardProbe of_guard(core::NodeId clause, uint32_t alternative) const {
    for (const GuardProbe& g : std::ranges::equal_range(guards_, clause, {}, &GuardProbe::clause)) {
      if (g.alternative == alternative) return g;
    }
    return {};
  }

 private:
  std::vector<Probe> probes_;
  std::vector<GuardProbe> guards_;
};

class ProbeSource {
 public:
  virtual ~ProbeSource() = default;
  // Null: nothing is counted there. It must stay as it is as long as the machine lives.
  virtual const Probes* find(const core::Module& module) = 0;
};

}  // namespace fathom::machine
