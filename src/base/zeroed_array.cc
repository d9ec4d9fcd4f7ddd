#include "base/zeroed_array.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace fathom::detail {
namespace {

constexpr size_t kLargePage = size_t{2} << 20;
constexpr size_t kLeastMapped = 2 * kLargePage;

bool is_mapped(size_t bytes) { return bytes >= kLeastMapped; }

void* new_block(size_t bytes) {
  if (!is_mapped(bytes)) return std::calloc(bytes, 1);
  void* const made = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return made == MAP_FAILED ? nullptr : made;
}

void* moved_mapping(void* block, size_t from, size_t to) {
  void* const made = mremap(block, from, to, MREMAP_MAYMOVE);
  return made == MAP_FAILED ? nullptr : made;
}

}  // namespace

size_t block_bytes(size_t least) {
  return is_mapped(least) ? (least + kLargePage - 1) / kLargePage * kLargePage : least;
}

void free_block(void* block, size_t bytes) {
  if (is_mapped(bytes)) {
    munmap(block, bytes);
  } else {
    std::free(block);
  }
}

void* grow_block(void* block, size_t from, size_t to) {
  void* const made = is_mapped(from) ? moved_mapping(block, from, to) : new_block(to);
  if (!made) throw std::bad_alloc();
  if (is_mapped(to)) madvise(made, to, MADV_HUGEPAGE);
  if (is_mapped(from)) return made;
  if (from > 0) std::memcpy(made, block, from);
  std::free(block);
  return made;
}

}  // namespace fathom::detail
