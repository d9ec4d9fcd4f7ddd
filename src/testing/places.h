// From what Erlang's terms say of places (a module, a file, a line) to the text; where a
// -file attribute has changed the lines, only to the line (syntax/line_place.h).
#pragma once

#include <string_view>

#include "machine/machine.h"
#include "testing/results.h"

namespace fathom::testing {

class Places {
 public:
  explicit Places(machine::Machine& m) : machine_(m) {}

  // A line of the module's file, or of a header that it includes.
  Place line(Atom module, std::string_view file, uint32_t line) const;
  Place line(Atom module, uint32_t line) const;
  // The use of an assert macro on that line, of which the function is the fun.
  Place assertion(Atom module, uint32_t line, Atom function, uint32_t arity) const;
  // The name of the function where it is defined.
  Place function(Atom module, Atom name, uint32_t arity) const;
  // Whether the module was read from a text, which OTP's own modules are not.
  bool has_text(Atom module) const;
  machine::Machine& machine() const { return machine_; }

 private:
  const machine::LoadedModule* loaded(Atom module) const {
    return machine_.code().find_module(module);
  }

  machine::Machine& machine_;
};

}  // namespace fathom::testing
