// Types of inputs: from -spec and -type, in a form that narrowing can use.
//
// A type is a set of alternatives, each of one shape (but for `any`). Recursive types are cycles
// through TypeIds. What cannot be expressed (opaque types of other modules, dependent types) is
// `any` or as near as there is; `is_exact` says so.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/atom.h"
#include "values/heap.h"

namespace fathom::symbolic {

// Of what has no literal and means something in one run only the inputs have that of the test
// itself, self(), and one reference, make_ref().
inline constexpr const char* kNoIdentifiers =
    "pids of other processes, ports, and further references are not among the inputs";

// Sets of shapes.
using Shapes = uint16_t;
namespace shape {
inline constexpr Shapes kInteger = 1 << 0;
inline constexpr Shapes kFloat = 1 << 1;
inline constexpr Shapes kAtom = 1 << 2;
inline constexpr Shapes kNil = 1 << 3;
inline constexpr Shapes kCons = 1 << 4;
inline constexpr Shapes kTuple = 1 << 5;
inline constexpr Shapes kMap = 1 << 6;
inline constexpr Shapes kBinary = 1 << 7;
inline constexpr Shapes kFun = 1 << 8;
inline constexpr Shapes kPid = 1 << 9;
inline constexpr Shapes kReference = 1 << 10;
inline constexpr Shapes kIdentifier = kPid | kReference;
inline constexpr Shapes kNumber = kInteger | kFloat;
inline constexpr Shapes kList = kNil | kCons;
inline constexpr Shapes kAll = (1 << 11) - 1;
inline constexpr int kCount = 11;
}  // namespace shape

enum class TypeId : uint32_t { Any = 0 };

struct Alternative {
  enum class Kind : uint8_t {
    Any,
    Integer,  // low..high
    Float,
    Atom,     // any
    Literal,  // an atom
    Nil,
    List,     // of parts[0]; not empty if so
    Cons,     // [parts[0] | parts[1]], of lists that may be improper
    Tuple,    // of any size
    TupleOf,  // of the parts
    Map,      // any
    MapOf,    // of keys[i] => parts[i]; two more parts are the types of all other keys and values
    Binary,   // if `high` is there, of `low` bits, and any number of times `high` bits
    Fun,      // of arity, or any
    Pid,
    Reference,
  };
  Kind kind = Kind::Any;
  std::optional<int64_t> low = {};
  std::optional<int64_t> high = {};
  Atom literal = {};
  bool nonempty = false;
  int arity = -1;
  std::vector<TypeId> parts = {};
  std::vector<machine::Value> keys = {};  // of a map: atoms and small integers
  std::vector<bool> required = {};

  Shapes shapes() const;
  // Of a map: whether it may have keys beside `keys`.
  bool is_open() const { return kind != Kind::MapOf || parts.size() > keys.size(); }
  // Of those: what type they have, and their values.
  TypeId other_keys() const { return kind == Kind::MapOf ? parts[keys.size()] : TypeId::Any; }
  TypeId other_values() const { return kind == Kind::MapOf ? parts[keys.size() + 1] : TypeId::Any; }
  auto key() const {
    std::vector<uint64_t> words;
    for (const machine::Value v : keys) words.push_back(v.raw());
    return std::tuple(kind, low, high, literal.id(), nonempty, arity, parts, words, required);
  }
};

class Types {
 public:
  Types();

  TypeId any() const { return TypeId::Any; }
  TypeId of(std::vector<Alternative> alternatives);
  // A type that is being made: its alternatives come later.
  TypeId declare();
  void define(TypeId id, std::vector<Alternative> alternatives);
  TypeId list_of(TypeId element);

  std::span<const Alternative> alternatives(TypeId id) const {
    return types_[static_cast<size_t>(id)];
  }
  Shapes shapes(TypeId id) const;
  // Those alternatives for which `keep` holds.
  template <class F>
  TypeId filtered(TypeId id, F&& keep) {
    std::vector<Alternative> kept;
    for (const Alternative& a : alternatives(id)) {
      if (keep(a)) kept.push_back(a);
    }
    if (kept.size() == alternatives(id).size()) return id;
    return of(std::move(kept));
  }
  // Values that are not of the type, and some that are: where only parts decide it.
  // Integers below and above a range are two types.
  std::vector<TypeId> outside(TypeId id);
  // Whether a binary with so many bits may be of the type.
  bool accepts_size(TypeId id, uint64_t bits) const;
  // Whether a value without unknowns is of the type.
  bool accepts(TypeId id, machine::Value value) const;

 private:
  bool accepts(TypeId id, machine::Value value, int depth) const;
  bool accepts(const Alternative& a, machine::Value value, int depth) const;
  bool accepts_bits(const Alternative& a, uint64_t bits) const;
  bool accepts_map(const Alternative& a, machine::Value map, int depth) const;

  std::vector<std::vector<Alternative>> types_;
  std::map<std::vector<decltype(Alternative().key())>, TypeId> known_;
};

}  // namespace fathom::symbolic
