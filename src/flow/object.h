// Abstract values: what the analysis knows of the values that a program computes.
//
// An atom, a small integer and [] stand for themselves; other numbers for their type. Tuples, list
// cells, maps, bitstrings, funs, references and processes are known by the node that made them
// (for a process: that started it), in the context in which it did. All values that a node makes
// in a context are one object, and what they hold is in slots of the object: the elements of a
// tuple each by itself, head and tail of a cell, the values of a map by key, what a fun has
// captured. `Unknown` is whatever the analysis does not follow: it may be any value.
//
// A constant in the source with parts becomes objects too, one for each part.
//
// Objects are interned, and live as long as the table. Their number is bounded by nodes times
// contexts.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/core.h"
#include "flow/solver.h"

namespace fathom::flow {

enum class ObjectKind : uint8_t {
#define OBJECT(Id, Word) Id,
#include "flow/kinds.def"
#undef OBJECT
};
std::string_view word_of(ObjectKind kind);

// Kinds as a set of bits, for tests of types.
using KindSet = uint32_t;
constexpr KindSet kind_set(ObjectKind kind) { return KindSet{1} << static_cast<unsigned>(kind); }
template <class... Kinds>
constexpr KindSet kind_set(ObjectKind first, Kinds... rest) {
  return kind_set(first) | kind_set(rest...);
}
inline constexpr KindSet kAllKinds = ~KindSet{0};

// Tells the copies of a library function apart (contexts.h). 0: none, as all code of the project.
enum class ContextId : uint32_t {};

struct Object {
  ObjectKind kind = ObjectKind::Unknown;
  uint32_t size = 0;   // elements of a tuple; arity of a fun
  uint32_t count = 0;  // slots from `parts` on
  Slot parts = kNoSlot;
  int64_t number = 0;                    // of an Integer
  Atom atom = {};                        // the atom; the module of a fun
  Atom name = {};                        // of a fun's function
  const core::Module* module = nullptr;  // of a Fun: where its code is
  core::FunctionId function{};
  std::optional<core::GlobalNodeId> node = {};  // that made it; none: not one node of the program
  ContextId context{};
  // Of a constant that is known by where it was written: the constant.
  std::optional<ObjectId> constant = {};
};

// The slots of an object's parts.
//   Tuple      its elements
//   Cons       head, tail
//   Map        keys, all values, values under keys that are not constants
//   Fun        what it has captured
//   Reference  the processes that a message to it, an alias, reaches; what a table holds
//   Pid        its mailbox; the reasons of its exit
inline constexpr size_t kHead = 0, kTail = 1;
inline constexpr size_t kMapKeys = 0, kMapValues = 1, kMapOthers = 2;
inline constexpr size_t kAliasOwner = 0, kTableContents = 1;
inline constexpr size_t kMailbox = 0, kExitReasons = 1;

class Objects {
 public:
  explicit Objects(Solver& solver);

  const Object& operator[](ObjectId id) const { return objects_[static_cast<size_t>(id)]; }
  size_t size() const { return objects_.size(); }

  ObjectId unknown() const { return ObjectId{0}; }
  ObjectId simple(ObjectKind kind);  // AnyAtom, AnyInteger, Float, Nil, Port
  ObjectId atom(Atom atom);
  // Itself if it is small, else AnyInteger.
  ObjectId integer(int64_t value);

  // Where a structure was made: a node in a context, and which of those that it makes.
  struct Origin {
    std::optional<core::GlobalNodeId> node = {};
    ContextId context = {};
    uint32_t index = 0;
  };
  ObjectId made(ObjectKind kind, const Origin& origin, uint32_t size = 0);
  ObjectId fun(const Origin& origin, const core::Module& module, core::FunctionId function,
               uint32_t captures);
  ObjectId external_fun(Atom module, Atom name, uint32_t arity);

  // A constant, as the node has it: one for each of them, which only `plain` makes equal.
  ObjectId written_at(ObjectId constant, core::GlobalNodeId node);
  ObjectId plain(ObjectId id) const { return (*this)[id].constant.value_or(id); }

  Slot part(ObjectId id, size_t index) const { return (*this)[id].parts + index; }
  // The values of a map under a constant key, which is one of its keys from now on.
  Slot map_value(ObjectId map, ObjectId key);
  struct KeyedSlot {
    ObjectId key;
    Slot slot;
  };
  std::span<const KeyedSlot> map_values(ObjectId map) const;
  // Whether a key can be told from all others.
  bool is_constant(ObjectId key) const {
    return (*this)[key].kind == ObjectKind::Atom || (*this)[key].kind == ObjectKind::Integer;
  }
  // Puts values under keys. With slots: whatever will be in them.
  void put(ObjectId map, ObjectId key, ObjectId value) { solver_.add(value_slot(map, key), value); }
  void put(ObjectId map, Slot keys, Slot values);
  // All that another map has, or will have, but for what is under these keys.
  void put_all(ObjectId map, ObjectId from, const std::vector<ObjectId>& except = {});
  // Values that a key may lead to go to `result`.
  void look_up(ObjectId map, ObjectId key, Slot result);

 private:
  ObjectId add(Object object);
  // Where values under the key go; the key is one of the map's from now on.
  Slot value_slot(ObjectId map, ObjectId key);

  Solver& solver_;
  std::vector<Object> objects_;
  std::unordered_map<uint64_t, ObjectId> simple_;  // kind and payload
  struct OriginHash {
    size_t operator()(const std::pair<uint64_t, uint64_t>& key) const {
      return key.first * 0x9E3779B97F4A7C15u ^ key.second * 0xC2B2AE3D27D4EB4Fu;
    }
  };
  std::unordered_map<std::pair<uint64_t, uint64_t>, ObjectId, OriginHash> made_;
  std::unordered_map<ObjectId, std::vector<KeyedSlot>> map_values_;
};

}  // namespace fathom::flow
