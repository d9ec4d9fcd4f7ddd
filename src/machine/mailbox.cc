#include "machine/mailbox.h"

#include <algorithm>
#include <bit>

#include "base/budget.h"
#include "machine/reference_numbers.h"

namespace fathom::machine {

// What there is of each message, one vector after the other.
template <class F>
void Mailbox::for_each_column(F&& f) {
  f(messages_);
  f(stamps_);
  if (is_numbered()) f(numbers_);
  if (!labels_.empty()) f(labels_);
}

void Mailbox::append(Journal& journal, Value message, uint64_t stamp) {
  messages_.push_back(message);
  stamps_.push_back(stamp);
  journal.record(
      [](std::span<const uint64_t> words) {
        auto& box = *reinterpret_cast<Mailbox*>(words[0]);
        box.messages_.pop_back();
        box.stamps_.pop_back();
        if (!box.labels_.empty()) box.labels_.pop_back();
      },
      {reinterpret_cast<uint64_t>(this)});
}

uint32_t Mailbox::append_numbered(Journal& journal, Value message, uint64_t stamp) {
  messages_.push_back(message);
  stamps_.push_back(stamp);
  numbers_.push_back(next_number_++);
  journal.record(
      [](std::span<const uint64_t> words) {
        auto& box = *reinterpret_cast<Mailbox*>(words[0]);
        box.messages_.pop_back();
        box.stamps_.pop_back();
        box.numbers_.pop_back();
        if (!box.labels_.empty()) box.labels_.pop_back();
        --box.next_number_;
      },
      {reinterpret_cast<uint64_t>(this)});
  return numbers_.back();
}

// Messages are in the order of time: before the last one that is too old all are.
size_t Mailbox::first_with(uint64_t reference) const {
  constexpr size_t kBetweenLooks = 64;  // messages
  size_t i = stamps_.size();
  while (i > head_ && !is_older(stamps_[i - 1], reference)) {
    if (--i % kBetweenLooks == 0) spend(static_cast<int64_t>(kBetweenLooks));
  }
  return i - head_;
}

namespace {

// Which messages move when the i-th after the gap is taken out.
enum class Side : uint8_t { Before, After };

template <class T>
void take_out(std::vector<T>& items, size_t gap, size_t i, Side side) {
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(gap);
  const auto place = first + static_cast<std::ptrdiff_t>(i);
  if (side == Side::After) {
    items.erase(place);
  } else {
    std::move_backward(first, place, place + 1);
  }
}

// And puts it back; the gap is that before it was taken.
template <class T>
void put_back(std::vector<T>& items, size_t gap, size_t i, Side side, T item) {
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(gap);
  const auto place = first + static_cast<std::ptrdiff_t>(i);
  if (side == Side::After) {
    items.insert(place, item);
  } else {
    std::move(first + 1, place + 1, first);
    *place = item;
  }
}

}  // namespace

void Mailbox::remove(Journal& journal, size_t i) {
  // What happens most of the time.
  if (i == 0 && !journal.active()) {
    ++head_;
    return drop_gap();
  }
  const Side side = i <= size() / 2 ? Side::Before : Side::After;
  journal.record(
      [](std::span<const uint64_t> words) {
        auto& box = *reinterpret_cast<Mailbox*>(words[0]);
        const auto way = static_cast<Side>(words[2]);
        if (way == Side::Before) --box.head_;
        put_back(box.messages_, box.head_, words[1], way, Value::from_raw(words[3]));
        put_back(box.stamps_, box.head_, words[1], way, words[4]);
        if (words[5] != 0) {
          put_back(box.numbers_, box.head_, words[1], way, static_cast<uint32_t>(words[6]));
        }
        if (words[7] != 0) {
          put_back(box.labels_, box.head_, words[1], way, std::bit_cast<MessageLabels>(words[8]));
        }
      },
      {reinterpret_cast<uint64_t>(this), i, static_cast<uint64_t>(side), messages_[head_ + i].raw(),
       stamps_[head_ + i], uint64_t{is_numbered()}, is_numbered() ? numbers_[head_ + i] : 0,
       uint64_t{!labels_.empty()},
       labels_.empty() ? 0 : std::bit_cast<uint64_t>(labels_[head_ + i])});
  for_each_column([&](auto& items) { take_out(items, head_, i, side); });
  if (side == Side::Before) ++head_;
  // Going back needs the gap.
  if (!journal.active()) drop_gap();
}

void Mailbox::become(Value message) {
  if (messages_.size() == 1 && head_ == 0 && labels_.size() == 1) {
    messages_[0] = message;
    return;
  }
  messages_.resize(1);
  messages_[0] = message;
  stamps_.resize(1);
  numbers_.resize(1);
  labels_.assign(1, {});
  head_ = 0;
}

void Mailbox::drop_gap() {
  if (head_ < messages_.size() && 2 * head_ < messages_.size()) return;
  const auto taken = static_cast<std::ptrdiff_t>(head_);
  const bool is_empty = head_ == messages_.size();
  head_ = 0;
  if (is_empty) return for_each_column([](auto& items) { items.clear(); });
  for_each_column([&](auto& items) { items.erase(items.begin(), items.begin() + taken); });
}

}  // namespace fathom::machine
