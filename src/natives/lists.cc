// The functions of lists that OTP writes in C.
#include "values/lists.h"

#include "base/budget.h"
#include "natives/families.h"
#include "natives/options.h"
#include "values/compare.h"

namespace fathom::machine::list_natives {
namespace {

Value reverse_2(Context& c, const Value* a) {
  if (a[0].is_nil()) return c.passed_argument(a[1], 1);
  const uint64_t* const last = c.heap.top();  // the cell that will be
  Value result = a[1];
  Value rest = a[0];
  for (; rest.is_cons(); rest = rest.tail()) {
    spend();
    result = c.heap.cons(rest.head(), result);
    c.heap.carry_labels(rest.words(), result.words());
  }
  if (!rest.is_nil()) return c.badarg();
  c.carry_label(1, last + 1);
  return result;
}

Value member_2(Context& c, const Value* a) {
  Value rest = a[1];
  for (; rest.is_cons(); rest = rest.tail()) {
    spend();
    if (equal_exact(rest.head(), a[0])) return Value(atoms::true_);
  }
  return rest.is_nil() ? Value(atoms::false_) : c.badarg();
}

// The first tuple that has a key == the wanted one at the place, `missing` if there
// is none, none() if the arguments are bad.
Value find_key(const Value* a, Value missing) {
  if (!small_in(a[1], 1, kMostSmallInOtp)) return Value::none();
  const auto place = static_cast<size_t>(a[1].small());
  Value rest = a[2];
  for (; rest.is_cons(); rest = rest.tail()) {
    spend();
    const Value item = rest.head();
    if (item.is_tuple() && item.arity() >= place && equal(item.element(place - 1), a[0])) {
      return item;
    }
  }
  return rest.is_nil() ? missing : Value::none();
}

Value keyfind_3(Context& c, const Value* a) {
  const Value found = find_key(a, Value(atoms::false_));
  return found.is_none() ? c.badarg() : found;
}

Value keymember_3(Context& c, const Value* a) {
  const Value found = find_key(a, Value(atoms::false_));
  return found.is_none() ? c.badarg() : Value::boolean(found.is_tuple());
}

Value keysearch_3(Context& c, const Value* a) {
  static const Atom value = Atom::intern("value");
  const Value found = find_key(a, Value(atoms::false_));
  if (found.is_none()) return c.badarg();
  return found.is_tuple() ? c.heap.tuple({Value(value), found}) : found;
}

constexpr NativeEntry kEntries[] = {
    {"lists", "reverse", 2, reverse_2},     {"lists", "member", 2, member_2},
    {"lists", "keyfind", 3, keyfind_3},     {"lists", "keymember", 3, keymember_3},
    {"lists", "keysearch", 3, keysearch_3},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::list_natives
