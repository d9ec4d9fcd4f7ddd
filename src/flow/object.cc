#include "flow/object.h"

#include <algorithm>
#include <utility>

namespace fathom::flow {
namespace {

// Integers of this range are objects of their own: what programs use as tags and small constants.
constexpr int64_t kLeastInteger = -16;
constexpr int64_t kMostInteger = 1023;
// In keys of objects: a constant with the node that has it. No kind is this.
constexpr uint64_t kWritten = 0xFF;

uint32_t slots_of(ObjectKind kind, uint32_t size) {
  switch (kind) {
    case ObjectKind::Tuple:
      return size;
    case ObjectKind::Cons:
    case ObjectKind::Reference:
    case ObjectKind::Pid:
      return 2;
    case ObjectKind::Map:
      return 3;
    default:
      return 0;
  }
}

}  // namespace

std::string_view word_of(ObjectKind kind) {
  static constexpr std::string_view kWords[] = {
#define OBJECT(Id, Word) Word,
#include "flow/kinds.def"
#undef OBJECT
  };
  return kWords[static_cast<size_t>(kind)];
}

Objects::Objects(Solver& solver) : solver_(solver) { add({}); }

ObjectId Objects::add(Object object) {
  if (object.count > 0) object.parts = solver_.add_slots(object.count);
  objects_.push_back(object);
  return ObjectId{static_cast<uint32_t>(objects_.size() - 1)};
}

ObjectId Objects::simple(ObjectKind kind) {
  const auto [at, is_new] = simple_.try_emplace(uint64_t{static_cast<uint8_t>(kind)});
  if (is_new) at->second = add({.kind = kind});
  return at->second;
}

ObjectId Objects::atom(Atom atom) {
  const uint64_t key = uint64_t{atom.id()} << 8 | static_cast<uint8_t>(ObjectKind::Atom);
  const auto [at, is_new] = simple_.try_emplace(key);
  if (is_new) at->second = add({.kind = ObjectKind::Atom, .atom = atom});
  return at->second;
}

ObjectId Objects::integer(int64_t value) {
  if (value < kLeastInteger || value > kMostInteger) return simple(ObjectKind::AnyInteger);
  const uint64_t key =
      static_cast<uint64_t>(value - kLeastInteger) << 8 | static_cast<uint8_t>(ObjectKind::Integer);
  const auto [at, is_new] = simple_.try_emplace(key);
  if (is_new) at->second = add({.kind = ObjectKind::Integer, .number = value});
  return at->second;
}

ObjectId Objects::made(ObjectKind kind, const Origin& origin, uint32_t size) {
  const uint64_t node = origin.node ? uint64_t{static_cast<uint32_t>(*origin.node)} + 1 : 0;
  const std::pair key{
      node << 32 | static_cast<uint32_t>(origin.context),
      uint64_t{origin.index} << 32 | uint64_t{size} << 8 | static_cast<uint8_t>(kind)};
  const auto [at, is_new] = made_.try_emplace(key);
  if (is_new) {
    at->second = add({.kind = kind,
                      .size = size,
                      .count = slots_of(kind, size),
                      .node = origin.node,
                      .context = origin.context});
    if (kind == ObjectKind::Map) {
      solver_.keep_all(part(at->second, kMapKeys));  // values are found by them
      solver_.add_edge(part(at->second, kMapOthers), part(at->second, kMapValues));
    }
  }
  return at->second;
}

ObjectId Objects::fun(const Origin& origin, const core::Module& module, core::FunctionId function,
                      uint32_t captures) {
  const uint32_t arity = module[function].arity - captures;
  const uint64_t node = origin.node ? uint64_t{static_cast<uint32_t>(*origin.node)} + 1 : 0;
  const std::pair key{node << 32 | static_cast<uint32_t>(origin.context),
                      uint64_t{origin.index} << 32 | static_cast<uint8_t>(ObjectKind::Fun)};
  const auto [at, is_new] = made_.try_emplace(key);
  if (is_new) {
    at->second = add({.kind = ObjectKind::Fun,
                      .size = arity,
                      .count = captures,
                      .atom = module.name(),
                      .name = module[function].name,
                      .module = &module,
                      .function = function,
                      .node = origin.node,
                      .context = origin.context});
  }
  return at->second;
}

ObjectId Objects::external_fun(Atom module, Atom name, uint32_t arity) {
  const std::pair key{uint64_t{module.id()} << 32 | name.id(),
                      uint64_t{arity} << 8 | static_cast<uint8_t>(ObjectKind::ExternalFun)};
  const auto [at, is_new] = made_.try_emplace(key);
  if (is_new) {
    at->second =
        add({.kind = ObjectKind::ExternalFun, .size = arity, .atom = module, .name = name});
  }
  return at->second;
}

ObjectId Objects::written_at(ObjectId constant, core::GlobalNodeId node) {
  const std::pair key{uint64_t{static_cast<uint32_t>(node)} + 1,
                      uint64_t{static_cast<uint32_t>(constant)} << 32 | kWritten};
  const auto [at, is_new] = made_.try_emplace(key);
  if (is_new) {
    Object object = (*this)[constant];
    object.node = node;
    object.constant = constant;
    at->second = add(object);
  }
  return at->second;
}

// Keys are constants, wherever they were written; they also are among the keys as they were.
Slot Objects::map_value(ObjectId map, ObjectId key) {
  if (plain(key) != key) solver_.add(part(map, kMapKeys), key);
  key = plain(key);
  for (const KeyedSlot& entry : map_values(map)) {
    if (entry.key == key) return entry.slot;
  }
  const Slot slot = solver_.add_slots();
  map_values_[map].push_back({key, slot});
  solver_.add_edge(slot, part(map, kMapValues));
  solver_.add(part(map, kMapKeys), key);
  return slot;
}

Slot Objects::value_slot(ObjectId map, ObjectId key) {
  if (is_constant(key)) return map_value(map, key);
  solver_.add(part(map, kMapKeys), key);
  return part(map, kMapOthers);
}

void Objects::put(ObjectId map, Slot keys, Slot values) {
  solver_.watch(keys, [this, map, values](const ObjectSet& added) {
    added.for_each([&](ObjectId key) { solver_.add_edge(values, value_slot(map, key)); });
  });
}

void Objects::put_all(ObjectId map, ObjectId from, const std::vector<ObjectId>& except) {
  if ((*this)[from].kind == ObjectKind::Unknown) return put(map, from, from);
  if ((*this)[from].kind != ObjectKind::Map || from == map) return;
  solver_.add_edge(part(from, kMapOthers), part(map, kMapOthers));
  solver_.watch(part(from, kMapKeys), [this, map, from, except](const ObjectSet& added) {
    added.for_each([&](ObjectId key) {
      if (std::ranges::find(except, plain(key)) != except.end()) return;
      const Slot to = value_slot(map, key);
      if (is_constant(key)) solver_.add_edge(map_value(from, key), to);
    });
  });
}

void Objects::look_up(ObjectId map, ObjectId key, Slot result) {
  if ((*this)[map].kind == ObjectKind::Unknown) return solver_.add(result, unknown());
  if ((*this)[map].kind != ObjectKind::Map) return;
  if (!is_constant(key)) return solver_.add_edge(part(map, kMapValues), result);
  key = plain(key);
  solver_.add_edge(part(map, kMapOthers), result);
  solver_.watch(part(map, kMapKeys), [this, map, key, result](const ObjectSet& added) {
    if (added.contains(key)) solver_.add_edge(map_value(map, key), result);
  });
}

std::span<const Objects::KeyedSlot> Objects::map_values(ObjectId map) const {
  const auto at = map_values_.find(map);
  if (at == map_values_.end()) return {};
  return at->second;
}

}  // namespace fathom::flow
