// What lower_fun.cc and lower_generator.cc share.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "core/lowering.h"

namespace fathom::core {

// Names that get a new meaning for a while.
class Lowering::Shadow {
 public:
  Shadow(Lowering& lowering, std::span<const Atom> names) : scope_(*lowering.scope_) {
    for (const Atom name : names) {
      if (!lowering.is_bound(name)) continue;
      hidden_.emplace_back(name, scope_.variables[name]);
      scope_.variables[name] = {};
    }
  }
  // The clause's own names are forgotten by now.
  ~Shadow() {
    for (const auto& [name, variable] : hidden_) scope_.variables[name] = variable;
  }
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

 private:
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
