// What lower_fun.cc and lower_generator.cc share.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "core/lowering.h"

namespace fathom::core {

// Names that get a new meaning for a while: those in the head of a fun's clause, or in the
// pattern of a generator. The head is what is lowered first (Lowering::head_).
class Lowering::Shadow {
 public:
  Shadow(Lowering& lowering, std::span<const Atom> names)
      : lowering_(lowering), scope_(*lowering.scope_) {
    for (const Atom name : names) {
      if (!lowering.is_bound(name)) continue;
      hidden_.emplace_back(name, scope_.variables[name]);
      scope_.variables[name] = {};
    }
    lowering.head_ = this;
  }
  // The clause's own names are forgotten by now.
  ~Shadow() {
    lowering_.head_ = nullptr;
    for (const auto& [name, variable] : hidden_) scope_.variables[name] = variable;
  }
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

  // Changes places with the names as they are around the head, except for some.
  void swap_outside(std::span<const Atom> except) {
    for (auto& [name, variable] : hidden_) {
      if (std::find(except.begin(), except.end(), name) != except.end()) continue;
      std::swap(variable, scope_.variables[name]);
    }
  }

 private:
  Lowering& lowering_;
  Scope& scope_;
  std::vector<std::pair<Atom, Variable>> hidden_;
};

// What a step goes on with when it has done its part.
struct Lowering::Rest {
  const Loop* loop = nullptr;  // the generator around; none: the end of the list
  std::vector<Atom> position;  // the rest of its source, by name
  Atom accumulator;            // of a binary comprehension, by name
};

struct Lowering::Comprehension {
  AstId id;
  AstId body;
  std::span<const AstId> qualifiers;
  bool accumulates;  // a binary one
};

}  // namespace fathom::core
