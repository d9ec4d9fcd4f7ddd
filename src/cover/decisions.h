// Decisions and their conditions: where to look at the value of each condition, and what the values
// say together.
//
// A decision is the guard of a clause, or a filter of a comprehension, or, elsewhere, the largest
// expression of andalso, orelse, and, or, xor and not. A condition is a part of it that is none of
// these operators, and neither `true` nor `false` as such. A guard with several alternatives is one
// decision: `;` is like orelse, and
// `,` like andalso.
//
// A vector says of one evaluation which conditions were true, false, or not evaluated (probes.h).
// A condition is shown to decide by itself (MC/DC) by two vectors with different outcomes in which
// it differs, and no other condition that was evaluated in both does.
//
// Not observed: a decision that begins with a constant; one whose last operand is a call in tail
// position, which must stay one; of a
// decision of more than kMostConditions conditions only the conditions, and likewise of a function
// of more than kMostDecisions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/core.h"

namespace fathom::cover {

inline constexpr size_t kMostConditions = 8;
inline constexpr uint32_t kMostDecisions = 16;

struct Condition {
  core::AstId origin = kNoNode;
  core::RegionId region{};  // where its value is known: before this node
  uint32_t index = 0;
  core::VarId value = core::kNoVar;
};

struct Decision {
  core::AstId origin = kNoNode;
  core::NodeId clause{};  // of a guard
  bool is_guard = false;
  std::vector<Condition> conditions = {};  // from left to right
  std::string formula = {};                // postfix: a condition is a letter, a constant 1 or 0
  size_t first = 0;                        // the condition that is evaluated first
  struct Exit {
    core::RegionId region{};
    uint32_t index = 0;
  };
  std::vector<Exit> exits = {};  // where its outcome is known; none of a guard
};

// Those of a function.
std::vector<Decision> find_decisions(const core::Module& module, const core::Function& function);

// `true` or `false` as the source has it.
std::optional<bool> boolean_constant(const Ast& ast, core::AstId expression);

// Its operators have operands, and its conditions are the first so many letters.
bool is_well_formed(std::string_view formula, size_t conditions);

// The number of vectors of so many conditions: 3 to that power.
uint32_t vector_count(size_t conditions);

// The outcome of a vector; none: not all that decides was true or false.
std::optional<bool> outcome(const std::string& formula, uint32_t vector);

// Of each condition: whether the vectors show that it decides by itself.
std::vector<bool> shown_by(const std::string& formula, size_t conditions,
                           const std::vector<uint32_t>& vectors);

}  // namespace fathom::cover
