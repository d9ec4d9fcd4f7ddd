// What there is to be covered in a module, and where to count: from Core to items and probes.
//
// A counter counts how often control comes to one point of a region (code/probes.h). Points with
// nothing between them that could keep control from coming to the second share a counter: so a body
// of statements that cannot raise has one. An item names its counters: it is covered if one of
// them is not 0. A function is covered if one of its clauses is, a line if one of its
// statements is.
//
// Only what the module's own file holds counts: what comes from a header, or stands behind a -file
// attribute that names another file, does not. O(number of nodes and statements).
#pragma once

#include <optional>

#include "code/probes.h"
#include "core/core.h"
#include "cover/coverage.h"
#include "cover/decisions.h"

namespace fathom::cover {

inline constexpr uint32_t kNoCounter = UINT32_MAX;

// Of an item that stands for a condition of a decision.
struct OfDecision {
  uint32_t decision = 0;
  uint32_t condition = 0;
};

struct PlannedItem {
  Item item;
  std::vector<uint32_t> counters;
  std::optional<OfDecision> of = {};  // it is covered if the decision's vectors show it
  std::optional<uint32_t> flow = {};  // or if that flow was seen (recorder.h)
};

// As machine::Probe has it; counters by number.
struct PlannedProbe {
  core::RegionId region{};
  uint32_t index = 0;
  uint32_t counter = kNoCounter;
  machine::Probe::Kind kind = machine::Probe::Kind::Count;
  core::VarId condition = core::kNoVar;
  machine::DecisionSlot decision = machine::kNoDecision;
  bool is_first = false;
  uint16_t digit = 0;
};

struct PlannedGuard {
  core::NodeId clause{};
  uint32_t alternative = 0;
  uint32_t when_true = kNoCounter;
  uint32_t when_false = kNoCounter;
  uint32_t vectors = kNoCounter;
};

// A decision whose vectors are counted, from `counter` on.
struct PlannedDecision {
  std::string formula;
  uint32_t conditions = 0;
  uint32_t counter = 0;
};

struct Plan {
  std::vector<PlannedItem> items;  // by kind and place
  std::vector<PlannedProbe> probes;
  std::vector<PlannedGuard> guards;
  std::vector<PlannedDecision> decisions;
  uint32_t slots = 0;  // for vectors, in each function
  uint32_t counters = 0;
};

Plan make_plan(const core::Module& module, CriteriaSet criteria);

// Of the text of the module's own file; of the tree, where there is no text.
uint64_t source_hash(const Unit& unit);
uint64_t text_hash(std::string_view text);

}  // namespace fathom::cover
