// Truth values that are made only to decide where to go: comparisons and type tests
// in front of a case of `true` and `false`, andalso, orelse, guards.
//
// A node is a condition of the next one if that is a Case that does nothing with its
// value but ask whether it is true or false (or a guard's Test). Then the value is not
// made at all: the condition is compiled with a Branch as its destination, and each of
// its ends jumps to the clause that is right for it. That a Case inside a Case's
// condition is a condition too makes a chain of them, as `A andalso B` in front of a
// case does. In the clause for `true` the condition's variable is the constant true.
//
// A value that is neither (`case f() andalso g() of …`) is put into the variable's
// register, for the error that says so.
#include "code/function_compiler.h"
#include "core/walk.h"

namespace fathom::machine {

using core::exists;

bool FunctionCompiler::is_used_once(VarId v) const {
  return liveness_.ranges[static_cast<size_t>(v)].uses == 1 ||
         liveness_.is_body_value[static_cast<size_t>(v)];
}

void FunctionCompiler::join(Label& from, Label& to) {
  to.jumps.insert(to.jumps.end(), from.jumps.begin(), from.jumps.end());
  from.jumps.clear();
}

std::optional<bool> FunctionCompiler::truth_in(NodeId clause, VarId condition) {
  const std::span<const NodeId> patterns =
      module_.nodes(module_.get<core::node::Clause>(clause).patterns);
  if (patterns.size() != 1 || module_[patterns[0]].kind != Kind::MatchLiteral) return std::nullopt;
  const auto m = module_.get<core::node::MatchLiteral>(patterns[0]);
  const Value value = table_.literal(owner_, m.value);
  if (m.subject != condition || !value.is_boolean()) return std::nullopt;
  return value.is_atom(atoms::true_);
}

bool FunctionCompiler::is_condition_of(NodeId condition, NodeId user) {
  const VarId value = module_[condition].result;
  if (!exists(value) || !(is_test(condition) || module_[condition].kind == Kind::Case)) {
    return false;
  }
  if (liveness_.same_as[static_cast<size_t>(value)] != value) return false;
  if (module_[user].kind == Kind::Test) {
    return module_.get<core::node::Test>(user).value == value && is_used_once(value);
  }
  if (module_[user].kind != Kind::Case) return false;
  // In labelled code truth values come from somewhere.
  if (table_.mode().labels && !is_test(condition)) return false;
  const auto c = module_.get<core::node::Case>(user);
  uint32_t uses = 0;  // those that need no value
  for (const NodeId id : module_.nodes(c.clauses)) {
    const auto clause = module_.get<core::node::Clause>(id);
    if (!module_.regions(clause.guards).empty()) return false;
    const bool decides = truth_in(id, value).has_value();
    if (!decides && !module_.nodes(clause.patterns).empty()) return false;
    if (decides) uses += module_[clause.body].value == value ? 2 : 1;
  }
  if (uses == 0) return false;
  if (exists(c.otherwise)) {
    for (const NodeId id : module_.nodes(c.otherwise)) {
      for_each_use(module_, id, [&](VarId v) { uses += v == value ? 1 : 0; });
    }
  }
  return liveness_.ranges[static_cast<size_t>(value)].uses == uses;
}

size_t FunctionCompiler::chain_length(std::span<const NodeId> nodes) {
  size_t n = 1;
  while (n < nodes.size() && is_condition_of(nodes[n - 1], nodes[n])) ++n;
  return n;
}

void FunctionCompiler::chain(std::span<const NodeId> nodes, Destination to) {
  const size_t n = nodes.size();
  if (n == 1) return make_value(nodes[0], to);
  const VarId condition = module_[nodes[n - 2]].result;
  const uint16_t reg = result(condition);
  Branch branch;
  chain(nodes.first(n - 1), {Destination::Kind::Branch, reg, &branch});
  decided_case(nodes[n - 1], nodes[n - 2], branch, to);
}

// The clauses of a case, whose condition goes where `branch` says.
void FunctionCompiler::emit_use_of_test(NodeId clause, NodeId test) {
  const NodeId pattern = module_.nodes(module_.get<core::node::Clause>(clause).patterns)[0];
  const Source source(*this, pattern);
  emit(Op::UseLabel);
  emit_word(node_label(module_, test));
}

void FunctionCompiler::decided_case(NodeId id, NodeId test, Branch& branch, Destination to) {
  const Source source(*this, id);
  const VarId condition = module_[test].result;
  const bool is_labelled = table_.mode().labels;
  if (is_labelled) literal_nodes_[static_cast<size_t>(condition)] = test;
  const auto c = module_.get<core::node::Case>(id);
  auto& decided = decided_[static_cast<size_t>(condition)];
  const uint16_t reg = result(condition);
  Label end;
  bool complete = false;
  for (const NodeId clause : module_.nodes(c.clauses)) {
    const auto truth = truth_in(clause, condition);
    const RegionId body = module_.get<core::node::Clause>(clause).body;
    if (truth && !is_labelled && to.kind == Destination::Kind::Branch &&
        module_[body].value == condition && module_.nodes(body).empty() &&
        probes_in(body).empty()) {
      // The value decides the next one, too.
      join(*truth ? branch.yes : branch.no, *truth ? to.branch->yes : to.branch->no);
      continue;
    }
    if (!truth || *truth) place(branch.yes);
    if (!truth || !*truth) place(branch.no);
    if (!truth) place(branch.other);
    decided = truth;
    if (truth && is_labelled) emit_use_of_test(clause, test);
    report_clause(clause);
    region(body, to);
    decided.reset();
    if (to.comes_to_end()) emit_jump(end);
    complete = !truth;
    if (complete) break;
  }
  for (Label* side : {&branch.yes, &branch.no}) {
    if (side->jumps.empty()) continue;
    place(*side);
    emit_load(reg, condition, Value::boolean(side == &branch.yes));
    emit_jump(branch.other);
  }
  if (!complete && !branch.other.jumps.empty()) {
    place(branch.other);
    if (exists(c.otherwise)) region(c.otherwise, to);
  }
  release_scratch();
  place(end);
}

void FunctionCompiler::branch_on(VarId value, Destination to) {
  Branch& branch = *to.branch;
  const auto known = constant(value);
  if (known && known->is_boolean()) {
    return emit_jump(known->is_atom(atoms::true_) ? branch.yes : branch.no);
  }
  const uint16_t r = reg(value);
  for (const bool truth : {true, false}) {
    const uint32_t at = emit(Op::UnlessIsNot, 0, r);
    emit_word(Value::boolean(truth).raw());
    emit_fail(at, NodeId{0}, truth ? &branch.yes : &branch.no);
  }
  if (r != to.reg) emit(Op::Move, to.reg, r);
  emit_jump(branch.other);
}

}  // namespace fathom::machine
