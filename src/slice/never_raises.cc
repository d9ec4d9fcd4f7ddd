#include "slice/never_raises.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/budget.h"

namespace fathom::slice {

using core::Kind;
using core::NodeId;
using core::VarId;
using flow::Object;
using flow::ObjectId;
using flow::ObjectKind;
using flow::ObjectSet;

namespace {

// What an argument must be, lest the function raise.
enum class Domain : uint8_t {
  Any,
  Integer,
  NonZero,  // an integer
  Number,
  Boolean,
  Atom,
  Cons,
  List,  // one that ends in []
  Tuple,
  Map,
  Bits
};

// Functions of erlang that return a value if each argument is in its domain.
struct PartialFunction {
  std::string_view name;
  size_t arity;
  std::array<Domain, 2> domains;
};
constexpr PartialFunction kPartialFunctions[] = {
    {"+", 1, {Domain::Number}},
    {"-", 1, {Domain::Number}},
    {"abs", 1, {Domain::Number}},
    {"+", 2, {Domain::Integer, Domain::Integer}},
    {"-", 2, {Domain::Integer, Domain::Integer}},
    {"*", 2, {Domain::Integer, Domain::Integer}},
    {"div", 2, {Domain::Integer, Domain::NonZero}},
    {"rem", 2, {Domain::Integer, Domain::NonZero}},
    {"band", 2, {Domain::Integer, Domain::Integer}},
    {"bor", 2, {Domain::Integer, Domain::Integer}},
    {"bxor", 2, {Domain::Integer, Domain::Integer}},
    {"bnot", 1, {Domain::Integer}},
    {"round", 1, {Domain::Number}},
    {"trunc", 1, {Domain::Number}},
    {"not", 1, {Domain::Boolean}},
    {"and", 2, {Domain::Boolean, Domain::Boolean}},
    {"or", 2, {Domain::Boolean, Domain::Boolean}},
    {"xor", 2, {Domain::Boolean, Domain::Boolean}},
    {"hd", 1, {Domain::Cons}},
    {"tl", 1, {Domain::Cons}},
    {"length", 1, {Domain::List}},
    {"++", 2, {Domain::List, Domain::Any}},
    {"tuple_size", 1, {Domain::Tuple}},
    {"tuple_to_list", 1, {Domain::Tuple}},
    {"list_to_tuple", 1, {Domain::List}},
    {"map_size", 1, {Domain::Map}},
    {"byte_size", 1, {Domain::Bits}},
    {"bit_size", 1, {Domain::Bits}},
    {"atom_to_list", 1, {Domain::Atom}},
    {"integer_to_list", 1, {Domain::Integer}},
    {"integer_to_binary", 1, {Domain::Integer}},
};

class Judgement {
 public:
  Judgement(const flow::Analysis& analysis, flow::InstanceId instance)
      : analysis_(analysis),
        instance_(instance),
        module_(*analysis.facts()[instance].code.module) {}

  bool never_raises(NodeId node) const {
    switch (module_[node].kind) {
      case Kind::CallRemote:
        return returns(module_.get<core::node::CallRemote>(node));
      case Kind::Receive:
        return all_of(module_.get<core::node::Receive>(node).timeout, [](const Object& o) {
          return (o.kind == ObjectKind::Integer && o.number >= 0) ||
                 (o.kind == ObjectKind::Atom && o.atom.text() == "infinity");
        });
      case Kind::MapPut:
        return is_in(module_.get<core::node::MapPut>(node).map, Domain::Map);
      default:
        return false;
    }
  }

 private:
  bool returns(const core::node::CallRemote& call) const {
    if (call.module != atoms::erlang) return false;
    const auto arguments = module_.vars(call.arguments);
    if (call.name.text() == "element" && arguments.size() == 2) return has_place(arguments);
    for (const PartialFunction& f : kPartialFunctions) {
      if (f.arity != arguments.size() || f.name != call.name.text()) continue;
      for (size_t i = 0; i < f.arity; ++i) {
        if (!is_in(arguments[i], f.domains[i])) return false;
      }
      return true;
    }
    return false;
  }

  // Whether all tuples have all these elements.
  bool has_place(std::span<const VarId> arguments) const {
    int64_t most = 0;
    const bool is_known = all_of(arguments[0], [&](const Object& place) {
      most = std::max(most, place.number);
      return place.kind == ObjectKind::Integer && place.number >= 1;
    });
    return is_known && all_of(arguments[1], [&](const Object& tuple) {
             return tuple.kind == ObjectKind::Tuple && tuple.size >= most;
           });
  }

  bool is_in(VarId v, Domain domain) const {
    if (domain == Domain::Any) return true;
    if (domain == Domain::List) return is_list(v);
    return all_of(v, [&](const Object& o) { return is_in(o, domain); });
  }

  static bool is_in(const Object& o, Domain domain) {
    const bool is_integer = o.kind == ObjectKind::Integer || o.kind == ObjectKind::AnyInteger;
    const bool is_truth = o.atom == atoms::true_ || o.atom == atoms::false_;
    switch (domain) {
      case Domain::Integer:
        return is_integer;
      case Domain::NonZero:
        return o.kind == ObjectKind::Integer && o.number != 0;
      case Domain::Number:
        return is_integer || o.kind == ObjectKind::Float;
      case Domain::Boolean:
        return o.kind == ObjectKind::Atom && is_truth;
      case Domain::Atom:
        return o.kind == ObjectKind::Atom || o.kind == ObjectKind::AnyAtom;
      case Domain::Cons:
        return o.kind == ObjectKind::Cons;
      case Domain::Tuple:
        return o.kind == ObjectKind::Tuple;
      case Domain::Map:
        return o.kind == ObjectKind::Map;
      case Domain::Bits:
        return o.kind == ObjectKind::Bits;
      default:
        return false;
    }
  }

  bool is_list(VarId v) const {
    constexpr size_t kMostCells = 64;
    std::unordered_set<ObjectId> seen;
    std::vector<ObjectId> todo;
    const auto add = [&](const ObjectSet& values) {
      values.for_each([&](ObjectId id) {
        if (seen.insert(id).second) todo.push_back(id);
      });
    };
    add(analysis_.values(instance_, v));
    const bool is_any = !todo.empty();
    while (!todo.empty()) {
      spend(1);
      const Object& o = analysis_.objects()[todo.back()];
      todo.pop_back();
      if (o.kind == ObjectKind::Nil) continue;
      if (o.kind != ObjectKind::Cons || seen.size() > kMostCells) return false;
      add(analysis_.values(o.parts + flow::kTail));
    }
    return is_any;
  }

  // A variable without values is not understood.
  template <class F>
  bool all_of(VarId v, F&& f) const {
    const ObjectSet& values = analysis_.values(instance_, v);
    return !values.empty() &&
           !values.any_of([&](ObjectId id) { return !f(analysis_.objects()[id]); });
  }

  const flow::Analysis& analysis_;
  flow::InstanceId instance_;
  const core::Module& module_;
};

}  // namespace

bool never_raises(const flow::Analysis& analysis, flow::InstanceId instance, NodeId node) {
  return Judgement(analysis, instance).never_raises(node);
}

}  // namespace fathom::slice
