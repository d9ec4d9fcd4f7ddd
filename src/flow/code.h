// Where the analysis gets code from.
#pragma once

#include <optional>
#include <vector>

#include "core/program.h"

namespace fathom::flow {

struct FunctionName {
  Atom module;
  Atom name;
  uint32_t arity = 0;
  bool operator==(const FunctionName&) const = default;
};

// A function with its body, wherever in its module that is.
struct FunctionCode {
  const core::Module* module = nullptr;
  core::FunctionId function{};
};
inline core::NodeId entry_of(const FunctionCode& code) {
  return code.module->nodes((*code.module)[code.function].body)[0];
}
inline core::GlobalNodeId global_entry_of(const FunctionCode& code) {
  return code.module->global(entry_of(code));
}

class Code {
 public:
  virtual ~Code() = default;
  // A function, exported or not. None: there is no such module, or it has no such function, or it
  // cannot be read.
  virtual std::optional<FunctionCode> find(const FunctionName& name) = 0;
  // Whether there is such a module at all.
  virtual bool has_module(Atom module) = 0;
  virtual bool is_exported(const FunctionName& name) = 0;
  // The arities of the exported functions of that name, ascending.
  virtual std::vector<uint32_t> arities(Atom module, Atom name) = 0;
  // All functions of a module that is read as a whole, as those of the author are.
  virtual std::vector<FunctionCode> functions(Atom module) = 0;
  // Whether the module is the author's, not a library's.
  virtual bool is_own(Atom module) = 0;
  // All of the author's.
  virtual std::vector<Atom> own_modules() = 0;
};

}  // namespace fathom::flow
