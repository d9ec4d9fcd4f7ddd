// The errors that OTP's linter (erl_lint) makes errors: what the grammar accepts
// and no program may hold. Lowering to Core expects a unit without any. What
// erl_lint only warns of is not reported.
#pragma once

#include <cstdint>

#include "base/diagnostic.h"
#include "syntax/unit.h"

namespace fathom::lint {

struct Options {
  // OTP's major release. The releases differ in what they refuse: a pattern
  // <<A>> = <<B>>, say, is an error up to OTP 25.
  uint32_t otp_release = 28;
};

// Reports every error of the module; true if there is none, and none from reading
// it. For units that were read from source: debug info has been linted already.
bool check(const Unit& unit, Diagnostics& diagnostics, const Options& options = {});

}  // namespace fathom::lint
