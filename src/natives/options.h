// Errors that OTP explains further.
#pragma once

#include <span>
#include <string_view>

#include "machine/native.h"

namespace fathom::machine {

// OTP's largest small integer; machine words here have room for larger ones (Value::kMaxSmall).
inline constexpr int64_t kMostSmallInOtp = (int64_t{1} << 59) - 1;

// badarg because of an option that module:name does not know: its frame says so,
// {error_info, #{cause => badopt, …}}. An empty cause: none is told.
Value bad_option(Context& c, std::string_view name, std::span<const Value> arguments,
                 std::string_view cause = "badopt", std::string_view module = "erlang");

}  // namespace fathom::machine
