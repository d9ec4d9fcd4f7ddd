// What was changed since the oldest mark, so that it can be changed back.
//
// A record is a function that undoes one change and the words that it needs; going
// back is undoing the records from the last one on. So the owner of a mutable thing
// says itself how a change of it is undone, and going back costs what was done.
// Without a mark nothing is recorded.
//
// Records hold addresses: what they lead to must stay in its place as long as there
// is a mark. They also hold values, which no collection sees: while there is a mark
// nothing is collected.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <vector>

namespace fathom::machine {

class Journal {
 public:
  // Undoes a change; must not record anything itself.
  using Undo = void (*)(std::span<const uint64_t> words);

  bool active() const { return marks_ > 0; }

  void record(Undo undo, std::initializer_list<uint64_t> words,
              std::span<const uint64_t> more = {}) {
    if (!active()) return;
    // They are few: a call of memmove would cost more.
    const size_t count = words.size() + more.size();
    uint64_t* to = make_room(count);
    for (const uint64_t word : words) *to++ = word;
    for (const uint64_t word : more) *to++ = word;
    seal(to, undo, count);
  }

  // Changes a place.
  template <class T>
  void set(T& place, std::type_identity_t<T> value) {
    if (active()) {
      uint64_t* to = make_room(2);
      to[0] = reinterpret_cast<uint64_t>(&place);
      to[1] = word_of(place);
      seal(to + 2, &restore<T>, 2);
    }
    place = value;
  }

  // From now on changes are recorded.
  struct Mark {
    size_t position;  // in the log
    size_t depth;     // how many marks there are, this one included
  };
  Mark mark() { return {size_, ++marks_}; }
  // Undoes all that was recorded since that mark. It stays, those made since do not.
  void rewind(Mark mark);
  // Forgets the last mark.
  void release();

  size_t words() const { return size_; }

 private:
  template <class T>
  static uint64_t word_of(const T& value) {
    if constexpr (std::is_pointer_v<T>) {
      return reinterpret_cast<uint64_t>(value);
    } else {
      static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(uint64_t));
      uint64_t word = 0;
      std::memcpy(&word, &value, sizeof(T));
      return word;
    }
  }
  template <class T>
  static void restore(std::span<const uint64_t> words) {
    auto& place = *reinterpret_cast<T*>(words[0]);
    if constexpr (std::is_pointer_v<T>) {
      place = reinterpret_cast<T>(words[1]);
    } else {
      std::memcpy(static_cast<void*>(&place), &words[1], sizeof(T));
    }
  }

  static constexpr size_t kTail = 2;  // the function, and how many words there are before it

  // For a record of so many words.
  uint64_t* make_room(size_t count) {
    if (size_ + count + kTail > log_.size()) log_.resize((size_ + count + kTail) * 2);
    return log_.data() + size_;
  }
  // The words before `to` have been written.
  void seal(uint64_t* to, Undo undo, size_t count) {
    to[0] = reinterpret_cast<uint64_t>(undo);
    to[1] = count;
    size_ += count + kTail;
  }

  std::vector<uint64_t> log_;  // of each record: its words, and the tail; from size_ on: room
  size_t size_ = 0;
  size_t marks_ = 0;
};

}  // namespace fathom::machine
