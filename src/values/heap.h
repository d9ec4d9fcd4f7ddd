// Where values live: one heap for all processes of a machine, so that a message
// is a word and not a copy.
//
// A space is one large range of addresses, reserved at once and given real memory
// by the operating system page by page as it is touched. Allocation is adding to
// a pointer, without any test: a range is far larger than what the memory limit
// lets a program use, and that limit, like the need for a collection, is looked
// at where a function is called (Machine::prepare_call). Nothing moves between two
// such points, so native functions may hold values as they like. Ranges are small
// enough that hundreds of heaps fit into the addresses of a process. Where these are
// limited (ulimit -v) ranges are a part of what is left, and is_nearly_full() tells
// when one of them is used up.
//
// Values are made in the young space. A collection copies what is alive there to
// the old space; one that is worth it also copies the old space to a new one
// (collector.cc). As values are immutable, old ones never point to young ones:
// a young collection looks only at what the machine changed since the last one.
//
// A mark remembers the top of the young space; rewinding to it frees what was
// made since in no time. While there is a mark nothing is collected.
//
// Bytes of long bitstrings lie outside, in buffers that the heap owns.
//
// A heap may be labelled (labels.h): each word of its spaces then has a label beside it.
#pragma once

#include <gmp.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "values/labels.h"
#include "values/value.h"

namespace fathom::machine {

// The bytes of a long bitstring, and of those cut out of it. Bits are added
// after `used_bits` (never changed before it), so a bitstring that ends there
// grows in place when something is appended to it.
struct Buffer {
  uint64_t capacity;  // bytes
  uint64_t used_bits;
  bool reached;  // by the collection under way
  uint8_t bytes[];
};

// Longer bitstrings have a buffer.
inline constexpr uint64_t kMaxInlineBytes = 64;

class Space {
 public:
  Space() = default;
  // Labelled: with labels behind it, at the distance of its size.
  Space(size_t bytes, bool is_labelled);
  ~Space();
  Space(Space&& other) noexcept { swap(other); }
  Space& operator=(Space&& other) noexcept {
    swap(other);
    return *this;
  }
  void swap(Space& other) noexcept;

  bool holds(const void* p) const {
    return reinterpret_cast<uint64_t>(p) - reinterpret_cast<uint64_t>(base_) < bytes_;
  }
  uint64_t* base() const { return base_; }
  size_t reserved_bytes() const { return bytes_; }
  size_t used_bytes() const { return static_cast<size_t>(top - base_) * sizeof(uint64_t); }
  // Forgets the contents, and gives the memory back except for the first `keep` bytes.
  void clear(size_t keep = 0);

  uint64_t* top = nullptr;

 private:
  uint64_t* base_ = nullptr;
  size_t bytes_ = 0;
  bool is_labelled_ = false;
};

class Heap {
 public:
  explicit Heap(bool is_labelled = false);
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  uint64_t* allocate(size_t words) {
    uint64_t* result = young_.top;
    young_.top += words;
    return result;
  }
  // The young space's next free word; the interpreter keeps it in a register.
  uint64_t* top() const { return young_.top; }
  void set_top(uint64_t* top) { young_.top = top; }
  // Nothing of what was made since then is needed, and it has no buffers.
  void drop(uint64_t* since);

  // ---- Labels. What is carried has no effect where there are none.
  bool is_labelled() const { return label_distance_ != 0; }
  // From a word of the heap to its labels, in bytes.
  size_t label_distance() const { return label_distance_; }
  WordLabels& labels_of(const void* word) { return labels_at(word, label_distance_); }
  // The label of a value that lies at that word of the heap.
  Label label_at(const Value* place) {
    return place->is_immediate() ? labels_of(place).word : label_of(*place);
  }
  // Of a value that has its label itself.
  Label label_of(Value object) { return labels_of(object.words()).object; }
  // The words at `to` were copied from those at `from`: so are their labels.
  void carry_labels(const void* from, const void* to, size_t count = 1) {
    if (!is_labelled()) return;
    for (size_t i = 0; i < count; ++i) {
      labels_of(static_cast<const uint64_t*>(to) + i).word =
          labels_of(static_cast<const uint64_t*>(from) + i).word;
    }
  }
  // The elements of the one list were copied to the other, one by one; the rest stays.
  void carry_list_labels(Value from, Value to);
  // What was made since then and has no label gets this one.
  void label_new(const uint64_t* since, Label label);

  Value cons(Value head, Value tail) {
    uint64_t* words = allocate(2);
    words[0] = head.raw();
    words[1] = tail.raw();
    return Value::cons_at(words);
  }
  Value list(std::span<const Value> items, Value tail = Value::nil());
  // A list of characters or bytes.
  Value string(std::string_view latin1, Value tail = Value::nil());
  Value string_utf8(std::string_view utf8);
  Value tuple(std::span<const Value> elements);
  Value tuple(std::initializer_list<Value> elements) {
    return tuple(std::span(elements.begin(), elements.size()));
  }
  Value real(double finite);
  Value integer(int64_t n) { return Value::fits_small(n) ? Value::small(n) : big(n); }
  Value integer(uint64_t n);
  Value integer(mpz_srcptr n);
  // From a magnitude that may have leading zeros.
  Value integer(bool negative, std::span<const uint64_t> limbs);
  Value reference(uint64_t number);
  Value foreign(OpaqueKind kind, std::string_view external);
  Value fun(const LocalFunction* code, Value creator, std::span<const Value> captures);
  Value external_fun(const Mfa* target);

  Value binary(std::string_view bytes);
  Value binary(std::span<const uint8_t> bytes);
  // A copy of `bits` bits, from bit `first` of the bytes on.
  Value bitstring(const uint8_t* bytes, uint64_t first, uint64_t bits);
  // A new one whose bytes are written by the caller, at once: all of them, with
  // zeros after the last bit.
  struct NewBits {
    Value value;
    uint8_t* bytes;
  };
  NewBits new_bits(uint64_t bits);
  // A part; shares the bytes of a long one.
  Value sub_bits(Value bitstring, uint64_t first, uint64_t bits);
  Value shared_bits(Buffer* buffer, uint64_t first, uint64_t bits);
  Buffer* new_buffer(uint64_t capacity);

  // All bytes in use, buffers included.
  size_t used_bytes() const {
    return young_.used_bytes() + old_.used_bytes() + permanent_.used_bytes() + buffer_bytes_;
  }
  size_t buffer_bytes() const { return buffer_bytes_; }
  // There may not be addresses enough until the next safe point.
  bool is_nearly_full() const;
  // The place becomes null when there are so many bytes in buffers that somebody should
  // see to them: allocating them does not move the top of the heap.
  void set_alarm(uint64_t** place) { alarm_ = place; }
  size_t young_bytes() const { return young_.used_bytes(); }
  // Buffers count too: a loop that makes large binaries leaves few words here.
  bool wants_collection() const {
    return young_.used_bytes() > kNursery || buffer_bytes_ > buffer_threshold_;
  }

  // Whether the next collection should look at old values too, which needs room for a copy of
  // them. Where there is none a program goes on until it reaches the limit of its memory.
  bool wants_full_collection() const {
    const bool wants =
        old_.used_bytes() > old_threshold_ || old_buffer_bytes_ > old_buffer_threshold_;
    return wants && has_room_for_copy();
  }

  // What is made between these two is never moved nor freed: literals of code. It
  // must not contain anything made before, nor share the bytes of it.
  void begin_permanent() {
    std::swap(young_.top, permanent_.top);
    permanent_from_ = static_cast<std::ptrdiff_t>(buffers_.size());
  }
  void end_permanent() {
    std::swap(young_.top, permanent_.top);
    permanent_buffers_.insert(permanent_buffers_.end(), buffers_.begin() + permanent_from_,
                              buffers_.end());
    buffers_.resize(static_cast<size_t>(permanent_from_));
  }

  struct Mark {
    uint64_t* top;
    size_t buffers;
  };
  Mark mark() const { return {young_.top, buffers_.size()}; }
  void rewind(Mark mark);

 private:
  friend class Collector;

  static constexpr size_t kNursery = size_t{4} << 20;

  // With spaces of so many bytes.
  Heap(size_t bytes, bool is_labelled);

  // How many bytes there may be, of which so many were alive after a collection, until the
  // next one.
  static size_t threshold_for(size_t alive);
  Value big(int64_t n);
  bool has_room_for_copy() const;
  void free_buffer(Buffer* buffer);

  size_t label_distance_;  // 0: it is not labelled
  Space young_;
  Space old_;
  Space permanent_;
  std::vector<Buffer*> buffers_;  // in the order in which they were made
  std::vector<Buffer*> permanent_buffers_;
  std::ptrdiff_t permanent_from_ = 0;  // index of the first one since begin_permanent
  size_t young_buffers_ = 0;           // index of the first one since the last collection
  size_t buffer_bytes_ = 0;            // of all
  size_t old_buffer_bytes_ = 0;        // of those that the last collection left
  uint64_t** alarm_ = nullptr;

  // When to collect, and when to collect everything; the collector sets them.
  size_t buffer_threshold_ = threshold_for(0);
  size_t old_threshold_ = threshold_for(0);
  size_t old_buffer_threshold_ = threshold_for(0);
};

// Another box that is like it, with the same labels of its words.
Value copy_of_box(Heap& heap, Value box);
// Number of words of the box, header included.
size_t box_words(const uint64_t* box);
// Which of them are values: from, to (exclusive).
struct SlotRange {
  size_t from;
  size_t to;
};
SlotRange value_slots(const uint64_t* box);

}  // namespace fathom::machine
