#include "machine/mailbox.h"

#include <algorithm>

namespace fathom::machine {

void Mailbox::append(Journal& journal, Value message) {
  messages_.push_back(message);
  journal.record(
      [](std::span<const uint64_t> words) {
        reinterpret_cast<Mailbox*>(words[0])->messages_.pop_back();
      },
      {reinterpret_cast<uint64_t>(this)});
}

void Mailbox::remove(Journal& journal, size_t i) {
  const auto first = messages_.begin() + static_cast<std::ptrdiff_t>(head_);
  const auto place = first + static_cast<std::ptrdiff_t>(i);
  journal.record(
      [](std::span<const uint64_t> words) {
        auto& box = *reinterpret_cast<Mailbox*>(words[0]);
        const auto gap = box.messages_.begin() + static_cast<std::ptrdiff_t>(--box.head_);
        const auto back = gap + static_cast<std::ptrdiff_t>(words[1]);
        std::move(gap + 1, back + 1, gap);
        *back = Value::from_raw(words[2]);
      },
      {reinterpret_cast<uint64_t>(this), i, place->raw()});
  std::move_backward(first, place, place + 1);
  ++head_;
  // Going back needs the gap.
  if (!journal.active()) drop_gap();
}

void Mailbox::drop_gap() {
  if (head_ < messages_.size() && 2 * head_ < messages_.size()) return;
  messages_.erase(messages_.begin(), messages_.begin() + static_cast<std::ptrdiff_t>(head_));
  head_ = 0;
}

void Mailbox::clear() {
  messages_ = {};
  head_ = 0;
}

}  // namespace fathom::machine
