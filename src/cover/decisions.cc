#include "cover/decisions.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/budget.h"
#include "code/liveness.h"
#include "core/raise.h"
#include "core/walk.h"

namespace fathom::cover {
namespace {

using core::AstId;
using core::Kind;
using core::NodeId;
using core::RegionId;
using core::VarId;
using fathom::NodeKind;

// Of the formula.
constexpr char kAndalso = '&';
constexpr char kOrelse = '|';
constexpr char kAnd = '*';
constexpr char kOr = '+';
constexpr char kXor = '^';
constexpr char kNot = '!';
constexpr char kTrue = '1';
constexpr char kFalse = '0';

struct Operator {
  RegionId region{};
  uint32_t index = 0;
  NodeId node{};
  char sign = 0;
};

class DecisionFinder {
 public:
  DecisionFinder(const core::Module& module, const core::Function& function)
      : module_(module), ast_(module.unit().ast) {
    find_operators(function.body);
    find_tail_regions(function.body);
  }
  std::vector<Decision> run();

 private:
  // An operand: what it is, where its value is known, whether that is the end of the decision.
  struct Operand {
    AstId ast = kNoNode;
    RegionId region{};
    uint32_t index = 0;
    VarId value = core::kNoVar;
    bool is_last = false;
  };
  struct Task {
    Operand operand = {};
    char sign = 0;  // of an operator whose operands are done
    std::optional<Decision::Exit> exit = {};
  };

  void find_operators(RegionId body);
  void find_tail_regions(RegionId body);
  std::optional<Operator> operator_of(RegionId region, uint32_t index, NodeId id) const;
  void add_guard(NodeId clause);
  void add_expression(AstId root);
  void expand(Decision& decision, Operand root);
  void expand_operator(const Operand& operand, const Operator& op, std::vector<Task>& todo);
  bool is_observable(const Decision& decision) const;

  const core::Module& module_;
  const Ast& ast_;
  std::unordered_map<AstId, Operator> operators_;
  std::unordered_set<AstId> inner_;  // operators that are operands of others
  std::vector<AstId> order_;
  std::vector<NodeId> guards_;  // clauses with guards
  std::unordered_set<RegionId> tails_;
  std::vector<Decision> found_;
};

std::optional<Operator> DecisionFinder::operator_of(RegionId region, uint32_t index,
                                                    NodeId id) const {
  const core::Node& node = module_[id];
  if (!fathom::exists(node.origin)) return std::nullopt;
  if (node.kind == Kind::Case && ast_.is(node.origin, NodeKind::BinaryOp)) {
    const Atom op = ast_.get<fathom::node::BinaryOp>(node.origin).op;
    const RegionId otherwise = module_.get<core::node::Case>(id).otherwise;
    static const Atom badarg = Atom::intern("badarg");
    if (op != atoms::andalso_ && op != atoms::orelse_) return std::nullopt;
    if (!core::exists(otherwise) || module_.nodes(otherwise).empty()) return std::nullopt;
    const NodeId error = module_.nodes(otherwise)[0];
    if (module_[error].kind != Kind::NoMatch ||
        module_.get<core::node::NoMatch>(error).error != badarg) {
      return std::nullopt;  // of a filter
    }
    return Operator{region, index, id, op == atoms::andalso_ ? kAndalso : kOrelse};
  }
  if (node.kind != Kind::CallRemote) return std::nullopt;
  static const std::unordered_map<Atom, char> signs = {{Atom::intern("and"), kAnd},
                                                       {Atom::intern("or"), kOr},
                                                       {Atom::intern("xor"), kXor},
                                                       {Atom::intern("not"), kNot}};
  if (!ast_.is(node.origin, NodeKind::BinaryOp) && !ast_.is(node.origin, NodeKind::UnaryOp)) {
    return std::nullopt;
  }
  const auto sign = signs.find(module_.get<core::node::CallRemote>(id).name);
  if (sign == signs.end()) return std::nullopt;
  return Operator{region, index, id, sign->second};
}

void DecisionFinder::find_operators(RegionId body) {
  std::vector<RegionId> todo{body};
  while (!todo.empty()) {
    const RegionId region = todo.back();
    todo.pop_back();
    const std::span<const NodeId> nodes = module_.nodes(region);
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      if (const auto op = operator_of(region, i, nodes[i])) {
        const AstId origin = module_[nodes[i]].origin;
        operators_.emplace(origin, *op);
        order_.push_back(origin);
        ast_.for_each_child(origin, [&](AstId child) { inner_.insert(child); });
      }
      const auto push = [&](RegionId r) { todo.push_back(r); };
      core::for_each_region(module_, nodes[i], push);
      const Kind kind = module_[nodes[i]].kind;
      if (kind != Kind::Case && kind != Kind::Receive) continue;
      for (const NodeId c :
           module_.nodes(core::ListId{module_.slot(nodes[i], kind == Kind::Case ? 0 : 1)})) {
        core::for_each_region(module_, c, push);
        if (!module_.regions(module_.get<core::node::Clause>(c).guards).empty()) {
          guards_.push_back(c);
        }
      }
    }
  }
}

// As the compiler finds tail calls.
void DecisionFinder::find_tail_regions(RegionId body) {
  std::vector<RegionId> todo{body};
  while (!todo.empty()) {
    const RegionId id = todo.back();
    todo.pop_back();
    if (!core::exists(id)) continue;
    tails_.insert(id);
    const auto [nodes, value] = machine::returning_region(module_, id);
    if (nodes.empty() || module_[nodes.back()].result != value) continue;
    core::for_each_value_region(module_, nodes.back(), [&](RegionId r) { todo.push_back(r); });
  }
}

bool DecisionFinder::is_observable(const Decision& decision) const {
  return std::ranges::all_of(decision.conditions, [&](const Condition& c) {
    const std::span<const NodeId> nodes = module_.nodes(c.region);
    if (c.index < nodes.size() || nodes.empty() || !tails_.contains(c.region)) return true;
    switch (module_[nodes.back()].kind) {
      case Kind::CallRemote: {
        const auto call = module_.get<core::node::CallRemote>(nodes.back());
        return call.module == atoms::erlang &&
               core::is_total(call.name, module_.vars(call.arguments).size());
      }
      case Kind::Call:
      case Kind::CallDynamic:
      case Kind::Apply:
      case Kind::Case:
      case Kind::Receive:
      case Kind::Try:
      case Kind::Maybe:
        return false;
      default:
        return true;
    }
  });
}

void DecisionFinder::expand_operator(const Operand& operand, const Operator& op,
                                     std::vector<Task>& todo) {
  Task done{.sign = op.sign};
  if (op.sign == kAndalso || op.sign == kOrelse) {
    const auto clauses = module_.nodes(module_.get<core::node::Case>(op.node).clauses);
    const auto first = module_.get<core::node::Clause>(clauses[0]);
    const auto second = module_.get<core::node::Clause>(clauses[1]);
    const auto ast = ast_.get<fathom::node::BinaryOp>(operand.ast);
    const VarId left =
        module_.get<core::node::MatchLiteral>(module_.nodes(first.patterns)[0]).subject;
    if (operand.is_last) done.exit = Decision::Exit{second.body, 0};
    todo.push_back(done);
    todo.push_back(
        {.operand = {ast.right, first.body, static_cast<uint32_t>(module_.nodes(first.body).size()),
                     module_[first.body].value, operand.is_last}});
    todo.push_back({.operand = {ast.left, op.region, op.index, left, false}});
    return;
  }
  const auto arguments = module_.vars(module_.get<core::node::CallRemote>(op.node).arguments);
  std::vector<AstId> operands;
  ast_.for_each_child(operand.ast, [&](AstId child) { operands.push_back(child); });
  if (operand.is_last) done.exit = Decision::Exit{op.region, op.index};
  todo.push_back(done);
  for (size_t i = operands.size(); i-- > 0;) {
    todo.push_back({.operand = {operands[i], op.region, op.index, arguments[i], false}});
  }
}

void DecisionFinder::expand(Decision& decision, Operand root) {
  std::vector<Task> todo{{.operand = root}};
  while (!todo.empty()) {
    spend(1);
    const Task task = todo.back();
    todo.pop_back();
    if (task.exit) decision.exits.push_back(*task.exit);
    if (task.sign != 0) {
      decision.formula += task.sign;
      continue;
    }
    const Operand& operand = task.operand;
    if (const auto op = operators_.find(operand.ast); op != operators_.end()) {
      expand_operator(operand, op->second, todo);
      continue;
    }
    if (const auto constant = boolean_constant(ast_, operand.ast)) {
      decision.formula += *constant ? kTrue : kFalse;
    } else {
      decision.formula += static_cast<char>('a' + std::min<size_t>(decision.conditions.size(), 25));
      decision.conditions.push_back({operand.ast, operand.region, operand.index, operand.value});
    }
    if (operand.is_last) decision.exits.push_back({operand.region, operand.index});
  }
}

void DecisionFinder::add_guard(NodeId clause) {
  Decision decision{.origin = module_[clause].origin, .clause = clause, .is_guard = true};
  bool is_first_alternative = true;
  for (const RegionId region : module_.regions(module_.get<core::node::Clause>(clause).guards)) {
    bool is_first_test = true;
    const std::span<const NodeId> nodes = module_.nodes(region);
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      if (module_[nodes[i]].kind != Kind::Test) continue;
      const AstId test = module_[nodes[i]].origin;
      inner_.insert(test);
      expand(decision, {test, region, i, module_.get<core::node::Test>(nodes[i]).value, false});
      if (!is_first_test) decision.formula += kAndalso;
      is_first_test = false;
    }
    if (!is_first_alternative) decision.formula += kOrelse;
    is_first_alternative = false;
  }
  if (!decision.conditions.empty()) found_.push_back(std::move(decision));
}

void DecisionFinder::add_expression(AstId root) {
  const Operator& op = operators_.at(root);
  Decision decision{.origin = root};
  expand(decision, {root, op.region, op.index, core::kNoVar, true});
  // What is evaluated first stands in the region of the whole, before all others there. If it is a
  // constant, the compiler has decided.
  uint32_t least = UINT32_MAX;
  for (size_t i = 0; i < decision.conditions.size(); ++i) {
    const Condition& c = decision.conditions[i];
    if (c.region != op.region || c.index >= least) continue;
    least = c.index;
    decision.first = i;
  }
  if (least != UINT32_MAX && is_observable(decision)) found_.push_back(std::move(decision));
}

std::vector<Decision> DecisionFinder::run() {
  for (const NodeId clause : guards_) add_guard(clause);
  for (const AstId root : order_) {
    if (!inner_.contains(root)) add_expression(root);
  }
  return std::move(found_);
}

constexpr uint32_t digit(uint32_t vector, size_t condition) {
  for (; condition > 0; --condition) vector /= 3;
  return vector % 3;
}

// No condition that was evaluated in both differs, but for that one.
bool differ_only_in(uint32_t a, uint32_t b, size_t conditions, size_t one) {
  for (size_t i = 0; i < conditions; ++i) {
    const uint32_t x = digit(a, i);
    const uint32_t y = digit(b, i);
    if (x == 0 || y == 0) {
      if (i == one) return false;
    } else if ((x != y) != (i == one)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<bool> boolean_constant(const Ast& ast, core::AstId expression) {
  if (!ast.is(expression, NodeKind::Atom)) return std::nullopt;
  const Atom value = ast.get<fathom::node::Atom>(expression).value;
  if (value == atoms::true_) return true;
  return value == atoms::false_ ? std::optional(false) : std::nullopt;
}

bool is_well_formed(std::string_view formula, size_t conditions) {
  size_t depth = 0;
  for (const char c : formula) {
    const bool is_condition = c >= 'a' && static_cast<size_t>(c - 'a') < conditions;
    if (is_condition || c == kTrue || c == kFalse) {
      ++depth;
    } else if (c == kNot) {
      if (depth < 1) return false;
    } else if (std::string_view("&|*+^").find(c) == std::string_view::npos || depth < 2) {
      return false;
    } else {
      --depth;
    }
  }
  return depth == 1;
}

std::vector<Decision> find_decisions(const core::Module& module, const core::Function& function) {
  return DecisionFinder(module, function).run();
}

uint32_t vector_count(size_t conditions) {
  uint32_t count = 1;
  for (size_t i = 0; i < conditions; ++i) count *= 3;
  return count;
}

std::optional<bool> outcome(const std::string& formula, uint32_t vector) {
  std::vector<std::optional<bool>> values;
  for (const char c : formula) {
    if (c >= 'a' && c <= 'z') {
      const uint32_t d = digit(vector, static_cast<size_t>(c - 'a'));
      values.push_back(d == 0 ? std::nullopt : std::optional(d == 1));
      continue;
    }
    if (c == kTrue || c == kFalse) {
      values.push_back(c == kTrue);
      continue;
    }
    const std::optional<bool> right = values.back();
    if (c == kNot) {
      if (right) values.back() = !*right;
      continue;
    }
    values.pop_back();
    std::optional<bool>& left = values.back();
    if (c == kAndalso) {
      if (left.value_or(false)) left = right;
    } else if (c == kOrelse) {
      if (left && !*left) left = right;
    } else if (!left || !right) {
      left.reset();
    } else {
      left = c == kAnd ? *left && *right : c == kOr ? *left || *right : *left != *right;
    }
  }
  return values.empty() ? std::nullopt : values.back();
}

std::vector<bool> shown_by(const std::string& formula, size_t conditions,
                           const std::vector<uint32_t>& vectors) {
  std::vector<bool> shown(conditions);
  for (size_t a = 0; a < vectors.size(); ++a) {
    spend(static_cast<int64_t>(vectors.size()));
    const auto first = outcome(formula, vectors[a]);
    for (size_t b = a + 1; first && b < vectors.size(); ++b) {
      const auto second = outcome(formula, vectors[b]);
      if (!second || *first == *second) continue;
      for (size_t i = 0; i < conditions; ++i) {
        if (!shown[i] && differ_only_in(vectors[a], vectors[b], conditions, i)) shown[i] = true;
      }
    }
  }
  return shown;
}

}  // namespace fathom::cover
