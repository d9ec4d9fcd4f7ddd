// Integers and their decimal digits, both ways: an integer of n digits is a sum, a digit a
// remainder of a quotient. Up to six digits; longer ones only as concrete values. The digits are
// the elements of a list, or the bytes of a binary.
#include "symbolic/asking.h"
#include "values/lists.h"

namespace fathom::symbolic {

namespace {
constexpr int kMostDigits = 6;
constexpr const char* kLongerTexts = "texts of integers with more than 6 digits";
}  // namespace

// integer_to_list/1 and integer_to_binary/1 of an unknown integer.
Asking::Step Asking::digits_of(Value v, bool is_binary) {
  if (!(store_.state(v).shapes & shape::kInteger)) return run();
  if (store_.state(v).shapes != shape::kInteger) {
    ask_type(v, shape::kInteger);
    for (Way& w : ways_) w.verdict.reset();
    return ask();
  }
  Expressions& e = store_.expressions();
  const ExprId term = store_.state(v).term;
  const Condition is_negative{Relation::Less, term, e.constant(0)};
  const bool may_be_negative = store_.possible(is_negative) != Answer::No;
  if (may_be_negative && store_.possible(is_negative.negated()) != Answer::No) {
    way([this, c = is_negative.negated()] { return store_.assume(c); }, {}, 0,
        is_negative.negated());
    way([this, is_negative] { return store_.assume(is_negative); }, {}, 2, is_negative);
    return ask();
  }
  const ExprId size = may_be_negative ? e.binary(ExprOp::Subtract, e.constant(0), term) : term;
  int64_t power = 1;
  for (int n = 1; n <= kMostDigits; ++n, power *= 10) {
    const Condition low{Relation::LessEqual, e.constant(n == 1 ? 0 : power), size};
    const Condition high{Relation::Less, size, e.constant(power * 10)};
    const bool is_known = store_.possible(low.negated()) == Answer::No &&
                          store_.possible(high.negated()) == Answer::No;
    if (is_known) {
      ways_.clear();
      return result(text_of_digits(size, power, may_be_negative, is_binary));
    }
    way([this, low, high] { return store_.assume(low) && store_.assume(high); }, {}, n, low);
  }
  cut.insert("integers of more than 6 digits, as texts");
  return ask();
}

// Of a number with as many digits as the power of ten.
Value Asking::text_of_digits(ExprId size, int64_t power, bool is_negative, bool is_binary) {
  Expressions& e = store_.expressions();
  std::vector<Value> text;
  if (is_negative) text.push_back(Value::small('-'));
  for (; power > 0; power /= 10) {
    const ExprId quotient = e.binary(ExprOp::Divide, size, e.constant(power));
    const ExprId digit = e.binary(ExprOp::Remainder, quotient, e.constant(10));
    text.push_back(store_.fresh_integer(e.binary(ExprOp::Add, digit, e.constant('0'))));
  }
  return is_binary ? store_.binary_of(text) : machine_.heap().list(text);
}

// list_to_integer/1 of a list that is unknown, or has unknown elements.
Asking::Step Asking::number_of(Value list) {
  list = Store::known(list);
  if (list.is_unknown() && (store_.state(list).shapes & shape::kCons)) {
    cut.insert(kLongerTexts);
    for (int n = 1; n <= kMostDigits; ++n) {
      for (const bool is_negative : {false, true}) {
        way(
            [this, list, n, is_negative] {
              const TypeId digit = store_.types().of(
                  {{.kind = Alternative::Kind::Integer, .low = '0', .high = '9'}});
              std::vector<Value> digits;
              if (is_negative) digits.push_back(Value::small('-'));
              for (int i = 0; i < n; ++i) digits.push_back(store_.fresh(digit));
              return store_.bind(list, machine_.heap().list(digits));
            },
            {}, is_negative ? n + 2 : n);
      }
    }
    if (store_.state(list).shapes & shape::kNil) {
      way([this, list] { return store_.bind(list, Value::nil()); }, {}, 3);
    }
    const Shapes rest = store_.state(list).shapes & static_cast<Shapes>(~shape::kList);
    if (rest) way([this, list, rest] { return store_.restrict_to(list, rest); }, {}, 4);
    return ask();
  }
  if (!require(list, 'L')) return ask();
  const Value whole = store_.resolved(list);
  std::vector<Value> digits;
  Value rest = whole;
  for (; rest.is_cons(); rest = rest.tail()) digits.push_back(rest.head());
  return rest.is_nil() ? number_of_digits(digits) : run();
}

// binary_to_integer/1 of a binary that is unknown.
std::optional<Asking::Step> Asking::number_of_bytes(Value binary) {
  if (!binary.is_unknown()) return {};
  if (const auto step = ask_size(binary)) return *step;
  std::vector<Value> digits;
  for (const Store::Entry& entry : store_.entries(binary)) digits.push_back(entry.value);
  return number_of_digits(digits);
}

// The number, or badarg, which is left to the native function.
Asking::Step Asking::number_of_digits(std::span<const Value> digits) {
  Expressions& e = store_.expressions();
  ExprId sum = e.constant(0);
  bool is_negative = false;
  for (size_t i = 0; i < digits.size(); ++i) {
    const Value digit = Store::known(digits[i]);
    if (digit.is_unknown() && store_.state(digit).shapes != shape::kInteger) {
      if (!(store_.state(digit).shapes & shape::kInteger)) return run();
      ask_type(digit, shape::kInteger);
      for (Way& w : ways_) w.verdict.reset();
      return ask();
    }
    const bool may_be_sign = i == 0 && digits.size() > 1;
    if (may_be_sign && (digit == Value::small('-') || digit == Value::small('+'))) {
      is_negative = digit == Value::small('-');
      continue;
    }
    const auto term = store_.term_of(digit);
    if (!term) return run();
    const Condition low{Relation::LessEqual, e.constant('0'), *term};
    const Condition high{Relation::LessEqual, *term, e.constant('9')};
    if (store_.possible(low) == Answer::No || store_.possible(high) == Answer::No) return run();
    if (store_.possible(low.negated()) != Answer::No ||
        store_.possible(high.negated()) != Answer::No) {
      way([this, low, high] { return store_.assume(low) && store_.assume(high); }, {}, 0, low);
      other_character_ways(digit, *term, may_be_sign);
      return ask();
    }
    const ExprId value = e.binary(ExprOp::Subtract, *term, e.constant('0'));
    sum = e.binary(ExprOp::Add, e.binary(ExprOp::Multiply, sum, e.constant(10)), value);
  }
  if (digits.empty()) return run();
  if (is_negative) sum = e.binary(ExprOp::Subtract, e.constant(0), sum);
  return result(store_.fresh_integer(sum));
}

// A character that is no digit: a sign, or an x, which stands for all others where it is possible.
void Asking::other_character_ways(Value digit, ExprId term, bool may_be_sign) {
  Expressions& e = store_.expressions();
  const auto is = [&](char c) { return Condition{Relation::Equal, term, e.constant(c)}; };
  const auto bind_way = [&](char c, int cost) {
    way([this, digit, c] { return store_.bind(digit, Value::small(c)); }, {}, cost, is(c));
  };
  if (may_be_sign) bind_way('-', 2);
  if (store_.possible(is('x')) != Answer::No) return bind_way('x', 3);
  const Condition below{Relation::Less, term, e.constant('0')};
  const Condition above{Relation::Less, e.constant('9'), term};
  for (const Condition& c : {below, above}) {
    way([this, c] { return store_.assume(c); }, {}, 3, c);
  }
}

}  // namespace fathom::symbolic
