// The C library can do this by itself, but only if an environment variable says so
// before the program starts. So its heap is made to take the address space of all that
// it will need for a large project at once, which costs nothing until it is used, and
// the system is told that this range may have large pages. What does not fit comes in
// small pages, as ever.
#include "base/large_pages.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace fathom {

void use_large_pages() {
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
  constexpr int kHeap = 128 << 20;
  constexpr int kLargeBlock = 16 << 20;  // larger ones do not come from the heap
  constexpr int kUsualPad = 128 << 10;
  const auto before = reinterpret_cast<uintptr_t>(sbrk(0));
  mallopt(M_MMAP_THRESHOLD, kLargeBlock);
  mallopt(M_TRIM_THRESHOLD, 2 * kHeap);  // what was freed is used again
  mallopt(M_TOP_PAD, kHeap);
  // More than the heap has now: it grows. Volatile, or the compiler leaves both out.
  void* volatile block = std::malloc(2 * kUsualPad);
  std::free(block);
  mallopt(M_TOP_PAD, kUsualPad);
  const auto after = reinterpret_cast<uintptr_t>(sbrk(0));
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t first = (before + page - 1) / page * page;
  if (after > first) madvise(reinterpret_cast<void*>(first), after - first, MADV_HUGEPAGE);
#endif
}

}  // namespace fathom
