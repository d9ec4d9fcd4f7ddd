// Parse transforms, run on the machine.
//
// As in OTP's compiler: the transforms that the options name, then those of the
// module's -compile attributes, each get the forms that the one before it returned,
// in the abstract format and with the options of the compilation; what comes back
// replaces the forms of the unit (syntax/replace_forms.h). A transform whose
// parse_transform_info/0 asks for it sees lines without columns.
//
// As in rebar3, transforms that the options name do not apply to themselves, nor to
// what is loaded in order to run them: a project may have its own.
//
// Transforms run on a machine of their own, that is kept from one module to the next:
// code is loaded once. Only a run that was broken off spoils it. Loading the code of a
// transform may need another transform, while the machine runs: one machine for each
// level of that, up to kMaxLevels.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "machine/machine.h"
#include "syntax/project.h"
#include "syntax/unit.h"

namespace fathom::session {

class ParseTransforms {
 public:
  // `code` has the modules of transforms, and must outlive it.
  explicit ParseTransforms(machine::ModuleSource& code) : code_(code) {}

  // Of a unit that was read from source without errors. False if there are errors now.
  bool apply(Unit& unit, Literals& literals, const CompileOptions& options,
             Diagnostics& diagnostics);

  // Whether what is read now is code of a transform.
  bool is_running() const { return level_ > 0; }

  // What transforms wrote since the last call.
  std::string take_output() { return std::exchange(output_, {}); }

 private:
  static constexpr size_t kMaxLevels = 8;
  class Run;

  machine::ModuleSource& code_;
  std::vector<std::unique_ptr<machine::Machine>> machines_;  // by level; null: to be made
  std::vector<std::unique_ptr<machine::Machine>> spoiled_;   // outcomes still refer to them
  size_t level_ = 0;
  std::string output_;
};

}  // namespace fathom::session
