// Code as the machine has it: functions, and the exports by which other modules
// reach them. Both stay where they are once made, so that instructions and funs
// may point to them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/atom.h"
#include "machine/value.h"

namespace fathom::machine {

struct Instruction;
struct LoadedModule;
class Context;

using Native = Value (*)(Context&, const Value* arguments);

struct Function {
  Atom module;
  Atom name;
  uint32_t arity = 0;     // captured values, which come last, included
  uint32_t captures = 0;  // 0 but for a fun's code
  uint32_t index = 0;     // within the module
  LoadedModule* owner = nullptr;
  const Instruction* entry = nullptr;
};

// One for each module:function/arity that anything mentions.
struct Export {
  Atom module;
  Atom name;
  uint32_t arity = 0;
  Native native = nullptr;             // written in C++, or
  const Function* function = nullptr;  // in Erlang; neither: not loaded, or undefined
};

}  // namespace fathom::machine
