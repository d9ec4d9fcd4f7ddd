// The messages of a process, oldest first.
//
// A receive that passes over k messages and takes the next one has looked at k + 1
// of them; taking it out moves those k by one place, so it costs no more than the
// looking did.
#pragma once

#include <span>
#include <vector>

#include "machine/journal.h"
#include "machine/value.h"

namespace fathom::machine {

class Mailbox {
 public:
  size_t size() const { return messages_.size() - head_; }
  Value operator[](size_t i) const { return messages_[head_ + i]; }
  std::span<Value> messages() { return std::span(messages_).subspan(head_); }
  std::span<const Value> messages() const { return std::span(messages_).subspan(head_); }

  size_t bytes() const { return messages_.capacity() * sizeof(Value); }

  void append(Journal& journal, Value message);
  void remove(Journal& journal, size_t i);
  // Gives the memory back; for a process that has ended.
  void clear();

 private:
  void drop_gap();

  std::vector<Value> messages_;
  size_t head_ = 0;  // messages_ before here have been taken
};

}  // namespace fathom::machine
