// Recursion here is on the nesting of a directive's expression, which is cut at
// kMaxDepth: no condition that a person wrote comes near it.
#include "syntax/condition.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "base/term_arithmetic.h"
#include "syntax/abstract.h"

namespace fathom {
namespace {

constexpr int kMaxDepth = 500;

class Evaluator {
 public:
  Evaluator(const Unit& unit, const std::function<bool(Atom)>& is_defined)
      : unit_(unit), ast_(unit.ast), is_defined_(is_defined) {}

  Condition condition(NodeId id) {
    const bool legal = is_legal(id);
    if (too_deep_) return Condition::TooDeep;
    if (!legal) return Condition::Illegal;
    const std::optional<Term> value = evaluate(id);
    if (too_deep_) return Condition::TooDeep;
    return value && value->is_atom(atoms::true_) ? Condition::True : Condition::False;
  }

 private:
  using Value = std::optional<Term>;  // empty: the evaluation fails

  struct Depth {
    int& depth;
    explicit Depth(int& d) : depth(++d) {}
    ~Depth() { --depth; }
  };

  // What erl_lint takes for a guard expression. Any function may be called: one that
  // does not exist makes the condition false.
  bool is_legal(NodeId id) {
    const Depth guard(depth_);
    if (depth_ > kMaxDepth) too_deep_ = true;
    if (too_deep_) return false;
    switch (ast_.kind(id)) {
      case NodeKind::Atom:
      case NodeKind::Var:
      case NodeKind::Integer:
      case NodeKind::Char:
      case NodeKind::Float:
      case NodeKind::String:
      case NodeKind::SegmentType:
        return true;
      case NodeKind::BinaryOp:
        if (!is_guard_operator(ast_.get<node::BinaryOp>(id).op)) return false;
        break;
      case NodeKind::Call: {
        const auto call = ast_.get<node::Call>(id);
        if (is_defined_call(call)) return has_name(ast_.list(call.arguments)[0]);
        if (!ast_.is(call.function, NodeKind::Atom) && !is_guard_bif_of_erlang(call)) return false;
        break;
      }
      case NodeKind::Remote:
      case NodeKind::UnaryOp:
      case NodeKind::Tuple:
      case NodeKind::List:
      case NodeKind::Binary:
      case NodeKind::Segment:
      case NodeKind::Map:
      case NodeKind::MapUpdate:
      case NodeKind::MapAssoc:
      case NodeKind::MapExact:
        break;
      default:
        return false;
    }
    bool legal = true;
    ast_.for_each_child(id, [&](NodeId child) { legal = legal && is_legal(child); });
    return legal;
  }

  static bool is_guard_operator(Atom op) {
    return op != atoms::bang && op != atoms::plus_plus && op != atoms::minus_minus;
  }

  bool is_defined_call(const node::Call& call) const {
    return ast_.is(call.function, NodeKind::Atom) &&
           ast_.get<node::Atom>(call.function).value == atoms::defined &&
           ast_.list(call.arguments).size() == 1;
  }

  bool has_name(NodeId id) const {
    return ast_.is(id, NodeKind::Var) || ast_.is(id, NodeKind::Atom);
  }

  bool is_guard_bif_of_erlang(const node::Call& call) const {
    if (!ast_.is(call.function, NodeKind::Remote)) return false;
    const auto remote = ast_.get<node::Remote>(call.function);
    return ast_.is(remote.module, NodeKind::Atom) &&
           ast_.get<node::Atom>(remote.module).value.text() == "erlang" &&
           ast_.is(remote.name, NodeKind::Atom) &&
           is_guard_bif(ast_.get<node::Atom>(remote.name).value.text(),
                        ast_.list(call.arguments).size());
  }

  static Term boolean(bool b) { return b ? atoms::true_ : atoms::false_; }

  Value evaluate(NodeId id) {
    const Depth guard(depth_);
    if (depth_ > kMaxDepth) too_deep_ = true;
    if (too_deep_) return std::nullopt;
    switch (ast_.kind(id)) {
      case NodeKind::BinaryOp:
        return binary(ast_.get<node::BinaryOp>(id));
      case NodeKind::UnaryOp:
        return unary(ast_.get<node::UnaryOp>(id));
      case NodeKind::Call:
        return call(ast_.get<node::Call>(id));
      case NodeKind::Tuple: {
        std::vector<Term> items;
        if (!evaluate_all(ast_.list(ast_.get<node::Tuple>(id).elements), items))
          return std::nullopt;
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
      default: {
        auto value = constant_value(unit_, id, arena_, NameArity::Refused);
        if (!value) return std::nullopt;
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
    return compute(op.op, *x, arena_);
  }

  Value binary(const node::BinaryOp& op) {
    if (op.op == atoms::andalso_ || op.op == atoms::orelse_) return short_circuit(op);
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
        return compute(op.op, *a, *b, arena_);
    }
  }

  Value short_circuit(const node::BinaryOp& op) {
    const Value a = evaluate(op.left);
    if (!a || !is_boolean(*a)) return std::nullopt;
    const bool decided = a->is_atom(op.op == atoms::andalso_ ? atoms::false_ : atoms::true_);
    return decided ? a : evaluate(op.right);
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
  Value call(const node::Call& call) {
    const auto arguments = ast_.list(call.arguments);
    if (is_defined_call(call)) return boolean(is_defined_(Atom(ast_.slot(arguments[0], 0))));
    const bool remote = ast_.is(call.function, NodeKind::Remote);
    const NodeId function = remote ? ast_.get<node::Remote>(call.function).name : call.function;
    const Atom name = ast_.get<node::Atom>(function).value;
    std::vector<Term> values;
    if (!evaluate_all(arguments, values)) return std::nullopt;
    return guard_bif(name.text(), values);
  }

  static bool is_guard_bif(std::string_view name, size_t arity) {
    constexpr std::string_view kOne[] = {
        "abs",         "bit_size",     "byte_size", "ceil",         "float",      "floor",
        "hd",          "is_atom",      "is_binary", "is_bitstring", "is_boolean", "is_float",
        "is_function", "is_integer",   "is_list",   "is_map",       "is_number",  "is_pid",
        "is_port",     "is_reference", "is_tuple",  "length",       "map_size",   "node",
        "round",       "size",         "tl",        "trunc",        "tuple_size"};
    constexpr std::string_view kTwo[] = {"binary_part", "element", "is_function", "is_map_key",
                                         "is_record",   "map_get", "max",         "min"};
    if (arity == 0) return name == "node" || name == "self";
    if (arity == 1) return std::find(std::begin(kOne), std::end(kOne), name) != std::end(kOne);
    if (arity == 2) return std::find(std::begin(kTwo), std::end(kTwo), name) != std::end(kTwo);
    return arity == 3 && (name == "binary_part" || name == "is_record");
  }

  Value guard_bif(std::string_view name, const std::vector<Term>& args) {
    if (args.size() == 1)
      return name.starts_with("is_") ? type_test(name, args[0]) : guard_bif_1(name, args[0]);
    if (name == "is_record" && args.size() >= 2) {
      const Term record = args[0];
      const bool tagged = record.is_tuple() && !record.tuple().empty() && args[1].is_atom() &&
                          record.tuple()[0] == args[1];
      if (args.size() == 2) return boolean(tagged);
      return boolean(tagged && args[2].is_small() &&
                     record.tuple().size() == static_cast<uint64_t>(args[2].small()));
    }
    if (args.size() != 2) return std::nullopt;
    if (name == "element" && args[0].is_small() && args[1].is_tuple()) {
      const int64_t i = args[0].small();
      const auto items = args[1].tuple();
      if (i >= 1 && static_cast<size_t>(i) <= items.size())
        return items[static_cast<size_t>(i) - 1];
    }
    if (name == "is_map_key" && args[1].is_map())
      return boolean(args[1].map().find(args[0]).has_value());
    if (name == "map_get" && args[1].is_map()) return args[1].map().find(args[0]);
    if (name == "is_function" && args[1].is_small() && args[1].small() >= 0) return boolean(false);
    if (name == "max") return compare(args[0], args[1]) >= 0 ? args[0] : args[1];
    if (name == "min") return compare(args[0], args[1]) <= 0 ? args[0] : args[1];
    return std::nullopt;
  }

  static Value type_test(std::string_view name, Term x) {
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
    return is_guard_bif(name, 1) ? Value(boolean(false)) : std::nullopt;  // no constant is a pid
  }

  Value guard_bif_1(std::string_view name, Term x) {
    if (name == "length" && x.is_list() && x.list().is_proper())
      return arena_.integer(uint64_t{x.list().size()});
    if (name == "tuple_size" && x.is_tuple()) return arena_.integer(uint64_t{x.tuple().size()});
    if (name == "map_size" && x.is_map()) return arena_.integer(uint64_t{x.map().size()});
    if (name == "size" && x.is_tuple()) return arena_.integer(uint64_t{x.tuple().size()});
    if (name == "size" && x.is_bitstring()) return arena_.integer(x.bits().bit_count / 8);
    if (name == "byte_size" && x.is_bitstring())
      return arena_.integer((x.bits().bit_count + 7) / 8);
    if (name == "bit_size" && x.is_bitstring()) return arena_.integer(x.bits().bit_count);
    if (name == "hd" && x.is_cons()) return x.list().front();
    if (name == "tl" && x.is_cons()) return tail(x);
    if (!is_number(x)) return std::nullopt;
    if (name == "abs") return compare(x, Term(0)) < 0 ? compute(atoms::minus, x, arena_) : x;
    if (name == "float") return x.is_float() ? x : compute(atoms::star, x, arena_.real(1), arena_);
    if (name != "round" && name != "trunc" && name != "ceil" && name != "floor")
      return std::nullopt;
    if (x.is_integer()) return x;
    const double value = x.to_float();
    const double whole = name == "round"   ? std::round(value)
                         : name == "trunc" ? std::trunc(value)
                         : name == "ceil"  ? std::ceil(value)
                                           : std::floor(value);
    mpz_t integer;
    mpz_init_set_d(integer, whole);
    const Term result = arena_.integer(integer);
    mpz_clear(integer);
    return result;
  }

  Term tail(Term list) {
    std::vector<Term> items;
    for (const Term item : list.list()) items.push_back(item);
    return arena_.list(std::span(items).subspan(1), list.list().tail());
  }

  const Unit& unit_;
  const Ast& ast_;
  const std::function<bool(Atom)>& is_defined_;
  TermArena arena_;
  int depth_ = 0;
  bool too_deep_ = false;
};

}  // namespace

Condition evaluate_condition(const Unit& unit, NodeId expression,
                             const std::function<bool(Atom)>& is_defined) {
  return Evaluator(unit, is_defined).condition(expression);
}

}  // namespace fathom
