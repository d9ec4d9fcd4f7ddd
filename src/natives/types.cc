// Type tests as functions, min and max, and what maps are asked in guards.
#include "natives/families.h"
#include "natives/options.h"
#include "values/compare.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine::type_natives {
namespace {

#define TYPE_TEST(name, test) \
  Value name(Context&, const Value* a) { return Value::boolean(test); }

TYPE_TEST(is_atom_1, a[0].is_atom())
TYPE_TEST(is_binary_1, a[0].is_binary())
TYPE_TEST(is_bitstring_1, a[0].is_bitstring())
TYPE_TEST(is_boolean_1, a[0].is_boolean())
TYPE_TEST(is_float_1, a[0].is_float())
TYPE_TEST(is_function_1, a[0].is_fun())
TYPE_TEST(is_integer_1, a[0].is_integer())
TYPE_TEST(is_list_1, a[0].is_list())
TYPE_TEST(is_map_1, a[0].is_map())
TYPE_TEST(is_number_1, a[0].is_number())
TYPE_TEST(is_pid_1, a[0].is_pid())
TYPE_TEST(is_port_1, a[0].is_port())
TYPE_TEST(is_reference_1, a[0].is_reference())
TYPE_TEST(is_tuple_1, a[0].is_tuple())
TYPE_TEST(same_term_2, a[0] == a[1])

bool has_arity(Value fun, int64_t arity) {
  if (fun.is_box(BoxKind::Fun)) {
    const LocalFunction& code = *fun.fun_code();
    return code.arity - code.captures == arity;
  }
  return fun.is_box(BoxKind::ExternalFun) && fun.external()->arity == arity;
}

Value is_function_2(Context& c, const Value* a) {
  if (a[1].is_box(BoxKind::BigPositive)) return Value::boolean(false);
  if (!a[1].is_small() || a[1].small() < 0) return c.badarg();
  return Value::boolean(has_arity(a[0], a[1].small()));
}

bool is_tagged(Value tuple, Value tag) {
  return tuple.is_tuple() && tuple.arity() > 0 && tuple.element(0) == tag;
}

Value is_record_2(Context& c, const Value* a) {
  if (!a[1].is_atom()) return c.badarg();
  return Value::boolean(is_tagged(a[0], a[1]));
}

Value is_record_3(Context& c, const Value* a) {
  if (!a[1].is_atom() || !small_in(a[2], -kMostSmallInOtp - 1, kMostSmallInOtp)) return c.badarg();
  return Value::boolean(is_tagged(a[0], a[1]) &&
                        static_cast<int64_t>(a[0].arity()) == a[2].small());
}

Value max_2(Context&, const Value* a) { return compare(a[0], a[1]) < 0 ? a[1] : a[0]; }
Value min_2(Context&, const Value* a) { return compare(a[0], a[1]) > 0 ? a[1] : a[0]; }

// ---- Maps -------------------------------------------------------------------

Value bad_map(Context& c, Value value) {
  static const Atom badmap = Atom::intern("badmap");
  return c.error(c.heap.tuple({Value(badmap), value}));
}

Value map_size_1(Context& c, const Value* a) {
  if (!a[0].is_map()) return bad_map(c, a[0]);
  return Value::small(static_cast<int64_t>(map_size(a[0])));
}

Value map_get_2(Context& c, const Value* a) {
  if (!a[1].is_map()) return bad_map(c, a[1]);
  const Value found = map_get(a[1], a[0]);
  if (!found.is_none()) return found;
  static const Atom badkey = Atom::intern("badkey");
  return c.error(c.heap.tuple({Value(badkey), a[0]}));
}

Value is_map_key_2(Context& c, const Value* a) {
  if (!a[1].is_map()) return bad_map(c, a[1]);
  return Value::boolean(!map_get(a[1], a[0]).is_none());
}

// As erts_internal has it: the exact order, as a number.

constexpr NativeEntry kEntries[] = {
    {"erlang", "is_atom", 1, is_atom_1},
    {"erlang", "is_binary", 1, is_binary_1},
    {"erlang", "is_bitstring", 1, is_bitstring_1},
    {"erlang", "is_boolean", 1, is_boolean_1},
    {"erlang", "is_float", 1, is_float_1},
    {"erlang", "is_function", 1, is_function_1},
    {"erlang", "is_function", 2, is_function_2},
    {"erlang", "is_integer", 1, is_integer_1},
    {"erlang", "is_list", 1, is_list_1},
    {"erlang", "is_map", 1, is_map_1},
    {"erlang", "is_number", 1, is_number_1},
    {"erlang", "is_pid", 1, is_pid_1},
    {"erlang", "is_port", 1, is_port_1},
    {"erlang", "is_record", 2, is_record_2},
    {"erlang", "is_record", 3, is_record_3},
    {"erlang", "is_reference", 1, is_reference_1},
    {"erlang", "is_tuple", 1, is_tuple_1},
    {"erlang", "max", 2, max_2},
    {"erlang", "min", 2, min_2},
    {"erlang", "map_size", 1, map_size_1},
    {"erlang", "map_get", 2, map_get_2},
    {"erlang", "is_map_key", 2, is_map_key_2},
    {"erts_debug", "same", 2, same_term_2},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::type_natives
