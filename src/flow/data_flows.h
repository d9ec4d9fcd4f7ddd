// The flow of data in the sense of S. Fischer and H. Kuchen, "Data-Flow Testing of Declarative
// Programs" (ICFP 2008): from each node that builds a value (a constructor, a constant, a fun) to
// each node that matches it or applies it.
//
// A value flows to a node of a pattern if the node may see it and the value is what the node asks
// for: the clauses of a case are gone through in order, and the parts of a pattern as the machine
// tries them. What an earlier clause takes for certain does not come to a later one; a part of a
// structure is looked at only if the parts before it matched. So the result holds whatever a run
// in the labelled mode can see, and little else.
//
// The analysis must know origins (AnalysisOptions). Cost: for each case of the author's code, its
// clauses times the values that its subjects may have.
#pragma once

#include <functional>
#include <unordered_set>
#include <vector>

#include "flow/analysis.h"

namespace fathom::flow {

// From a node that builds a value to one that matches or applies it.
struct BuiltUse {
  core::GlobalNodeId built{};
  core::GlobalNodeId used{};
  auto operator<=>(const BuiltUse&) const = default;
};

// Whether it builds a value: a constructor, a constant, a fun.
bool builds_value(core::Kind kind);

struct BuiltUses {
  std::vector<BuiltUse> all;  // sorted, each once
  // Nodes that may see something unknown, and nodes whose values have escaped: what was built at
  // one of these may also come to one of those, by ways that the analysis could not follow.
  std::unordered_set<core::GlobalNodeId> open_uses;
  std::unordered_set<core::GlobalNodeId> escaped;
};

// Between nodes of modules for which `is_wanted` holds.
BuiltUses built_uses(const Analysis& analysis,
                     const std::function<bool(const core::Module&)>& is_wanted);

}  // namespace fathom::flow
