// A module in the machine.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "code/code.h"
#include "core/core.h"
#include "values/value.h"

namespace fathom::machine {

struct LoadedModule {
  Atom name;
  std::shared_ptr<const Unit> unit;
  std::shared_ptr<const core::Module> core;
  std::deque<Function> functions;           // by core::FunctionId
  std::vector<Value> literals;              // by core::LiteralId; none() until one is needed
  std::deque<std::vector<uint64_t>> masks;  // those that do not fit a word
};

}  // namespace fathom::machine
