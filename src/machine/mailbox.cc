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

uint32_t Mailbox::append_numbered(Journal& journal, Value message) {
  messages_.push_back(message);
  numbers_.push_back(next_number_++);
  journal.record(
      [](std::span<const uint64_t> words) {
        auto& box = *reinterpret_cast<Mailbox*>(words[0]);
        box.messages_.pop_back();
        box.numbers_.pop_back();
        --box.next_number_;
      },
      {reinterpret_cast<uint64_t>(this)});
  return numbers_.back();
}

namespace {

// Takes the i-th after the gap out, which moves those before it by one place.
template <class T>
void take_out(std::vector<T>& items, size_t gap, size_t i) {
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(gap);
  const auto place = first + static_cast<std::ptrdiff_t>(i);
  std::move_backward(first, place, place + 1);
}

// And puts it back; the gap is that before it was taken.
template <class T>
void put_back(std::vector<T>& items, size_t gap, size_t i, T item) {
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(gap);
  const auto place = first + static_cast<std::ptrdiff_t>(i);
  std::move(first + 1, place + 1, first);
  *place = item;
}

}  // namespace

void Mailbox::remove(Journal& journal, size_t i) {
  journal.record(
      [](std::span<const uint64_t> words) {
        auto& box = *reinterpret_cast<Mailbox*>(words[0]);
        const size_t gap = --box.head_;
        put_back(box.messages_, gap, words[1], Value::from_raw(words[2]));
        if (box.is_numbered()) {
          put_back(box.numbers_, gap, words[1], static_cast<uint32_t>(words[3]));
        }
      },
      {reinterpret_cast<uint64_t>(this), i, messages_[head_ + i].raw(),
       is_numbered() ? numbers_[head_ + i] : 0});
  take_out(messages_, head_, i);
  if (is_numbered()) take_out(numbers_, head_, i);
  ++head_;
  // Going back needs the gap.
  if (!journal.active()) drop_gap();
}

void Mailbox::become(Value message) {
  messages_.resize(1);
  messages_[0] = message;
  numbers_.resize(1);
  head_ = 0;
}

void Mailbox::drop_gap() {
  if (head_ < messages_.size() && 2 * head_ < messages_.size()) return;
  const auto taken = static_cast<std::ptrdiff_t>(head_);
  messages_.erase(messages_.begin(), messages_.begin() + taken);
  if (is_numbered()) numbers_.erase(numbers_.begin(), numbers_.begin() + taken);
  head_ = 0;
}

}  // namespace fathom::machine
