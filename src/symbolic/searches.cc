// Native functions that look for an element of a list: lists:member/2, lists:keyfind/3 and their
// like, with unknown values.
//
// They are taken as the recursive functions that they are in the documentation: is it the first
// element, or else the second, and so on. So only as much of the list is made known as a search
// comes to, and of an element only what is compared. Each question is one that the program could
// have asked itself.
#include <algorithm>

#include "base/budget.h"
#include "code/code_table.h"
#include "symbolic/asking.h"

namespace fathom::symbolic {

using machine::Export;

std::optional<Asking::Step> Asking::list_search(const Export& target, std::span<Value*> arguments) {
  const std::string_view name = target.name.text();
  if (name == "member" && arguments.size() == 2) return member_of(*arguments[0], *arguments[1]);
  const bool has_key = name == "keyfind" || name == "keymember" || name == "keysearch";
  if (!has_key || arguments.size() != 3) return {};
  if (!require(*arguments[1], 'I')) return ask();
  const Value position = Store::known(*arguments[1]);
  if (!position.is_small() || position.small() < 1) return {};  // badarg
  return key_search(name, *arguments[0], static_cast<size_t>(position.small()), *arguments[2]);
}

// Whether what is looked for is equal to an element; none: that was asked. The instruction is asked
// about again, so what was answered must be found again.
std::optional<bool> Asking::ask_element(Value a, Value b, bool is_exact) {
  std::vector<Pair> open;
  const Truth truth = store_.same(a, b, open, is_exact);
  if (truth != Truth::Open) return truth == Truth::Yes;
  if (store_.are_different(a, b, is_exact)) return false;
  const Shapes both = store_.shapes_of(a) & store_.shapes_of(b);
  if (!is_exact && (both & shape::kNumber)) cut.insert("numbers that are equal as 1 and 1.0 are");
  if (both & shape::kFun) cut.insert(kComparedFuns);
  std::optional<Condition> equal;
  std::optional<Condition> different;
  const auto x = store_.term_of(a);
  const auto y = x ? store_.term_of(b) : std::nullopt;
  if (x && y) {
    equal = Condition{Relation::Equal, *x, *y};
    different = equal->negated();
  }
  way([this, a, b] { return store_.make_equal(a, b); }, {}, 0, equal);
  way([this, a, b, is_exact] { return store_.make_different(a, b, is_exact); }, {}, 0, different);
  return std::nullopt;
}

// None: it is not there, or the list is not a proper one.
std::optional<Asking::Step> Asking::member_of(Value x, Value list) {
  if (!require(list, 'L')) return ask();
  for (Value l = Store::known(list); l.is_cons(); l = Store::known(l.tail())) {
    const auto is_equal = ask_element(x, l.head(), true);
    if (!is_equal) return ask();
    if (*is_equal) return result(Value(atoms::true_));
  }
  return {};
}

// Whether it is a tuple with an element there, and then which size it has.
void Asking::keyed_tuple_ways(Value v, size_t position) {
  const Shapes shapes = store_.state(v).shapes;
  if (const auto rest = static_cast<Shapes>(shapes & ~shape::kTuple)) {
    way([this, v] { return store_.restrict_to(v, shape::kTuple); }, {}, 1);
    way([this, v, rest] { return store_.restrict_to(v, rest); }, {}, cost_of(rest) + 2);
    return;
  }
  // A key and a value is what most have.
  const size_t usual = std::max<size_t>(position, 2);
  for (const size_t size : tuple_sizes(v, position - 1, position + 2)) {
    tuple_ways(v, size, {}, size == usual ? 0 : size < position ? 2 : 1);
  }
}

// None: the list is not a proper one.
std::optional<Asking::Step> Asking::key_search(std::string_view name, Value key, size_t position,
                                               Value list) {
  for (Value l = Store::known(list);; l = Store::known(l.tail())) {
    spend();
    if (!require(l, 'C')) return ask();
    if (l.is_nil()) return result(Value(atoms::false_));
    if (!l.is_cons()) return {};
    const Value element = Store::known(l.head());
    if (element.is_unknown() && (store_.state(element).shapes & shape::kTuple)) {
      keyed_tuple_ways(element, position);
      if (!ways_.empty()) return ask();
    }
    if (!element.is_tuple() || element.arity() < position) continue;
    const auto is_equal = ask_element(key, element.element(position - 1), false);
    if (!is_equal) return ask();
    if (!*is_equal) continue;
    if (name == "keymember") return result(Value(atoms::true_));
    if (name == "keyfind") return result(element);
    static const Atom value = Atom::intern("value");
    return result(machine_.heap().tuple({Value(value), element}));
  }
}

}  // namespace fathom::symbolic
