// Probes: places of a function's code at which its run is counted, for whoever measures what a run
// exercises. The compiler asks for those of a module and puts an instruction at each; a machine
// without a source of probes has none.
//
// A probe stands before a node of a region (core.h), or at the region's end, and counts how often
// control came there; or, of a condition, how often its value was true and false. That the guard of
// a clause is true or false has counters of its own, since no region begins there. Counters only
// grow: going back in an execution does not undo them.
//
// A decision is what several conditions decide together (the guard of a clause, `A andalso B`). Its
// vector says which of them were true, false, not evaluated: a number whose digits to base 3 are 1,
// 2, 0. It is kept in a register while the conditions are evaluated, and counted at the end. The
// value of a condition must be in a variable where the probe stands.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/core.h"

namespace fathom::machine {

// A decision of a function: which register of those that are set apart holds its vector.
using DecisionSlot = uint32_t;
inline constexpr DecisionSlot kNoDecision = UINT32_MAX;

struct Probe {
  // Note: the register of the decision holds the digit from now on.
  enum class Kind : uint8_t { Count, Condition, Decided, Note };
  core::RegionId region{};
  uint32_t index = 0;           // before this node of the region
  uint64_t* counter = nullptr;  // of a condition: when true, and behind it when false; or none
  Kind kind = Kind::Count;
  core::VarId condition = core::kNoVar;
  DecisionSlot decision = kNoDecision;
  bool is_first = false;  // of its decision: the vector begins here
  uint16_t digit = 0;     // what the condition's digit is worth
};

// Of one of the alternatives of a clause's guard; either counter may be missing.
struct GuardProbe {
  core::NodeId clause{};
  uint32_t alternative = 0;
  uint64_t* when_true = nullptr;
  uint64_t* when_false = nullptr;
  // Of the last alternative: where the vectors of the whole guard are counted.
  uint64_t* vectors = nullptr;
};
// Guards have no calls, so that one register is enough for all of a function.
inline constexpr DecisionSlot kGuardDecision = 0;

// Those of a module.
class Probes {
 public:
  Probes() = default;
  // `slots`: how many registers a function needs for vectors.
  Probes(std::vector<Probe> probes, std::vector<GuardProbe> guards, uint32_t slots = 0)
      : probes_(std::move(probes)), guards_(std::move(guards)), slots_(slots) {
    std::ranges::stable_sort(probes_, [](const Probe& a, const Probe& b) {
      return a.region != b.region ? a.region < b.region : a.index < b.index;
    });
    std::ranges::sort(guards_, [](const GuardProbe& a, const GuardProbe& b) {
      return a.clause != b.clause ? a.clause < b.clause : a.alternative < b.alternative;
    });
  }

  uint32_t decision_slots() const { return slots_; }

  // In ascending order of their indices; those of the same index in the order in which they were
  // given.
  std::span<const Probe> in(core::RegionId region) const {
    const auto first = std::ranges::lower_bound(probes_, region, {}, &Probe::region);
    const auto last = std::ranges::upper_bound(probes_, region, {}, &Probe::region);
    return {first, last};
  }
  GuardProbe of_guard(core::NodeId clause, uint32_t alternative) const {
    auto g = std::ranges::lower_bound(guards_, clause, {}, &GuardProbe::clause);
    for (; g != guards_.end() && g->clause == clause; ++g) {
      if (g->alternative == alternative) return *g;
    }
    return {};
  }

 private:
  std::vector<Probe> probes_;
  std::vector<GuardProbe> guards_;
  uint32_t slots_ = 0;
};

class ProbeSource {
 public:
  virtual ~ProbeSource() = default;
  // Null: nothing is counted there. It must stay as it is as long as the machine lives.
  virtual const Probes* find(const core::Module& module) = 0;
};

}  // namespace fathom::machine
