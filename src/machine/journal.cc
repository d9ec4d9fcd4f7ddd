#include "machine/journal.h"

#include <cassert>

namespace fathom::machine {

void Journal::rewind(Mark mark) {
  assert(mark.position <= size_ && mark.depth <= marks_);
  const uint64_t* const log = log_.data();
  size_t size = size_;
  while (size > mark.position) {
    const size_t count = log[size - 1];
    const auto undo = reinterpret_cast<Undo>(log[size - kTail]);
    size -= count + kTail;
    undo({log + size, count});
  }
  size_ = size;
  marks_ = mark.depth;
}

void Journal::release() {
  assert(marks_ > 0);
  if (--marks_ == 0) size_ = 0;
}

}  // namespace fathom::machine
