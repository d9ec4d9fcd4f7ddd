// Why places of a program are in a slice, in words.
//
// Each fact of a slice has a first cause, which was there before it; so the causes are a tree,
// whose root is the criterion. Steps are the places of that tree: variables are left out, but for
// parameters, since the expressions that define and use them say enough.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "slice/slicer.h"

namespace fathom::slice {

inline constexpr uint32_t kNoReason = UINT32_MAX;

struct ReasonStep {
  const core::Module* module = nullptr;
  core::AstId origin = kNoNode;  // where it is
  std::string name;              // "the result of f/1", "parameter X of f/1"; empty: by its text
  std::string_view relation;     // to the next step: "is used in"
  uint32_t next = kNoReason;     // none: it is the criterion
};

// Plain data: the slicer may go.
struct Reasons {
  struct Edge {
    uint32_t from = 0;
    uint32_t to = 0;  // what needs it
    Reason reason{};
    auto operator<=>(const Edge&) const = default;
  };
  std::vector<ReasonStep> steps;
  std::vector<Edge> edges;  // all dependences that the slicer has noted, between steps
  std::map<std::pair<const core::Module*, core::AstId>, uint32_t> by_place;

  // The step of the node of the AST; none: nothing of it is in the slice.
  uint32_t find(const core::Module& module, core::AstId node) const {
    const auto found = by_place.find({&module, node});
    return found == by_place.end() ? kNoReason : found->second;
  }
};

Reasons reasons_of(const Slicer& slicer);

}  // namespace fathom::slice
