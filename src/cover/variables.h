// Definitions and uses of the variables of the source in a function, and which definition reaches
// which use: of these pairs def-use coverage consists (S. Rapps and E. Weyuker, 1985).
//
// A variable of Core is defined at most once on each path. So a pair is covered if control has
// come to the use, and, where a variable has several definitions (each clause of a case has one),
// if the last of them that control came to was this one.
//
// The subject of a case is used by the case; a variable in a pattern or guard by that part of it. A
// variable that a fun captures is used where the fun is made, and defined where its body begins.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/core.h"

namespace fathom::cover {

// Before the node with that index of the region.
struct Point {
  core::RegionId region{};
  uint32_t index = 0;
  bool is_test = false;  // in a pattern or guard, where nodes may fail
};

struct VariablePlace {
  core::VarId variable{};
  core::AstId origin = kNoNode;
  Point point;  // of a definition: behind it
};

struct VariablePair {
  uint32_t definition = 0;  // of Variables
  uint32_t use = 0;
};

struct Variables {
  std::vector<VariablePlace> definitions;
  std::vector<VariablePlace> uses;
  std::vector<VariablePair> pairs;  // by use
};

// Of bodies whose last expression is a variable, which has no node: that expression.
using ValueOrigins = std::unordered_map<core::RegionId, core::AstId>;
ValueOrigins value_origins(const core::Module& module);

Variables find_variables(const core::Module& module, const core::Function& function,
                         const ValueOrigins& values);

}  // namespace fathom::cover
