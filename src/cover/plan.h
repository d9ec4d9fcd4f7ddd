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

#include "code/probes.h"
#include "core/core.h"
#include "cover/coverage.h"

namespace fathom::cover {

struct PlannedItem {
  Item item;
  std::vector<uint32_t> counters;
};

struct PlannedProbe {
  core::RegionId region{};
  uint32_t index = 0;
  uint32_t counter = 0;
};

inline constexpr uint32_t kNoCounter = UINT32_MAX;
struct PlannedGuard {
  core::NodeId clause{};
  uint32_t alternative = 0;
  uint32_t when_true = kNoCounter;
  uint32_t when_false = kNoCounter;
};

struct Plan {
  std::vector<PlannedItem> items;  // by kind and place
  std::vector<PlannedProbe> probes;
  std::vector<PlannedGuard> guards;
  uint32_t counters = 0;
};

Plan make_plan(const core::Module& module, CriteriaSet criteria);

// Of the text of the module's own file; of the tree, where there is no text.
uint64_t source_hash(const Unit& unit);
uint64_t text_hash(std::string_view text);

}  // namespace fathom::cover
