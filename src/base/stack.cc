#include "base/stack.h"

#include <sys/resource.h>

#include <algorithm>

namespace fathom {

void raise_stack_limit() {
  constexpr rlim_t kStack = 64 << 20;
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  if (limit.rlim_cur >= kStack) return;
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? kStack : std::min(kStack, limit.rlim_max);
  setrlimit(RLIMIT_STACK, &limit);
}

}  // namespace fathom
