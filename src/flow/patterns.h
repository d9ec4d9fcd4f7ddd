// The patterns of a case, by subject: what each clause asks of a value before it takes it.
//
// Core has patterns as sequences of nodes, each of which looks at one variable. Here the nodes
// that look at the same variable are together: a Pattern says which values of its variable may
// pass, and which variables their parts become. So a value can be judged as a whole: {ok, X} asks
// for tuples of two whose first element may be ok, and takes the second of those only.
//
// Tests of types in guards (is_pid(P)) are part of the pattern of their variable. All other
// conditions of guards may hold or not.
#pragma once

#include <optional>
#include <vector>

#include "core/core.h"
#include "flow/object.h"

namespace fathom::flow {

struct Pattern {
  core::VarId subject{};
  bool is_root = false;  // defined outside of the clause
  KindSet kinds = kAllKinds;
  std::vector<core::LiteralId> literals = {};
  std::vector<core::VarId> equals = {};    // variables that it must equal
  std::vector<core::VarId> elements = {};  // of a tuple; kNoVar where nobody asks
  std::optional<uint32_t> arity = {};      // it is a tuple of so many
  core::VarId head = core::kNoVar;         // it is a cell, if is_cons
  core::VarId tail = core::kNoVar;
  bool is_cons = false;
  struct Key {
    core::VarId key;
    core::VarId value;  // may be none
  };
  std::vector<Key> keys = {};
  bool has_segments = false;            // it is taken apart as a bitstring
  std::vector<core::VarId> names = {};  // bound to it

  bool has_tests() const {
    return kinds != kAllKinds || !literals.empty() || !equals.empty() || arity || is_cons ||
           !keys.empty() || has_segments;
  }
};

struct ClausePatterns {
  core::NodeId clause{};
  core::RegionId body{};
  std::vector<Pattern> patterns;     // roots and parts, a part after what it is part of
  std::vector<core::NodeId> others;  // nodes among the patterns that are none: keys and sizes
  bool may_refuse = false;           // by a guard, whatever the patterns say

  const Pattern* find(core::VarId subject) const;
  // Whether one of the patterns gives the variable its value.
  bool binds(core::VarId variable) const;
};

struct CasePatterns {
  std::vector<ClausePatterns> clauses;
  std::vector<core::VarId> roots;  // that some clause tests, or binds
};

// The kinds of which a test of types (is_atom) is true, if it is true of all their values.
std::optional<KindSet> kinds_of_type_test(Atom name);

CasePatterns patterns_of(const core::Module& module, std::span<const core::NodeId> clauses);

}  // namespace fathom::flow
