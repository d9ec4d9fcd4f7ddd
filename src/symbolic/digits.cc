// Integers and their decimal digits, both ways: an integer of n digits is a sum, a digit a
// remainder of a quotient. Up to six digits; longer ones only as concrete values.
#include "symbolic/asking.h"
#include "values/lists.h"

namespace fathom::symbolic {

namespace {
constexpr int kMostDigits = 6;
}

// integer_to_list/1 of an unknown integer.
Asking::Step Asking::digits_of(Value v) {
  const UnknownState s = store_.state(v);
  if (!(s.shapes & shape::kInteger)) return run();
  if (s.shapes != shape::kInteger) {
    ask_type(v, shape::kInteger);
    for (Way& w : ways_) w.verdict.reset();
    return ask();
  }
  Expressions& e = store_.expressions();
  const auto is_less = [&](int64_t a, int64_t b, bool with_low) {
    return with_low ? Condition{Relation::LessEqual, e.constant(a), s.term}
                    : Condition{Relation::Less, s.term, e.constant(b)};
  };
  int64_t power = 1;
  for (int n = 1; n <= kMostDigits; ++n, power *= 10) {
    const Condition low = is_less(n == 1 ? 0 : power, 0, true);
    const Condition high = is_less(0, power * 10, false);
    const bool is_known = store_.possible(low.negated()) == Answer::No &&
                          store_.possible(high.negated()) == Answer::No;
    if (is_known) {
      ways_.clear();
      std::vector<Value> digits;
      for (int64_t p = power; p > 0; p /= 10) {
        const ExprId quotient = e.binary(ExprOp::Divide, s.term, e.constant(p));
        const ExprId digit = e.binary(ExprOp::Remainder, quotient, e.constant(10));
        digits.push_back(store_.fresh_integer(e.binary(ExprOp::Add, digit, e.constant('0'))));
      }
      return result(machine_.heap().list(digits));
    }
    way([this, low, high] { return store_.assume(low) && store_.assume(high); }, {}, n, low);
  }
  cut.insert("negative integers, and such of more than 6 digits, as texts");
  return ask();
}

// list_to_integer/1 of a list that is unknown, or has unknown elements.
Asking::Step Asking::number_of(Value list) {
  list = Store::known(list);
  cut.insert("texts of integers with a sign, or with more than 6 digits");
  if (list.is_unknown() && (store_.state(list).shapes & shape::kCons)) {
    for (int n = 1; n <= kMostDigits; ++n) {
      way(
          [this, list, n] {
            const TypeId digit =
                store_.types().of({{.kind = Alternative::Kind::Integer, .low = '0', .high = '9'}});
            std::vector<Value> digits;
            digits.reserve(static_cast<size_t>(n));
            for (int i = 0; i < n; ++i) digits.push_back(store_.fresh(digit));
            return store_.bind(list, machine_.heap().list(digits));
          },
          {}, n);
    }
    if (store_.state(list).shapes & shape::kNil) {
      way([this, list] { return store_.bind(list, Value::nil()); }, {}, 3);
    }
    const Shapes rest = store_.state(list).shapes & static_cast<Shapes>(~shape::kList);
    if (rest) way([this, list, rest] { return store_.restrict_to(list, rest); }, {}, 4);
    return ask();
  }
  if (!require(list, 'L')) return ask();
  Expressions& e = store_.expressions();
  ExprId sum = e.constant(0);
  const Value whole = store_.resolved(list);
  for (Value l = whole; l.is_cons(); l = l.tail()) {
    const Value digit = l.head();
    if (digit.is_unknown() && store_.state(digit).shapes != shape::kInteger) {
      if (!(store_.state(digit).shapes & shape::kInteger)) return run();
      ask_type(digit, shape::kInteger);
      for (Way& w : ways_) w.verdict.reset();
      return ask();
    }
    const auto term = store_.term_of(digit);
    if (!term) return run();
    const Condition low{Relation::LessEqual, e.constant('0'), *term};
    const Condition high{Relation::LessEqual, *term, e.constant('9')};
    for (const Condition& c : {low, high}) {
      const Condition not_c = c.negated();
      if (store_.possible(not_c) == Answer::No) continue;
      way([this, c] { return store_.assume(c); }, {}, 0, c);
      way([this, digit] { return store_.bind(digit, Value::small('x')); }, {}, 3, not_c);
      return ask();
    }
    sum = e.binary(ExprOp::Add, e.binary(ExprOp::Multiply, sum, e.constant(10)),
                   e.binary(ExprOp::Subtract, *term, e.constant('0')));
  }
  if (!whole.is_cons()) return run();
  return result(store_.fresh_integer(sum));
}

}  // namespace fathom::symbolic
