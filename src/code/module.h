// A module in the machine.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "code/code.h"
#include "core/parts.h"
#include "values/value.h"

namespace fathom::machine {

// A module, or a part of one (core/parts.h).
struct LoadedModule {
  Atom name;
  std::shared_ptr<const Unit> unit;
  std::shared_ptr<const core::Module> core;
  std::shared_ptr<core::Parts> parts;       // where its functions are; null: in `core`
  std::deque<Function> own_functions;       // those that came with it
  std::vector<Function*> functions;         // by core::FunctionId
  std::vector<Value> literals;              // by core::LiteralId; none() until one is needed
  std::deque<std::vector<uint64_t>> masks;  // those that do not fit a word
};

}  // namespace fathom::machine
