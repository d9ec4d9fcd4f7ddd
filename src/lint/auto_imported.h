// The functions of the module erlang that need no module name, and the operators
// that guards may hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/atom.h"

namespace fathom::lint {

// What a given release of OTP makes of name/arity without a module.
struct AutoImported {
  bool is_imported = false;
  bool is_guard = false;      // may be called in a guard
  bool is_type_test = false;  // is_atom/1, …
  bool is_old = false;        // clashes with a function of the module are errors
};

AutoImported auto_imported(Atom name, size_t arity, uint32_t otp_release);
// The names of those with that many arguments.
std::vector<Atom> auto_imported_names(size_t arity, uint32_t otp_release);

// The type tests of old, atom(X) for is_atom(X): at the top of a guard only.
bool is_old_type_test(Atom name, size_t arity);

// Arithmetic, comparison and boolean operators; `andalso` and `orelse` are not
// functions, and neither are they here.
bool is_guard_operator(Atom op, size_t arity);
bool is_arithmetic_operator(Atom op, size_t arity);

}  // namespace fathom::lint
