// A value of a running program: one 64-bit word.
//
//   …00  a small integer, 62 bits
//   …01  a box: a pointer to a header word and what it says
//   …10  a cons cell: a pointer to head and tail
//   …11  another immediate: atom, [], local pid, local port, or a mark of ours
//
// Integers have the tag 00, so that adding them is adding the words. Pointers
// lead into the heap (heap.h), or to the literals of loaded code, which stay
// where they are. Values are immutable, and shared by whoever holds them.
//
// A header: kind and size. A cons cell has none.
//
// Invariants, which the makers in heap.h keep and everyone relies on:
// - An integer that fits 62 bits is small. So integers that are equal are the
//   same word, or both big.
// - A map of at most kMaxFlatMap pairs is a FlatMap, with its keys in ascending
//   order; a larger one is a HashMap. So equal maps have equal shapes (maps.h).
// - A float is finite.
// - The unused bits of a bitstring's last byte may be anything, unless it is
//   InlineBits: those are zero.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <span>

#include "base/atom.h"
#include "base/term.h"
#include "values/callable.h"

namespace fathom::machine {

enum class BoxKind : uint8_t {
  Tuple,        // elements
  Float,        // a double
  BigPositive,  // limbs of 64 bits, least significant first
  BigNegative,  // likewise, the magnitude
  FlatMap,      // a tuple of the keys; the values. Size: number of pairs
  HashMap,      // number of pairs; root (a MapBranch)
  MapBranch,    // bitmap; children: cons cells [K|V] or branches (hash_tree.h)
  InlineBits,   // number of bits; bytes, in whole words
  SharedBits,   // number of bits; first bit; Buffer*
  Fun,          // LocalFunction*; creator (a pid); captured values. Size: number of those
  ExternalFun,  // Mfa*
  Reference,    // a number
  Foreign,      // of another node: number of bytes; its external form. Size: its OpaqueKind
  Unknown,      // what it was found to be, or none(); its number (src/symbolic)
};

class Header {
 public:
  static constexpr uint64_t kMaxSize = (uint64_t{1} << 24) - 1;  // OTP's limit for tuples

  constexpr explicit Header(uint64_t word) : word_(word) {}
  constexpr Header(BoxKind kind, uint64_t size)
      : word_(size << 8 | static_cast<uint64_t>(kind) << 3 | kMark) {}

  // A word that is not a header is the address to which a box was moved (collector.cc).
  constexpr bool is_header() const { return (word_ & kMark) == kMark; }
  constexpr BoxKind kind() const { return static_cast<BoxKind>(word_ >> 3 & 0x1F); }
  constexpr uint64_t size() const { return word_ >> 8; }
  constexpr uint64_t word() const { return word_; }
  constexpr bool operator==(const Header&) const = default;

 private:
  static constexpr uint64_t kMark = 7;
  uint64_t word_;
};

struct Buffer;

class Value {
 public:
  static constexpr int64_t kMaxSmall = (int64_t{1} << 61) - 1;
  static constexpr int64_t kMinSmall = -(int64_t{1} << 61);
  static constexpr bool fits_small(int64_t n) { return n >= kMinSmall && n <= kMaxSmall; }

  constexpr Value() = default;  // the integer 0
  constexpr Value(Atom atom) : bits_(immediate(kAtom, atom.id())) {}
  static constexpr Value small(int64_t n) { return Value(static_cast<uint64_t>(n) << 2); }
  static constexpr Value nil() { return Value(immediate(kSpecial, 0)); }
  // No value: what a failing built-in function returns, an empty slot.
  static constexpr Value none() { return Value(immediate(kSpecial, 1)); }
  // Stands where the head of a cons cell was that the collector has moved.
  static constexpr Value moved() { return Value(immediate(kSpecial, 2)); }
  static constexpr Value pid(uint64_t number) { return Value(immediate(kPid, number)); }
  static constexpr Value port(uint64_t number) { return Value(immediate(kPort, number)); }
  static constexpr Value boolean(bool b) { return b ? Value(atoms::true_) : Value(atoms::false_); }
  static Value box(const uint64_t* words) {
    return Value(reinterpret_cast<uint64_t>(words) | kBoxTag);
  }
  static Value cons_at(const uint64_t* words) {
    return Value(reinterpret_cast<uint64_t>(words) | kConsTag);
  }
  static constexpr Value from_raw(uint64_t bits) { return Value(bits); }

  constexpr uint64_t raw() const { return bits_; }
  // Identity of the word: equal immediates, or the very same object.
  constexpr bool operator==(const Value&) const = default;

  constexpr bool is_small() const { return (bits_ & kTagMask) == kSmallTag; }
  constexpr bool is_box() const { return (bits_ & kTagMask) == kBoxTag; }
  constexpr bool is_cons() const { return (bits_ & kTagMask) == kConsTag; }
  constexpr bool is_immediate() const { return is_small() || (bits_ & kTagMask) == kOtherTag; }
  constexpr bool is_nil() const { return *this == nil(); }
  constexpr bool is_none() const { return *this == none(); }
  constexpr bool is_list() const { return is_cons() || is_nil(); }
  constexpr bool is_atom() const { return (bits_ & kOtherMask) == kAtom; }
  constexpr bool is_atom(Atom atom) const { return *this == Value(atom); }
  constexpr bool is_boolean() const { return is_atom(atoms::true_) || is_atom(atoms::false_); }
  constexpr bool is_local_pid() const { return (bits_ & kOtherMask) == kPid; }
  constexpr bool is_local_port() const { return (bits_ & kOtherMask) == kPort; }

  bool is_box(BoxKind kind) const { return is_box() && header().kind() == kind; }
  bool is_tuple() const { return is_box(BoxKind::Tuple); }
  bool is_tuple(size_t arity) const {
    return is_box() && header() == Header(BoxKind::Tuple, arity);
  }
  bool is_float() const { return is_box(BoxKind::Float); }
  bool is_big() const { return is_box(BoxKind::BigPositive) || is_box(BoxKind::BigNegative); }
  bool is_integer() const { return is_small() || is_big(); }
  bool is_number() const { return is_integer() || is_float(); }
  bool is_map() const { return is_box(BoxKind::FlatMap) || is_box(BoxKind::HashMap); }
  bool is_bitstring() const { return is_box(BoxKind::InlineBits) || is_box(BoxKind::SharedBits); }
  bool is_binary() const { return is_bitstring() && bit_size() % 8 == 0; }
  bool is_fun() const {
    return is_box(BoxKind::Fun) || is_box(BoxKind::ExternalFun) || is_foreign(OpaqueKind::LocalFun);
  }
  bool is_foreign(OpaqueKind kind) const {
    return is_box(BoxKind::Foreign) && header().size() == static_cast<uint64_t>(kind);
  }
  bool is_reference() const {
    return is_box(BoxKind::Reference) || is_foreign(OpaqueKind::Reference);
  }
  bool is_pid() const { return is_local_pid() || is_foreign(OpaqueKind::Pid); }
  bool is_port() const { return is_local_port() || is_foreign(OpaqueKind::Port); }

  // An input that is not determined yet, or a number that depends on such. Only code that was
  // compiled for it (CodeMode::unknowns) ever meets one.
  bool is_unknown() const { return is_box(BoxKind::Unknown); }

  // The getters are for a value of their kind only.
  constexpr int64_t small() const {
    assert(is_small());
    return static_cast<int64_t>(bits_) >> 2;
  }
  constexpr Atom atom() const {
    assert(is_atom());
    return Atom(static_cast<uint32_t>(bits_ >> kPayloadShift));
  }
  constexpr uint64_t local_number() const { return bits_ >> kPayloadShift; }  // of a pid, a port
  const uint64_t* words() const { return reinterpret_cast<const uint64_t*>(bits_ & ~kTagMask); }
  uint64_t* words() { return reinterpret_cast<uint64_t*>(bits_ & ~kTagMask); }
  Header header() const { return Header(words()[0]); }
  // Word i after the header, as a value.
  Value slot(size_t i) const { return Value(words()[1 + i]); }

  Value head() const {
    assert(is_cons());
    return Value(words()[0]);
  }
  Value tail() const {
    assert(is_cons());
    return Value(words()[1]);
  }
  size_t arity() const {
    assert(is_tuple());
    return header().size();
  }
  std::span<const Value> elements() const {
    assert(is_tuple());
    return {reinterpret_cast<const Value*>(words() + 1), header().size()};
  }
  Value element(size_t i) const { return slot(i); }  // from 0
  double real() const {
    assert(is_float());
    return std::bit_cast<double>(words()[1]);
  }
  std::span<const uint64_t> limbs() const {
    assert(is_big());
    return {words() + 1, header().size()};
  }
  bool is_negative_big() const { return is_box(BoxKind::BigNegative); }
  uint64_t bit_size() const {
    assert(is_bitstring());
    return words()[1];
  }
  const LocalFunction* fun_code() const {
    assert(is_box(BoxKind::Fun));
    return reinterpret_cast<const LocalFunction*>(words()[1]);
  }
  std::span<const Value> captures() const {
    assert(is_box(BoxKind::Fun));
    return {reinterpret_cast<const Value*>(words() + 3), header().size()};
  }
  // The process that made the fun. No part of its identity.
  Value fun_creator() const {
    assert(is_box(BoxKind::Fun));
    return from_raw(words()[2]);
  }
  const Mfa* external() const {
    assert(is_box(BoxKind::ExternalFun));
    return reinterpret_cast<const Mfa*>(words()[1]);
  }
  uint64_t reference_number() const {
    assert(is_box(BoxKind::Reference));
    return words()[1];
  }

 private:
  static constexpr uint64_t kTagMask = 3;
  static constexpr uint64_t kSmallTag = 0;
  static constexpr uint64_t kBoxTag = 1;
  static constexpr uint64_t kConsTag = 2;
  static constexpr uint64_t kOtherTag = 3;
  static constexpr int kPayloadShift = 6;
  static constexpr uint64_t kOtherMask = 0x3F;
  // Bit 2 is zero in all of them: the last three bits of a header are ones.
  static constexpr uint64_t kAtom = 0 << 3 | kOtherTag;
  static constexpr uint64_t kPid = 1 << 3 | kOtherTag;
  static constexpr uint64_t kPort = 2 << 3 | kOtherTag;
  static constexpr uint64_t kSpecial = 3 << 3 | kOtherTag;

  constexpr explicit Value(uint64_t bits) : bits_(bits) {}
  static constexpr uint64_t immediate(uint64_t kind, uint64_t payload) {
    return payload << kPayloadShift | kind;
  }

  uint64_t bits_ = 0;
};
static_assert(sizeof(Value) == 8);

inline constexpr size_t kMaxFlatMap = 32;

// The bits of a bitstring: `size` of them, from bit `first` of `bytes` on, the
// most significant bit of a byte first.
struct BitsView {
  const uint8_t* bytes;
  uint64_t first;
  uint64_t size;

  bool is_aligned() const { return first % 8 == 0; }
  const uint8_t* data() const { return bytes + first / 8; }  // if aligned
};
BitsView bits_of(Value bitstring);

}  // namespace fathom::machine
