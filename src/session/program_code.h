// The modules of a library, as the flow analysis asks for them.
//
// Functions of modules that are read in parts (core/parts.h) are read when they are asked for.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "flow/code.h"
#include "session/library.h"

namespace fathom::session {

class ProgramCode : public flow::Code {
 public:
  // `own`: the author's modules. The library must outlive it.
  ProgramCode(Library& library, std::vector<Atom> own);

  // A module that is not in the library: an expression.
  void add(Atom name, ModuleSource::Found found) { modules_[name] = std::move(found); }

  std::optional<flow::FunctionCode> find(const flow::FunctionName& name) override;
  bool has_module(Atom module) override;
  bool is_exported(const flow::FunctionName& name) override;
  std::vector<uint32_t> arities(Atom module, Atom name) override;
  std::vector<flow::FunctionCode> functions(Atom module) override;
  bool is_own(Atom module) override;
  std::vector<Atom> own_modules() override { return own_; }

 private:
  const ModuleSource::Found* module(Atom name);

  Library& library_;
  std::vector<Atom> own_;
  std::unordered_set<Atom> is_own_;
  std::unordered_map<Atom, std::optional<ModuleSource::Found>> modules_;
  std::vector<core::ProgramModule> parts_;  // kept: the analysis refers to them
};

}  // namespace fathom::session
