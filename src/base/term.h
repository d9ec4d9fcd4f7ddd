// Erlang data outside the machine: what stands in a .beam file's debug info, in
// the abstract format, in a rebar.config. (Values of a running program have
// their own heap in src/machine.)
//
// A Term is one 64-bit word. Small integers, atoms and [] are in the word; all
// else is a tagged pointer into a TermArena, which allocates by bumping a
// pointer and frees everything at once. Terms are immutable, so they may be
// shared freely within the lifetime of their arena, and of any arena they point
// into.
//
// Invariants:
// - An integer that fits the word is never a BigInteger; so equal integers that
//   are not BigInteger are equal words, as are equal atoms.
// - A List is a non-empty chunk of elements and the rest of the list: [], another
//   chunk, or what follows the bar of an improper list. [] is Nil, not List.
// - A Float is finite. -0.0 and 0.0 are equal, as in OTP 25.
// - The keys of a Map are distinct (=:=). Its pairs stay in the order given, for
//   an exact copy of what was read, and the map knows their order by key, which
//   is why compare() never has to sort.
//
// Cost: a tuple of n is one allocation of n + 1 words; a list of n, n + 2. No
// function here recurses on the depth of a term.
#pragma once

#include <gmp.h>

#include <cassert>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/atom.h"

namespace fathom {

// The first five are also the tag bits of a Term.
enum class TermKind : uint8_t {
  Nil,
  Integer,  // fits the word, see Term::kMaxSmall
  Atom,
  List,
  Tuple,
  BigInteger,
  Float,
  Map,
  Bitstring,
  ExternalFun,
  Opaque,
};

// Things that mean something only to the node that made them.
enum class OpaqueKind : uint8_t { Reference, LocalFun, Port, Pid };

class Term;
class ListView;
class MapView;

// fun Module:Function/Arity
struct ExternalFun {
  Atom module;
  Atom function;
  uint8_t arity;
};

// The bits beyond bit_count in the last byte are zero.
struct BitsView {
  const uint8_t* data;
  uint64_t bit_count;

  bool is_binary() const { return bit_count % 8 == 0; }
  // All bytes, with the last one partial if the count is not a multiple of 8.
  std::span<const uint8_t> bytes() const { return {data, (bit_count + 7) / 8}; }
  std::string_view text() const {  // the whole bytes
    return {reinterpret_cast<const char*>(data), bit_count / 8};
  }
};

// `text` is as Erlang prints it (<0.84.0>, #Ref<0.1.2.3>); `external` is its
// external term format without the version byte.
struct OpaqueView {
  OpaqueKind kind;
  std::string_view text;
  std::string_view external;
};

template <class T>
concept NarrowInteger = std::integral<T> && sizeof(T) <= 4 && !std::same_as<T, bool> &&
                        !std::same_as<T, char>;

struct ListChunk;

class Term {
 public:
  static constexpr int64_t kMaxSmall = (int64_t{1} << 60) - 1;
  static constexpr int64_t kMinSmall = -(int64_t{1} << 60);

  constexpr Term() = default;  // []
  constexpr Term(Atom atom) : Term(TermKind::Atom, atom.id()) {}
  // Any integer that cannot overflow the word. For 64-bit ones, which can, see
  // TermArena::integer.
  template <NarrowInteger Int>
  constexpr Term(Int value)
      : Term(TermKind::Integer, static_cast<uint64_t>(static_cast<int64_t>(value))) {}

  TermKind kind() const { return tag() < kBoxedTag ? static_cast<TermKind>(tag()) : box()->kind; }
  bool is_nil() const { return bits_ == 0; }
  bool is_atom() const { return tag() == tag_of(TermKind::Atom); }
  bool is_atom(Atom atom) const { return *this == Term(atom); }
  bool is_small() const { return tag() == tag_of(TermKind::Integer); }
  bool is_integer() const { return is_small() || is_boxed(TermKind::BigInteger); }
  bool is_float() const { return is_boxed(TermKind::Float); }
  bool is_cons() const { return tag() == tag_of(TermKind::List); }
  bool is_list() const { return is_cons() || is_nil(); }
  bool is_tuple() const { return tag() == tag_of(TermKind::Tuple); }
  bool is_tuple(size_t arity) const { return is_tuple() && tuple().size() == arity; }
  // {Tag, ...} with `arity` elements in all.
  bool is_tagged(Atom first, size_t arity) const {
    return is_tuple(arity) && arity > 0 && tuple()[0].is_atom(first);
  }
  bool is_map() const { return is_boxed(TermKind::Map); }
  bool is_bitstring() const { return is_boxed(TermKind::Bitstring); }
  bool is_binary() const { return is_bitstring() && bits().is_binary(); }

  // The getters below are for a term of their kind only.
  Atom atom() const {
    assert(is_atom());
    return Atom(static_cast<uint32_t>(bits_ >> kTagBits));
  }
  int64_t small() const {
    assert(is_small());
    return static_cast<int64_t>(bits_) >> kTagBits;
  }
  // Any integer; empty if it does not fit.
  std::optional<int64_t> to_int64() const;
  double to_float() const;
  // Elements, any list including [].
  ListView list() const;
  // The first chunk of a non-empty list.
  ListChunk chunk() const;
  std::span<const Term> tuple() const {
    assert(is_tuple());
    const uint64_t* header = pointer<const uint64_t>();
    return {reinterpret_cast<const Term*>(header + 1), *header};
  }
  Term operator[](size_t i) const { return tuple()[i]; }
  MapView map() const;
  BitsView bits() const;
  ExternalFun external_fun() const;
  OpaqueView opaque() const;
  bool big_is_negative() const;
  std::span<const mp_limb_t> big_limbs() const;  // the magnitude, least significant first

  // Identity of the word: true for equal immediates and for the same object.
  // Equality of values is equal() and compare().
  constexpr bool operator==(const Term&) const = default;
  uint64_t raw() const { return bits_; }

 private:
  friend class TermArena;
  friend class ListView;
  friend class MapView;

  static constexpr int kTagBits = 3;
  static constexpr uint64_t kBoxedTag = 5;

  struct Box {
    TermKind kind;
    uint8_t detail;  // BigInteger: negative; ExternalFun: arity; Opaque: its kind
    uint32_t size;   // BigInteger: limbs; Map: pairs; Opaque: bytes of text
  };
  struct FloatBox : Box {
    double value;
  };
  struct MapBox : Box {
    const uint32_t* order;  // pairs by ascending key; null if they are so already
  };
  struct BitsBox : Box {
    uint64_t bit_count;
  };
  struct FunBox : Box {
    Atom module;
    Atom function;
  };
  struct OpaqueBox : Box {
    uint64_t external_size;
  };

  static constexpr uint64_t tag_of(TermKind kind) { return static_cast<uint64_t>(kind); }

  constexpr Term(TermKind kind, uint64_t payload) : bits_(payload << kTagBits | tag_of(kind)) {}
  Term(uint64_t tag, const void* object) : bits_(reinterpret_cast<uint64_t>(object) | tag) {}

  constexpr uint64_t tag() const { return bits_ & ((1 << kTagBits) - 1); }
  bool is_boxed(TermKind kind) const { return tag() == kBoxedTag && box()->kind == kind; }
  template <class T>
  T* pointer() const {
    return reinterpret_cast<T*>(bits_ & ~uint64_t{(1 << kTagBits) - 1});
  }
  const Box* box() const { return pointer<const Box>(); }
  template <class T>
  const T* box_as([[maybe_unused]] TermKind kind) const {
    assert(is_boxed(kind));
    return static_cast<const T*>(box());
  }

  uint64_t bits_ = 0;
};
static_assert(sizeof(Term) == 8);

struct ListChunk {
  std::span<const Term> items;
  Term rest;
};

inline ListChunk Term::chunk() const {
  assert(is_cons());
  const Term* words = pointer<const Term>();  // count, items, rest
  const uint64_t count = words[0].bits_;
  return {{words + 1, count}, words[count + 1]};
}

// The elements of a list, across its chunks: `for (Term t : term.list())`.
class ListView {
 public:
  class Iterator {
   public:
    using value_type = Term;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(Term list) { enter(list); }
    // Over loose terms, as if they were a proper list.
    explicit Iterator(std::span<const Term> items)
        : at_(items.empty() ? nullptr : items.data()), end_(items.data() + items.size()) {}

    const Term& operator*() const { return *at_; }
    const Term* operator->() const { return at_; }
    Iterator& operator++() {
      if (++at_ == end_) enter(rest_);
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }
    bool operator==(std::default_sentinel_t) const { return at_ == nullptr; }

    // What follows the elements of the present chunk; at the end, the tail.
    Term rest() const { return rest_; }

   private:
    void enter(Term list) {
      if (!list.is_cons()) {
        at_ = end_ = nullptr;
        rest_ = list;
        return;
      }
      const ListChunk chunk = list.chunk();
      at_ = chunk.items.data();
      end_ = at_ + chunk.items.size();
      rest_ = chunk.rest;
    }

    const Term* at_ = nullptr;
    const Term* end_ = nullptr;
    Term rest_;
  };

  explicit ListView(Term list) : list_(list) {}

  Iterator begin() const { return Iterator(list_); }
  std::default_sentinel_t end() const { return {}; }
  bool empty() const { return !list_.is_cons(); }
  Term front() const { return list_.chunk().items[0]; }
  // Both walk the chunks, of which a list that was read has one.
  size_t size() const;
  Term tail() const;  // [] for a proper list
  bool is_proper() const { return tail().is_nil(); }

 private:
  Term list_;
};

inline ListView Term::list() const {
  assert(is_list());
  return ListView(*this);
}

// Pairs by index: key(i) and value(i) in the order given, `rank(i)` is the index
// of the pair with the i-th smallest key (integers before floats).
class MapView {
 public:
  size_t size() const { return box_->size; }
  Term key(size_t i) const { return pairs()[2 * i]; }
  Term value(size_t i) const { return pairs()[2 * i + 1]; }
  size_t rank(size_t i) const { return box_->order ? box_->order[i] : i; }
  // The value of the key that =:= `key`, by binary search.
  std::optional<Term> find(Term key) const;

 private:
  friend class Term;
  explicit MapView(const Term::MapBox* box) : box_(box) {}
  const Term* pairs() const { return reinterpret_cast<const Term*>(box_ + 1); }

  const Term::MapBox* box_;
};

inline MapView Term::map() const { return MapView(box_as<MapBox>(TermKind::Map)); }

// Reads a BigInteger or a small integer as an mpz for GMP's functions. It
// borrows the limbs: it must not outlive the term's arena, nor be moved.
class MpzView {
 public:
  explicit MpzView(Term integer);
  MpzView(const MpzView&) = delete;
  MpzView& operator=(const MpzView&) = delete;
  operator mpz_srcptr() const { return value_; }

 private:
  mp_limb_t limb_ = 0;
  mpz_t value_;
};

// As the emulator converts: infinite if it is too large.
double integer_to_double(mpz_srcptr integer);

// A term under construction by someone who fills it in place (the readers, which
// learn the size first and the elements later). The slots are [] until set, and
// are not to be written once the term is in use.
struct TermDraft {
  Term term;
  std::span<Term> slots;
};

class TermArena {
 public:
  TermArena() = default;
  TermArena(const TermArena&) = delete;
  TermArena& operator=(const TermArena&) = delete;
  TermArena(TermArena&& other) noexcept { *this = std::move(other); }
  TermArena& operator=(TermArena&& other) noexcept;

  Term integer(int64_t value);
  Term integer(uint64_t value);
  Term integer(mpz_srcptr value);
  // Magnitude from bytes, least significant first, as the external format has it.
  Term integer(bool negative, std::span<const uint8_t> magnitude);
  // As Erlang source has it: [+-] digits, or base # digits with a base from 2 to
  // 36; a single _ may stand between two digits. Empty if it is not that.
  std::optional<Term> parse_integer(std::string_view text);
  // The same digits without a prefix, for a base already known.
  std::optional<Term> parse_integer(std::string_view digits, int base);

  Term real(double value);  // finite

  // An empty list is its tail.
  Term list(std::span<const Term> items, Term tail = {});
  Term list(std::initializer_list<Term> items, Term tail = {}) {
    return list(std::span(items.begin(), items.size()), tail);
  }
  Term cons(Term head, Term tail) { return list(std::span(&head, 1), tail); }
  // The list of the code points of a UTF-8 text. A byte that is not part of any
  // is taken for Latin-1, as epp does with old sources.
  Term string(std::string_view utf8);

  Term tuple(std::span<const Term> items) {
    uint64_t* words = allocate_tuple(items.size());
    if (!items.empty()) std::memcpy(words + 1, items.data(), items.size_bytes());
    return Term(Term::tag_of(TermKind::Tuple), words);
  }
  Term tuple(std::initializer_list<Term> items) {
    return tuple(std::span(items.begin(), items.size()));
  }

  // Key, value, key, value, ... As with maps:from_list/1, of two pairs with the
  // same key the later one counts.
  Term map(std::span<const Term> keys_and_values);
  Term map(std::initializer_list<Term> keys_and_values) {
    return map(std::span(keys_and_values.begin(), keys_and_values.size()));
  }

  Term binary(std::string_view bytes) { return bitstring(bytes.data(), bytes.size() * 8); }
  Term binary(std::span<const uint8_t> bytes) { return bitstring(bytes.data(), bytes.size() * 8); }
  Term bitstring(const void* bytes, uint64_t bit_count);
  Term external_fun(Atom module, Atom function, uint8_t arity);
  Term opaque(OpaqueKind kind, std::string_view text, std::string_view external);

  TermDraft draft_tuple(size_t arity);
  // `count` elements, at least one, and then a slot for the tail.
  TermDraft draft_list(size_t count);
  // Key, value, key, value, ... To be followed by finish_map when all are set.
  TermDraft draft_map(size_t pairs);
  // False if two keys are equal: then the map must not be used.
  bool finish_map(Term map);

  size_t bytes_used() const { return used_; }

 private:
  static constexpr size_t kFirstBlock = 4 << 10;
  static constexpr size_t kLargestBlock = 1 << 20;

  // Whole words, so that the three low bits of every pointer are free for tags.
  void* allocate(size_t bytes) {
    bytes = (bytes + 7) & ~size_t{7};
    if (bytes > room_) return allocate_slow(bytes);
    void* result = next_;
    next_ += bytes;
    room_ -= bytes;
    used_ += bytes;
    return result;
  }
  void* allocate_slow(size_t bytes);
  // The arity, and room for the elements.
  uint64_t* allocate_tuple(size_t arity) {
    auto* words = static_cast<uint64_t*>(allocate((arity + 1) * sizeof(uint64_t)));
    words[0] = arity;
    return words;
  }
  template <class T>
  T* allocate_box(TermKind kind, size_t extra_bytes);
  Term boxed(const void* box) { return Term(Term::kBoxedTag, box); }

  std::vector<std::unique_ptr<uint64_t[]>> blocks_;
  char* next_ = nullptr;
  size_t room_ = 0;
  size_t block_size_ = kFirstBlock;
  size_t used_ = 0;
};

inline TermDraft TermArena::draft_tuple(size_t arity) {
  uint64_t* words = allocate_tuple(arity);
  std::memset(words + 1, 0, arity * sizeof(uint64_t));
  return {Term(Term::tag_of(TermKind::Tuple), words), {reinterpret_cast<Term*>(words + 1), arity}};
}

// Erlang's term order, in which 1 and 1.0 are equivalent:
//   number < atom < reference < fun < port < pid < tuple < map < [] < list < bitstring
// Opaque terms of one kind are ordered by their text, which is not OTP's order.
std::weak_ordering compare(Term a, Term b);

// The order of map keys: as compare(), but any integer is below any float, at
// every depth. Equivalence is =:=.
std::strong_ordering compare_exact(Term a, Term b);

// =:=
inline bool equal(Term a, Term b) { return a == b || compare_exact(a, b) == 0; }

// The text of a list of code points, in UTF-8. Empty if the term is anything else.
std::optional<std::string> string_text(Term list);

}  // namespace fathom
