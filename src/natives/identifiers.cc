// Pids, ports, references, unique integers, nodes.
#include "values/identifiers.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "machine/machine.h"
#include "natives/families.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine::identifier_natives {
namespace {

Value self_0(Context& c, const Value*) { return c.machine.process().pid; }
Value node_0(Context&, const Value*) { return Value(local_node()); }

bool is_identifier(Value value) {
  return value.is_pid() || value.is_port() || value.is_reference();
}

Value node_1(Context& c, const Value* a) {
  return is_identifier(a[0]) ? Value(identifier_of(a[0]).node) : c.badarg();
}

// There is one node.
Value nodes_0(Context&, const Value*) { return Value::nil(); }

Value nodes_1(Context& c, const Value* a) {
  static const Atom kThis = Atom::intern("this");
  static const Atom kKnown = Atom::intern("known");
  static const std::array<Atom, 3> others = {Atom::intern("hidden"), Atom::intern("visible"),
                                             Atom::intern("connected")};
  const auto items = a[0].is_atom() ? std::vector<Value>{a[0]} : proper_items(a[0]);
  if (!items) return c.badarg();
  bool with_this = false;
  for (const Value item : *items) {
    if (item.is_atom(kThis) || item.is_atom(kKnown)) {
      with_this = true;
    } else if (std::ranges::none_of(others, [&](Atom other) { return item.is_atom(other); })) {
      return c.badarg();
    }
  }
  const Value node(local_node());
  return with_this ? c.heap.list({&node, 1}) : Value::nil();
}

// With the facts about each node that are asked for.
Value nodes_2(Context& c, const Value* a) {
  if (!a[1].is_map()) return c.badarg();
  Value facts = empty_map(c.heap);
  MapPairs wanted(a[1]);
  for (Value name, is_wanted; wanted.next(name, is_wanted);) {
    const bool is_connection = name == atom("connection_id");
    if ((!is_connection && name != atom("node_type")) || !is_wanted.is_boolean()) return c.badarg();
    const Value fact = is_connection ? Value(atoms::undefined) : atom("this");
    if (is_wanted.is_atom(atoms::true_)) facts = map_put(c.heap, facts, name, fact);
  }
  const Value nodes = nodes_1(c, a);
  if (!nodes.is_cons()) return nodes;
  const Value pair = c.heap.tuple({nodes.head(), facts});
  return c.heap.list({&pair, 1});
}

Value make_ref_0(Context& c, const Value*) {
  return c.heap.reference(c.machine.numbers().reference(c.machine.process()));
}

Value unique_integer_0(Context& c, const Value*) {
  return Value::small(static_cast<int64_t>(c.machine.numbers().integer(c.machine.process())));
}

Value unique_integer_1(Context& c, const Value* a) {
  static const Atom positive = Atom::intern("positive");
  static const Atom monotonic = Atom::intern("monotonic");
  bool ascends = false;
  Value list = a[0];
  for (; list.is_cons(); list = list.tail()) {
    if (!list.head().is_atom(positive) && !list.head().is_atom(monotonic)) return c.badarg();
    ascends = ascends || list.head().is_atom(monotonic);
  }
  if (!list.is_nil()) return c.badarg();
  if (!ascends) return unique_integer_0(c, a);
  c.machine.events().access(SharedObject::Unique, AccessMode::Write, 0);
  return Value::small(static_cast<int64_t>(c.machine.numbers().ascending()));
}

// ---- As text ----------------------------------------------------------------

Value text_of(Context& c, Value value, bool ok) {
  return ok ? c.heap.string(print_identifier(identifier_of(value))) : c.badarg();
}
Value pid_to_list_1(Context& c, const Value* a) { return text_of(c, a[0], a[0].is_pid()); }
Value port_to_list_1(Context& c, const Value* a) { return text_of(c, a[0], a[0].is_port()); }
Value ref_to_list_1(Context& c, const Value* a) { return text_of(c, a[0], a[0].is_reference()); }

// The numbers of `prefix` N.N… `>`; as many as fit, empty if it is not that.
template <size_t N>
std::optional<std::array<uint64_t, N>> numbers_in(Value list, std::string_view prefix) {
  const auto text = latin1_text(list);
  if (!text || !text->starts_with(prefix) || !text->ends_with('>')) return std::nullopt;
  std::array<uint64_t, N> numbers;
  const char* at = text->data() + prefix.size();
  const char* end = text->data() + text->size() - 1;
  for (size_t i = 0; i < N; ++i) {
    if (i > 0 && (at == end || *at++ != '.')) return std::nullopt;
    const auto [next, error] = std::from_chars(at, end, numbers[i]);
    if (error != std::errc() || next == at) return std::nullopt;
    at = next;
  }
  if (at != end || numbers[0] != 0) return std::nullopt;
  return numbers;
}

// The parts of a pid have 15 and 13 bits in OTP.
Value list_to_pid_1(Context& c, const Value* a) {
  constexpr uint64_t kMaxNumber = (1 << 15) - 1;
  constexpr uint64_t kMaxSerial = (1 << 13) - 1;
  const auto n = numbers_in<3>(a[0], "<");
  if (!n || (*n)[1] > kMaxNumber || (*n)[2] > kMaxSerial) return c.badarg();
  Identifier identifier{OpaqueKind::Pid, local_node()};
  identifier.numbers = {static_cast<uint32_t>((*n)[1]), static_cast<uint32_t>((*n)[2])};
  identifier.count = 2;
  const auto number = local_number(identifier);
  return number ? Value::pid(*number) : c.badarg();
}

Value list_to_port_1(Context& c, const Value* a) {
  constexpr uint64_t kMaxNumber = (1 << 28) - 1;
  const auto n = numbers_in<2>(a[0], "#Port<");
  return n && (*n)[1] <= kMaxNumber ? Value::port((*n)[1]) : c.badarg();
}

Value list_to_ref_1(Context& c, const Value* a) {
  const auto n = numbers_in<4>(a[0], "#Ref<");
  if (!n || std::ranges::any_of(*n, [](uint64_t part) { return part > UINT32_MAX; })) {
    return c.badarg();
  }
  Identifier identifier{OpaqueKind::Reference, local_node()};
  identifier.numbers = {static_cast<uint32_t>((*n)[3]), static_cast<uint32_t>((*n)[2]),
                        static_cast<uint32_t>((*n)[1])};
  identifier.count = 3;
  const auto number = local_number(identifier);
  return number ? c.heap.reference(*number) : c.badarg();
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "self", 0, self_0},
    {"erlang", "node", 0, node_0},
    {"erlang", "node", 1, node_1},
    {"erlang", "nodes", 0, nodes_0},
    {"erlang", "nodes", 1, nodes_1},
    {"erlang", "nodes", 2, nodes_2, false, "facts about nodes"},
    {"erlang", "make_ref", 0, make_ref_0},
    {"erlang", "unique_integer", 0, unique_integer_0},
    {"erlang", "unique_integer", 1, unique_integer_1},
    {"erlang", "pid_to_list", 1, pid_to_list_1},
    {"erlang", "port_to_list", 1, port_to_list_1},
    {"erlang", "ref_to_list", 1, ref_to_list_1},
    {"erlang", "list_to_pid", 1, list_to_pid_1},
    {"erlang", "list_to_port", 1, list_to_port_1},
    {"erlang", "list_to_ref", 1, list_to_ref_1},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::identifier_natives
