#include "machine/journal.h"

#include <cassert>

namespace fathom::machine {

void Journal::rewind(Mark mark) {
  assert(mark.position <= log_.size() && mark.depth <= marks_);
  while (log_.size() > mark.position) {
    const size_t count = log_.back();
    const auto undo = reinterpret_cast<Undo>(log_[log_.size() - 2]);
    const size_t begin = log_.size() - 2 - count;
    undo({log_.data() + begin, count});
    log_.resize(begin);
  }
  marks_ = mark.depth;
}

void Journal::release() {
  assert(marks_ > 0);
  if (--marks_ == 0) log_.clear();
}

}  // namespace fathom::machine
