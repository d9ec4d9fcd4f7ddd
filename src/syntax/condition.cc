// Recursion here is on the nesting of a directive's expression, which is cut at
// kMaxDepth: no condition that a person wrote comes near it.
#include "syntax/condition.h"

#include <cmath>
#include <optional>
#include <span>

#include "base/term.h"
#include "syntax/abstract.h"

namespace fathom {
namespace {

constexpr int kMaxDepth = 500;

class Evaluator {
 public:
  Evaluator(const Unit& unit, const std::function<bool(Atom)>& is_defined)
      : unit_(unit), ast_(unit.ast), is_defined_(is_defined) {}

  Condition condition(NodeId id) {
    const std::optional<Term> value = evaluate(id);
    if (too_deep_) return Condition::TooDeep;
    if (illegal_) return Condition::Illegal;
    return value && value->is_atom(atoms::true_) ? Condition::True : Condition::False;
  }

 private:
  using Value = std::optional<Term>;

  Value illegal() {
    illegal_ = true;
    return std::nullopt;
  }

  static Term boolean(bool b) { return b ? atoms::true_ : atoms::false_; }

  Value evaluate(NodeId id) {
    struct Depth {
      int& depth;
      explicit Depth(int& d) : depth(++d) {}
      ~Depth() { --depth; }
    } guard(depth_);
    too_deep_ = too_deep_ || depth_ > kMaxDepth;
    if (too_deep_) return illegal();
    switch (ast_.kind(id)) {
      case NodeKind::BinaryOp:
        return binary(ast_.get<node::BinaryOp>(id));
      case NodeKind::UnaryOp:
        return unary(ast_.get<node::UnaryOp>(id));
      case NodeKind::Call:
        return call(ast_.get<node::Call>(id));
      case NodeKind::Tuple: {
        std::vector<Term> items;
        if (!evaluate_all(ast_.list(ast_.get<node::Tuple>(id).elements), items)) return std::nullopt;
        return arena_.tuple(items);
      }
      case NodeKind::List: {
        const auto view = ast_.get<node::List>(id);
        std::vector<Term> items;
        if (!evaluate_all(ast_.list(view.elements), items)) return std::nullopt;
        const Value tail = exists(view.tail) ? evaluate(view.tail) : Term();
        if (!tail) return std::nullopt;
        return arena_.list(items, *tail);
      }
      case NodeKind::Var:
        return illegal();
      default: {
        auto value = constant_value(unit_, id, arena_, NameArity::Refused);
        if (!value) return illegal();
        return *value;
      }
    }
  }

  bool evaluate_all(std::span<const NodeId> ids, std::vector<Term>& out) {
    for (const NodeId id : ids) {
      const Value value = evaluate(id);
      if (!value) return false;
      out.push_back(*value);
    }
    return true;
  }

  Value unary(const node::UnaryOp& op) {
    const Value x = evaluate(op.operand);
    if (!x) return x;
    if (op.op == atoms::not_) {
      if (!is_boolean(*x)) return std::nullopt;
      return boolean(x->is_atom(atoms::false_));
    }
    if (op.op == atoms::plus) return is_number(*x) ? x : std::nullopt;
    if (op.op == atoms::minus) return arithmetic(atoms::minus, Term(0), *x);
    if (op.op == atoms::bnot_ && x->is_small()) return arena_.integer(~x->small());
    return std::nullopt;
  }

  Value binary(const node::BinaryOp& op) {
    if (op.op == atoms::andalso_ || op.op == atoms::orelse_) return short_circuit(op);
    if (op.op == atoms::bang) return illegal();
    const Value a = evaluate(op.left);
    const Value b = evaluate(op.right);
    if (!a || !b) return std::nullopt;
    if (const auto result = comparison(op.op, *a, *b)) return boolean(*result);
    switch (op.op.id()) {
      case atoms::and_.id():
      case atoms::or_.id():
      case atoms::xor_.id(): {
        if (!is_boolean(*a) || !is_boolean(*b)) return std::nullopt;
        const bool x = a->is_atom(atoms::true_);
        const bool y = b->is_atom(atoms::true_);
        return boolean(op.op == atoms::and_ ? x && y : op.op == atoms::or_ ? x || y : x != y);
      }
      default:
        return arithmetic(op.op, *a, *b);
    }
  }

  Value short_circuit(const node::BinaryOp& op) {
    const Value a = evaluate(op.left);
    if (!a || !is_boolean(*a)) {
      evaluate(op.right);  // it must be legal all the same
      return std::nullopt;
    }
    const bool decided = a->is_atom(op.op == atoms::andalso_ ? atoms::false_ : atoms::true_);
    const bool was_illegal = illegal_;
    const Value b = evaluate(op.right);
    if (illegal_ && !was_illegal) return std::nullopt;
    return decided ? a : b;
  }

  static std::optional<bool> comparison(Atom op, Term a, Term b) {
    switch (op.id()) {
      case atoms::equal_equal.id():
        return compare(a, b) == 0;
      case atoms::slash_equal.id():
        return compare(a, b) != 0;
      case atoms::equal_less.id():
        return compare(a, b) <= 0;
      case atoms::less.id():
        return compare(a, b) < 0;
      case atoms::greater_equal.id():
        return compare(a, b) >= 0;
      case atoms::greater.id():
        return compare(a, b) > 0;
      case atoms::equal_colon_equal.id():
        return equal(a, b);
      case atoms::equal_slash_equal.id():
        return !equal(a, b);
      default:
        return std::nullopt;
    }
  }

  static bool is_number(Term t) { return t.is_integer() || t.is_float(); }
  static bool is_boolean(Term t) { return t.is_atom(atoms::true_) || t.is_atom(atoms::false_); }
  static double to_double(Term t) {
    return t.is_float() ? t.to_float() : static_cast<double>(t.small());
  }

  // Integers beyond 60 bits are left alone: the condition then fails.
  Value arithmetic(Atom op, Term a, Term b) {
    if (a.is_small() && b.is_small() && op != atoms::slash) return integers(op, a.small(), b.small());
    if ((!a.is_small() && !a.is_float()) || (!b.is_small() && !b.is_float())) return std::nullopt;
    const double x = to_double(a);
    const double y = to_double(b);
    double result;
    switch (op.id()) {
      case atoms::plus.id():
        result = x + y;
        break;
      case atoms::minus.id():
        result = x - y;
        break;
      case atoms::star.id():
        result = x * y;
        break;
      case atoms::slash.id():
        result = x / y;
        break;
      default:
        return std::nullopt;
    }
    if (!std::isfinite(result)) return std::nullopt;
    return arena_.real(result);
  }

  Value integers(Atom op, int64_t a, int64_t b) {
    int64_t r = 0;
    bool overflow = false;
    switch (op.id()) {
      case atoms::plus.id():
        overflow = __builtin_add_overflow(a, b, &r);
        break;
      case atoms::minus.id():
        overflow = __builtin_sub_overflow(a, b, &r);
        break;
      case atoms::star.id():
        overflow = __builtin_mul_overflow(a, b, &r);
        break;
      case atoms::div_.id():
      case atoms::rem_.id():
        if (b == 0) return std::nullopt;
        r = op == atoms::div_ ? a / b : a % b;
        break;
      case atoms::band_.id():
        r = a & b;
        break;
      case atoms::bor_.id():
        r = a | b;
        break;
      case atoms::bxor_.id():
        r = a ^ b;
        break;
      case atoms::bsl_.id():
        overflow = b < 0 || b > 60 || __builtin_mul_overflow(a, int64_t{1} << b, &r);
        break;
      case atoms::bsr_.id():
        if (b < 0) return std::nullopt;
        r = a >> std::min<int64_t>(b, 63);
        break;
      default:
        return std::nullopt;
    }
    if (overflow) return std::nullopt;
    return arena_.integer(r);
  }

  Value call(const node::Call& call) {
    if (!ast_.is(call.function, NodeKind::Atom)) return illegal();
    const Atom name = ast_.get<node::Atom>(call.function).value;
    const auto arguments = ast_.list(call.arguments);
    if (name == atoms::defined && arguments.size() == 1) {
      const NodeKind kind = ast_.kind(arguments[0]);
      if (kind == NodeKind::Var) return boolean(is_defined_(ast_.get<node::Var>(arguments[0]).name));
      if (kind == NodeKind::Atom) return boolean(is_defined_(ast_.get<node::Atom>(arguments[0]).value));
      return illegal();
    }
    std::vector<Term> values;
    if (!evaluate_all(arguments, values)) return std::nullopt;
    return guard_bif(name.text(), values);
  }

  Value guard_bif(std::string_view name, const std::vector<Term>& args) {
    if (args.size() == 1) return guard_bif_1(name, args[0]);
    if (args.size() != 2) return std::nullopt;
    if (name == "element" && args[0].is_small() && args[1].is_tuple()) {
      const int64_t i = args[0].small();
      const auto items = args[1].tuple();
      if (i >= 1 && static_cast<size_t>(i) <= items.size()) return items[static_cast<size_t>(i) - 1];
    }
    if (name == "max") return compare(args[0], args[1]) >= 0 ? args[0] : args[1];
    if (name == "min") return compare(args[0], args[1]) <= 0 ? args[0] : args[1];
    return std::nullopt;
  }

  Value guard_bif_1(std::string_view name, Term x) {
    if (name == "is_atom") return boolean(x.is_atom());
    if (name == "is_integer") return boolean(x.is_integer());
    if (name == "is_float") return boolean(x.is_float());
    if (name == "is_number") return boolean(is_number(x));
    if (name == "is_list") return boolean(x.is_list());
    if (name == "is_tuple") return boolean(x.is_tuple());
    if (name == "is_binary") return boolean(x.is_binary());
    if (name == "is_bitstring") return boolean(x.is_bitstring());
    if (name == "is_boolean") return boolean(is_boolean(x));
    if (name == "is_map") return boolean(x.is_map());
    if (name == "length" && x.is_list() && x.list().is_proper()) return arena_.integer(uint64_t{x.list().size()});
    if (name == "tuple_size" && x.is_tuple()) return arena_.integer(uint64_t{x.tuple().size()});
    if (name == "size" && x.is_tuple()) return arena_.integer(uint64_t{x.tuple().size()});
    if (name == "hd" && x.is_cons()) return x.list().front();
    if (name == "byte_size" && x.is_bitstring()) return arena_.integer((x.bits().bit_count + 7) / 8);
    if (name == "bit_size" && x.is_bitstring()) return arena_.integer(x.bits().bit_count);
    if (name == "abs" && x.is_small()) return arena_.integer(std::abs(x.small()));
    if (name == "abs" && x.is_float()) return arena_.real(std::fabs(x.to_float()));
    return std::nullopt;
  }

  const Unit& unit_;
  const Ast& ast_;
  const std::function<bool(Atom)>& is_defined_;
  TermArena arena_;
  int depth_ = 0;
  bool too_deep_ = false;
  bool illegal_ = false;
};

}  // namespace

Condition evaluate_condition(const Unit& unit, NodeId expression,
                             const std::function<bool(Atom)>& is_defined) {
  return Evaluator(unit, is_defined).condition(expression);
}

}  // namespace fathom
