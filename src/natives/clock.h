// The virtual clock as programs see it.
#pragma once

#include "values/heap.h"

namespace fathom::machine {

// What the system's clock says when the machine begins: 2025-01-01 00:00:00 UTC, in
// nanoseconds.
inline constexpr int64_t kSystemStart = 1'735'689'600 * int64_t{1'000'000'000};

// A time on the virtual clock as erlang:timestamp/0 gives it.
Value timestamp(Heap& heap, int64_t clock);

}  // namespace fathom::machine
