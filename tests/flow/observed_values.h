// Whether a value that a machine has is one of those that the analysis allows.
#pragma once

#include "flow/analysis.h"
#include "values/maps.h"
#include "values/value.h"

namespace fathom::flow {

// A structure is allowed if one object is of its form and allows each of its parts. Of pids,
// references and funs only the kind counts: who made them is what the edges are about.
//
// Cost: the parts of the value times the objects of their kind; beyond kMostSteps it is taken to
// be allowed.
class AllowedValues {
 public:
  explicit AllowedValues(const Analysis& analysis) : analysis_(analysis) {}

  bool allows(Slot slot, machine::Value value) const {
    size_t steps = kMostSteps;
    return allows(analysis_.values(slot), value, steps);
  }

 private:
  static constexpr size_t kMostSteps = 10'000;

  bool allows(const ObjectSet& objects, machine::Value value, size_t& steps) const {
    return objects.any_of([&](ObjectId id) { return allows(id, value, steps); });
  }
  bool part_allows(ObjectId id, size_t part, machine::Value value, size_t& steps) const {
    return allows(analysis_.values(analysis_.objects().part(id, part)), value, steps);
  }
  bool allows(ObjectId id, machine::Value value, size_t& steps) const {
    if (steps == 0) return true;
    --steps;
    const Object& o = analysis_.objects()[id];
    switch (o.kind) {
      case ObjectKind::Unknown:
        return true;
      case ObjectKind::Atom:
        return value.is_atom(o.atom);
      case ObjectKind::AnyAtom:
        return value.is_atom();
      case ObjectKind::Integer:
        return value.is_small() && value.small() == o.number;
      case ObjectKind::AnyInteger:
        return value.is_integer();
      case ObjectKind::Float:
        return value.is_float();
      case ObjectKind::Nil:
        return value.is_nil();
      case ObjectKind::Bits:
        return value.is_bitstring();
      case ObjectKind::Tuple:
        return value.is_tuple(o.size) && elements_allowed(id, value, steps);
      case ObjectKind::Cons:
        return value.is_cons() && part_allows(id, kHead, value.head(), steps) &&
               part_allows(id, kTail, value.tail(), steps);
      case ObjectKind::Map:
        return value.is_map() && pairs_allowed(id, value, steps);
      case ObjectKind::Fun:
      case ObjectKind::ExternalFun:
        return value.is_fun();
      case ObjectKind::Pid:
        return value.is_pid();
      case ObjectKind::Port:
        return value.is_port();
      case ObjectKind::Reference:
        return value.is_reference();
    }
    return false;
  }
  bool elements_allowed(ObjectId id, machine::Value tuple, size_t& steps) const {
    for (size_t i = 0; i < tuple.elements().size(); ++i) {
      if (!part_allows(id, i, tuple.elements()[i], steps)) return false;
    }
    return true;
  }
  bool pairs_allowed(ObjectId id, machine::Value map, size_t& steps) const {
    machine::MapPairs pairs(map);
    machine::Value key;
    machine::Value value;
    while (pairs.next(key, value)) {
      if (!part_allows(id, kMapKeys, key, steps)) return false;
      if (!part_allows(id, kMapValues, value, steps)) return false;
    }
    return true;
  }

  const Analysis& analysis_;
};

}  // namespace fathom::flow
