// Which variables of a Core function are needed where.
//
// Nodes get positions in the order in which their code is laid out. A variable is
// in use from its first definition to its last use in that order; as there are no
// loops, no two variables whose ranges are apart are ever needed at once, and
// they may share a register. A node defines one position after where it reads, so
// what it defines may take the place of what it reads for the last time: its code
// reads all before it writes anything. A receive comes back to its clauses: what they
// read from before is in use until the last of them.
//
// A variable with one definition, which binds it to another variable, is that one
// under a second name (`same_as`); a variable with one definition, which is a
// literal, is that literal. Both count as uses of what they stand for. So is a
// variable that is made only to be the value of a case's body the result of the case:
// it is made in the place where that belongs.
//
// For the collector that is not exact enough: a variable may be in its range and
// not have been defined on the path taken. So for each call the set of variables
// that it must keep is computed backwards.
//
// O(nodes, and what calls must keep).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "code/var_set.h"
#include "core/core.h"

namespace fathom::machine {

struct Liveness {
  struct Range {
    uint32_t first = UINT32_MAX;  // definition
    uint32_t last = 0;            // use
    uint32_t uses = 0;
  };
  std::vector<core::NodeId> nodes;   // all, in order
  std::vector<Range> ranges;         // by variable
  std::vector<core::VarId> same_as;  // by variable; itself if it is not a second name
  std::vector<std::optional<core::LiteralId>> constants;  // by variable
  std::vector<bool> is_body_value;  // by variable: same_as is the result that it is made for
  std::unordered_set<core::NodeId> tail_calls;
  std::unordered_map<core::NodeId, VarSet> kept;  // by the calls that are not tail calls
};

// The calls whose value the function returns.
std::vector<core::NodeId> final_calls(const core::Module& module, const core::Function& function);
// `keeps_frame`: which of the final calls are not tail calls all the same; none of them without it.
Liveness find_liveness(const core::Module& module, const core::Function& function,
                       const std::function<bool(core::NodeId)>& keeps_frame = {});

// A region with whose end the function returns: its nodes without those that only return
// or give the value another name, and what that value is then. A call that is the last
// of them is a tail call.
struct ReturningRegion {
  std::span<const core::NodeId> nodes;
  core::VarId value;
};
ReturningRegion returning_region(const core::Module& module, core::RegionId id);

// Whether control may leave the function by this node (and come back to it).
bool is_call(core::Kind kind);

}  // namespace fathom::machine
