// Vector clocks: for each event of an execution a row with a column for each actor. The entry says
// how many events of that actor happen before the event, or are it. So event e, the n-th of its
// actor, happens before f if the row of f has at least n in the column of e's actor: one
// comparison.
//
// Example: after P.1: write x, P.1: write y, P.2: read x the row of the read is {P.1: 1, P.2: 1}:
// the first event of P.1 happens before it, the second does not.
//
// All rows lie in one block and are equally wide; one actor more than fits makes them wider, which
// is rare: actors are numbered once for a whole search. Widths are multiples of kLanes, so that
// rows are copied and joined some words at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/budget.h"
#include "base/zeroed_array.h"
#include "explore/record.h"

namespace fathom::explore {

class Clocks {
 public:
  using Row = std::span<uint32_t>;
  using ConstRow = std::span<const uint32_t>;
  static constexpr size_t kLanes = 4;

  // Makes room for a row, and in those before it for so many actors; rows after it are lost.
  void reserve(EventIndex row, size_t actors) {
    if (actors > width_) widen(number(row), (actors + actors / 8 + kLanes - 1) / kLanes * kLanes);
    const size_t needed = (size_t{number(row)} + 1) * width_;
    spend(static_cast<int64_t>(width_ / kLanes));  // the caller will write all of it
    if (words_.size() < needed) words_.grow(2 * needed);
  }
  Row operator[](EventIndex row) { return {words_.data() + number(row) * width_, width_}; }
  ConstRow operator[](EventIndex row) const {
    return {words_.data() + number(row) * width_, width_};
  }

  size_t width() const { return width_; }
  // Of an actor that has a column: the words of the rows from that one on, each width() after the
  // one before.
  const uint32_t* column_of(ActorId actor, EventIndex row) const {
    return words_.data() + number(row) * width_ + column(actor);
  }

  // Whether the event is before, or is, the one whose row it is.
  bool has_seen(EventIndex row, EventId id) const { return has_seen((*this)[row], id); }
  static bool has_seen(ConstRow row, EventId id) {
    return column(id.actor) < row.size() && row[column(id.actor)] >= id.index;
  }
  // Of two rows the wider one has nothing there.
  static void copy(Row into, ConstRow other) {
    const size_t width = std::min(into.size(), other.size());
    for (size_t i = 0; i < width; i += kLanes) Lanes(&other[i]).write(&into[i]);
    for (size_t i = width; i < into.size(); ++i) into[i] = 0;
  }
  // What is before either is before it.
  static void join(Row into, ConstRow other) {
    const size_t width = std::min(into.size(), other.size());
    for (size_t i = 0; i < width; i += kLanes) {
      Lanes(&into[i]).at_least(Lanes(&other[i])).write(&into[i]);
    }
  }

 private:
  // Some words of a row, which a processor compares at once: as signed numbers, since all of
  // them can do that, and no actor has two thousand million events.
  struct Lanes {
    using Words = int32_t __attribute__((vector_size(kLanes * sizeof(int32_t))));
    Words words;

    explicit Lanes(Words w) : words(w) {}
    explicit Lanes(const uint32_t* from) { std::memcpy(&words, from, sizeof words); }
    void write(uint32_t* to) const { std::memcpy(to, &words, sizeof words); }
    Lanes at_least(Lanes other) const { return Lanes(words > other.words ? words : other.words); }
  };

  void widen(size_t rows, size_t width) {
    spend_memory(rows * width * sizeof(uint32_t));
    ZeroedArray<uint32_t> words;
    words.grow(rows * width);
    for (size_t i = 0; i < rows && width_ > 0; ++i) {
      spend(static_cast<int64_t>(width / kLanes));
      std::copy_n(words_.data() + i * width_, width_, words.data() + i * width);
    }
    words_ = std::move(words);
    width_ = width;
  }

  size_t width_ = 0;
  ZeroedArray<uint32_t> words_;
};

// Rows of their own from an event on, and those of others before it.
class LaterClocks {
 public:
  void begin(const Clocks& others, EventIndex from) {
    others_ = &others;
    from_ = from;
  }
  EventIndex from() const { return from_; }
  Clocks::Row make_row(EventIndex row, size_t actors) {
    own_.reserve(own_row(row), actors);
    return own_[own_row(row)];
  }
  Clocks::ConstRow operator[](EventIndex row) const {
    return row < from_ ? (*others_)[row] : own_[own_row(row)];
  }
  bool has_seen(EventIndex row, EventId id) const { return Clocks::has_seen((*this)[row], id); }

 private:
  // The first of them lies at the beginning of the block.
  EventIndex own_row(EventIndex row) const { return EventIndex{row - from_}; }

  const Clocks* others_ = nullptr;
  EventIndex from_{};
  Clocks own_;
};

}  // namespace fathom::explore
