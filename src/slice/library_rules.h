// What well-known functions of libraries do with their arguments, so that a call of one needs no
// more than it must: `lists:map(F, L)` gives each element of L to F, and each result of F is an
// element of its own.
//
// A rule is a list of ways that values go. It says all that matters: functions with rules look at
// nothing else, keep no state, catch nothing, and call nothing but the fun that they are given.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "slice/need.h"

namespace fathom::slice {

// A value, or a part of it.
struct RulePath {
  enum class Spot : uint8_t {
    Argument,
    Parameter,  // of the fun
    Returned,   // by the fun
    Result,
    Looked,  // only `to`: the function itself looks at all of it
    Shape,   // only `to`: at its outermost constructor
  };
  static constexpr int8_t kEach = -1;  // each element of the list

  Spot spot{};
  uint8_t index = 0;
  uint8_t count = 0;              // of steps
  std::array<int8_t, 2> steps{};  // elements of pairs, from 0 on; kEach
};

struct RuleWay {
  RulePath from;
  RulePath to;
};

// Null: there is none.
const std::span<const RuleWay>* rule_of(std::string_view module, std::string_view name,
                                        size_t arity);

// Of the part, if so much is needed of the whole; and of the whole, if so much is of the part.
NeedId need_below(Needs& needs, const RulePath& path, NeedId whole);
NeedId need_above(Needs& needs, const RulePath& path, NeedId part);

}  // namespace fathom::slice
