#include "cover/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/hash.h"
#include "core/places.h"
#include "core/raise.h"
#include "core/walk.h"
#include "cover/item_place.h"
#include "cover/variables.h"
#include "syntax/print.h"

namespace fathom::cover {
namespace {

using core::AstId;
using core::Kind;
using core::NodeId;
using core::RegionId;
using fathom::NodeKind;

uint64_t hash_text(std::string_view text) {
  uint64_t hash = 0;
  for (size_t i = 0; i < text.size(); i += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + i, std::min(sizeof word, text.size() - i));
    hash = hash_combine(hash, word);
  }
  return hash_combine(hash, text.size());
}

class Planner {
 public:
  Planner(const core::Module& module, CriteriaSet criteria)
      : module_(module),
        ast_(module.unit().ast),
        criteria_(criteria),
        counted_(region_count(module)) {}

  Plan make();

 private:
  static size_t region_count(const core::Module& module);
  bool wants(ItemKind kind) const { return criteria_.overlaps(criteria_of(kind)); }
  bool is_own(AstId origin) const { return cover::is_own(module_, origin); }
  void walk(const core::Function& f);
  void visit(RegionId region, uint32_t index, NodeId id);
  void add_function(const core::Function& f);
  void add_clauses(NodeId id, core::ListId clauses, RegionId otherwise);
  void add_clause(NodeId clause, std::string_view construct, size_t number);
  void add_filter(NodeId clause, RegionId otherwise);
  void add_guards(NodeId clause, const std::string& name);
  void add_call(RegionId region, uint32_t index, NodeId id);
  void add_statements();
  AstId first_part(const core::StatementStart& s) const;
  void add_variables(const core::Function& f);
  uint32_t counter_of_use(const Point& use);
  void add_decisions(const core::Function& f);
  void add_conditions(const Decision& decision, uint32_t number, machine::DecisionSlot slot);
  void count_vectors(const Decision& decision, machine::DecisionSlot slot);
  PlannedGuard& guard_at(NodeId clause, uint32_t alternative);
  std::string construct_of(NodeId id) const;
  bool is_filter(NodeId clause, RegionId otherwise) const;
  std::optional<bool> constant_outcome(RegionId alternative) const;

  void add(ItemKind kind, AstId origin, std::string what, std::vector<uint32_t> counters);
  uint32_t counter_at(RegionId region, uint32_t index);
  bool always_goes_on(NodeId id) const;
  ItemPlace place_of(AstId origin) const { return item_place(module_, origin); }

  const core::Module& module_;
  const Ast& ast_;
  CriteriaSet criteria_;
  std::vector<bool> counted_;  // by region: it is part of what is covered
  std::unordered_map<uint64_t, uint32_t> points_;
  std::unordered_map<uint64_t, size_t> guards_;  // by clause and alternative
  machine::DecisionSlot next_slot_ = 0;          // of the function
  std::optional<ValueOrigins> values_;
  Plan plan_;
};

// Every region belongs to a node or a function.
size_t Planner::region_count(const core::Module& module) {
  size_t most = 0;
  const auto see = [&](RegionId r) { most = std::max(most, static_cast<size_t>(r) + 1); };
  for (const core::Function& f : module.functions) {
    if (!core::exists(f.body)) continue;
    see(f.body);
    core::for_each_node(module, f.body, [&](NodeId id) { core::for_each_region(module, id, see); });
  }
  for (const core::StatementStart& s : module.statements) see(s.region);
  return most;
}

Plan Planner::make() {
  for (const core::Function& f : module_.functions) {
    if (!core::exists(f.body) || !is_own(f.origin)) continue;
    walk(f);
    next_slot_ = machine::kGuardDecision + 1;
    if (wants(ItemKind::ConditionTrue) || wants(ItemKind::Mcdc)) add_decisions(f);
    if (wants(ItemKind::DefUse) || wants(ItemKind::Definition)) add_variables(f);
    if (ast_.is(f.origin, NodeKind::Function)) add_function(f);
  }
  add_statements();
  std::ranges::stable_sort(plan_.items, [](const PlannedItem& a, const PlannedItem& b) {
    return std::tie(a.item.kind, a.item.place, a.item.to) <
           std::tie(b.item.kind, b.item.place, b.item.to);
  });
  return std::move(plan_);
}

// ---- Counters ---------------------------------------------------------------

bool Planner::always_goes_on(NodeId id) const {
  bool holds_regions = false;
  core::for_each_region(module_, id, [&](RegionId) { holds_regions = true; });
  const Kind kind = module_[id].kind;
  return !holds_regions && kind != Kind::Case && kind != Kind::Receive && kind != Kind::Leave &&
         !core::may_raise(module_, id);
}

uint32_t Planner::counter_at(RegionId region, uint32_t index) {
  const std::span<const NodeId> nodes = module_.nodes(region);
  while (index > 0 && always_goes_on(nodes[index - 1])) --index;
  const uint64_t key = uint64_t{static_cast<uint32_t>(region)} << 32 | index;
  const auto [it, is_new] = points_.try_emplace(key, plan_.counters);
  if (is_new) plan_.probes.push_back({region, index, plan_.counters++});
  return it->second;
}

void Planner::add(ItemKind kind, AstId origin, std::string what, std::vector<uint32_t> counters) {
  plan_.items.push_back(
      {{.kind = kind, .place = place_of(origin), .what = std::move(what)}, std::move(counters)});
}

// ---- Items ------------------------------------------------------------------

void Planner::walk(const core::Function& f) {
  std::vector<RegionId> todo{f.body};
  while (!todo.empty()) {
    const RegionId region = todo.back();
    todo.pop_back();
    counted_[static_cast<size_t>(region)] = true;
    const std::span<const NodeId> nodes = module_.nodes(region);
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      visit(region, i, nodes[i]);
      const auto push = [&](RegionId r) { todo.push_back(r); };
      core::for_each_region(module_, nodes[i], push);
      if (module_[nodes[i]].kind != Kind::Case && module_[nodes[i]].kind != Kind::Receive) continue;
      const size_t field = module_[nodes[i]].kind == Kind::Case ? 0 : 1;
      for (const NodeId c : module_.nodes(core::ListId{module_.slot(nodes[i], field)})) {
        core::for_each_region(module_, c, push);
      }
    }
  }
}

void Planner::visit(RegionId region, uint32_t index, NodeId id) {
  switch (module_[id].kind) {
    case Kind::Case: {
      const auto c = module_.get<core::node::Case>(id);
      return add_clauses(id, c.clauses, c.otherwise);
    }
    case Kind::Receive: {
      const auto r = module_.get<core::node::Receive>(id);
      add_clauses(id, r.clauses, core::kNoRegion);
      if (core::exists(r.after) && wants(ItemKind::Timeout)) {
        const AstId timeout = ast_.get<fathom::node::Receive>(module_[id].origin).timeout;
        add(ItemKind::Timeout, timeout, "time-out of receive", {counter_at(r.after, 0)});
      }
      return;
    }
    case Kind::Try: {
      if (!wants(ItemKind::Handler)) return;
      const auto t = module_.get<core::node::Try>(id);
      const AstId origin = module_[id].origin;
      // try … catch … after is two of them; the inner one says it.
      const bool is_after = module_[module_.nodes(t.handler).back()].kind == Kind::Raise;
      if (is_after && !ast_.list(ast_.get<fathom::node::Try>(origin).handlers).empty()) return;
      add(ItemKind::Handler, origin,
          fmt::format("exception in {}", ast_.is(origin, NodeKind::Catch) ? "catch" : "try"),
          {counter_at(t.handler, 0)});
      return;
    }
    case Kind::Call:
    case Kind::CallRemote:
    case Kind::CallDynamic:
    case Kind::Apply:
      return add_call(region, index, id);
    default:
      return;
  }
}

void Planner::add_function(const core::Function& f) {
  if (!wants(ItemKind::Function)) return;
  std::vector<uint32_t> counters;
  for (const NodeId id : module_.nodes(f.body)) {
    if (module_[id].kind != Kind::Case) continue;
    for (const NodeId c : module_.nodes(module_.get<core::node::Case>(id).clauses)) {
      counters.push_back(counter_at(module_.get<core::node::Clause>(c).body, 0));
    }
  }
  add(ItemKind::Function, f.origin, fmt::format("{}/{}", f.name.text(), f.arity),
      std::move(counters));
}

std::string Planner::construct_of(NodeId id) const {
  const AstId origin = module_[id].origin;
  switch (ast_.kind(origin)) {
    case NodeKind::Function: {
      const auto f = ast_.get<fathom::node::Function>(origin);
      return fmt::format("{}/{}", f.name.text(), f.arity);
    }
    case NodeKind::Fun:
    case NodeKind::NamedFun:
      return "fun";
    case NodeKind::If:
      return "if";
    case NodeKind::Receive:
      return "receive";
    case NodeKind::Try:
      return "try";
    case NodeKind::MaybeElse:
      return "maybe … else";
    default:
      return "case";
  }
}

void Planner::add_clauses(NodeId id, core::ListId clauses, RegionId otherwise) {
  const std::span<const NodeId> all = module_.nodes(clauses);
  for (size_t i = 0; i < all.size(); ++i) {
    const AstId origin = module_[all[i]].origin;
    if (ast_.is(origin, NodeKind::Clause)) {
      add_clause(all[i], construct_of(id), i + 1);
    } else if (ast_.is(origin, NodeKind::MaybeMatch)) {
      if (wants(ItemKind::Mismatch)) {
        add(ItemKind::Mismatch, origin, "?= that does not match", {counter_at(otherwise, 0)});
      }
    } else if (i == 0 && is_filter(all[i], otherwise)) {
      add_filter(all[i], otherwise);
    }
  }
}

// A handler's place is that of its pattern: {Class, Reason, Stack} as one.
void Planner::add_clause(NodeId clause, std::string_view construct, size_t number) {
  const auto c = module_.get<core::node::Clause>(clause);
  const std::string name = fmt::format("clause {} of {}", number, construct);
  if (wants(ItemKind::Clause)) {
    add(ItemKind::Clause, module_[clause].origin, name, {counter_at(c.body, 0)});
  }
  if (wants(ItemKind::GuardFalse)) add_guards(clause, name);
}

// Of an alternative of a guard that has one whatever the values are: `true ->` of an `if`.
std::optional<bool> Planner::constant_outcome(RegionId alternative) const {
  bool is_open = false;
  for (const NodeId id : module_.nodes(alternative)) {
    if (module_[id].kind != Kind::Test) continue;
    const std::optional<bool> constant = boolean_constant(ast_, module_[id].origin);
    if (constant == false) return false;
    is_open = is_open || !constant;
  }
  if (is_open) return std::nullopt;
  return true;
}

// That the only alternative is true is the same as that the clause is chosen.
void Planner::add_guards(NodeId clause, const std::string& name) {
  const auto c = module_.get<core::node::Clause>(clause);
  const std::span<const RegionId> alternatives = module_.regions(c.guards);
  for (uint32_t i = 0; i < alternatives.size(); ++i) {
    const AstId origin = module_[module_.nodes(alternatives[i]).back()].origin;
    const bool several = alternatives.size() > 1;
    const std::string which =
        several ? fmt::format("guard {} of {}", i + 1, name) : fmt::format("guard of {}", name);
    const std::optional<bool> constant = constant_outcome(alternatives[i]);
    PlannedGuard& guard = guard_at(clause, i);
    if (several && constant != false) {
      guard.when_true = plan_.counters++;
      add(ItemKind::GuardTrue, origin, which + " is true", {guard.when_true});
    }
    if (constant == true) continue;
    guard.when_false = plan_.counters++;
    add(ItemKind::GuardFalse, origin, which + " is false", {guard.when_false});
  }
}

PlannedGuard& Planner::guard_at(NodeId clause, uint32_t alternative) {
  const uint64_t key = uint64_t{static_cast<uint32_t>(clause)} << 32 | alternative;
  const auto [it, is_new] = guards_.try_emplace(key, plan_.guards.size());
  if (is_new) plan_.guards.push_back({.clause = clause, .alternative = alternative});
  return plan_.guards[it->second];
}

// ---- Conditions -------------------------------------------------------------

void Planner::add_decisions(const core::Function& f) {
  for (const Decision& decision : find_decisions(module_, f)) {
    if (!is_own(decision.origin)) continue;
    const bool has_vector = wants(ItemKind::Mcdc) &&
                            decision.conditions.size() <= kMostConditions &&
                            (decision.is_guard || next_slot_ <= kMostDecisions);
    const auto number = static_cast<uint32_t>(plan_.decisions.size());
    machine::DecisionSlot slot = machine::kNoDecision;
    if (has_vector) {
      slot = decision.is_guard ? machine::kGuardDecision : next_slot_++;
      plan_.slots = std::max(plan_.slots, slot + 1);
    }
    add_conditions(decision, number, slot);
    if (has_vector) count_vectors(decision, slot);
  }
}

void Planner::add_conditions(const Decision& decision, uint32_t number,
                             machine::DecisionSlot slot) {
  const bool has_vector = slot != machine::kNoDecision;
  for (size_t i = 0; i < decision.conditions.size(); ++i) {
    const Condition& c = decision.conditions[i];
    const std::string text = item_text(print_expr(module_.unit(), c.origin));
    PlannedProbe probe{.region = c.region,
                       .index = c.index,
                       .kind = machine::Probe::Kind::Condition,
                       .condition = c.value};
    if (wants(ItemKind::ConditionTrue)) {
      probe.counter = plan_.counters;
      plan_.counters += 2;
      add(ItemKind::ConditionTrue, c.origin, text + " is true", {probe.counter});
      add(ItemKind::ConditionFalse, c.origin, text + " is false", {probe.counter + 1});
    }
    if (has_vector) {
      probe.decision = slot;
      probe.is_first = !decision.is_guard && i == decision.first;
      probe.digit = static_cast<uint16_t>(vector_count(i));
      add(ItemKind::Mcdc, c.origin, text + " decides by itself", {});
      plan_.items.back().of = OfDecision{number, static_cast<uint32_t>(i)};
    }
    plan_.probes.push_back(probe);
  }
}

void Planner::count_vectors(const Decision& decision, machine::DecisionSlot slot) {
  const size_t n = decision.conditions.size();
  plan_.decisions.push_back({decision.formula, static_cast<uint32_t>(n), plan_.counters});
  if (decision.is_guard) {
    const size_t alternatives =
        module_.regions(module_.get<core::node::Clause>(decision.clause).guards).size();
    for (uint32_t i = 0; i < alternatives; ++i) {
      guard_at(decision.clause, i).vectors = plan_.counters;
    }
  }
  for (const Decision::Exit& exit : decision.exits) {
    plan_.probes.push_back({.region = exit.region,
                            .index = exit.index,
                            .counter = plan_.counters,
                            .kind = machine::Probe::Kind::Decided,
                            .decision = slot});
  }
  plan_.counters += vector_count(n);
}

// ---- Variables --------------------------------------------------------------

uint32_t Planner::counter_of_use(const Point& use) {
  if (!use.is_test) return counter_at(use.region, use.index);
  const uint64_t key = uint64_t{static_cast<uint32_t>(use.region)} << 32 | use.index;
  const auto [it, is_new] = points_.try_emplace(key, plan_.counters);
  if (is_new) plan_.probes.push_back({use.region, use.index, plan_.counters++});
  return it->second;
}

// Where a variable has several definitions, a register says which was the last one.
void Planner::add_variables(const core::Function& f) {
  if (!values_) values_ = value_origins(module_);
  const Variables found = find_variables(module_, f, *values_);
  std::unordered_map<core::VarId, std::vector<uint32_t>> by_variable;
  for (uint32_t d = 0; d < found.definitions.size(); ++d) {
    by_variable[found.definitions[d].variable].push_back(d);
  }
  std::unordered_map<core::VarId, machine::DecisionSlot> slots;
  for (const VariablePlace& d : found.definitions) {
    const std::vector<uint32_t>& all = by_variable[d.variable];
    if (all.size() == 1 || slots.contains(d.variable) || next_slot_ > kMostDecisions) continue;
    slots[d.variable] = next_slot_;
    plan_.slots = std::max(plan_.slots, ++next_slot_);
    for (size_t k = 0; k < all.size(); ++k) {
      const Point& at = found.definitions[all[k]].point;
      plan_.probes.push_back({.region = at.region,
                              .index = at.index,
                              .kind = machine::Probe::Kind::Note,
                              .decision = slots[d.variable],
                              .digit = static_cast<uint16_t>(k)});
    }
  }
  std::map<uint32_t, std::vector<uint32_t>> of_definition;
  std::unordered_map<uint32_t, uint32_t> first_counters;  // of uses of such variables
  for (const VariablePair& pair : found.pairs) {
    const VariablePlace& definition = found.definitions[pair.definition];
    const VariablePlace& use = found.uses[pair.use];
    if (!is_own(definition.origin) || !is_own(use.origin)) continue;
    const std::vector<uint32_t>& all = by_variable[use.variable];
    uint32_t counter = 0;
    if (all.size() == 1) {
      counter = counter_of_use(use.point);
    } else if (const auto slot = slots.find(use.variable); slot != slots.end()) {
      const auto [first, is_new] = first_counters.try_emplace(pair.use, plan_.counters);
      if (is_new) {
        plan_.counters += static_cast<uint32_t>(all.size());
        plan_.probes.push_back({.region = use.point.region,
                                .index = use.point.index,
                                .counter = first->second,
                                .kind = machine::Probe::Kind::Decided,
                                .decision = slot->second});
      }
      counter = first->second +
                static_cast<uint32_t>(std::ranges::find(all, pair.definition) - all.begin());
    } else {
      continue;
    }
    of_definition[pair.definition].push_back(counter);
    if (!wants(ItemKind::DefUse)) continue;
    const std::string name(f.variables[static_cast<size_t>(use.variable)].text());
    add(ItemKind::DefUse, definition.origin,
        fmt::format("{} used in {}", name, item_text(module_, use.origin)), {counter});
    plan_.items.back().item.to = place_of(use.origin);
  }
  if (!wants(ItemKind::Definition)) return;
  for (auto& [number, counters] : of_definition) {
    const VariablePlace& d = found.definitions[number];
    add(ItemKind::Definition, d.origin,
        fmt::format("{} is used", f.variables[static_cast<size_t>(d.variable)].text()),
        std::move(counters));
  }
}

// Of a comprehension: a guard, or an expression that must be a boolean.
bool Planner::is_filter(NodeId clause, RegionId otherwise) const {
  if (!module_.regions(module_.get<core::node::Clause>(clause).guards).empty()) return true;
  if (!core::exists(otherwise) || module_.nodes(otherwise).empty()) return false;
  const NodeId first = module_.nodes(otherwise)[0];
  static const Atom bad_filter = Atom::intern("bad_filter");
  return module_[first].kind == Kind::NoMatch &&
         module_.get<core::node::NoMatch>(first).error == bad_filter;
}

void Planner::add_filter(NodeId clause, RegionId otherwise) {
  if (!wants(ItemKind::GuardFalse)) return;
  const auto c = module_.get<core::node::Clause>(clause);
  const AstId origin = module_[clause].origin;
  const std::optional<bool> constant = boolean_constant(ast_, origin);
  if (constant != false) {
    add(ItemKind::GuardTrue, origin, "filter is true", {counter_at(c.body, 0)});
  }
  if (constant == true) return;
  if (!module_.regions(c.guards).empty()) {
    add(ItemKind::GuardFalse, origin, "filter is false", {counter_at(otherwise, 0)});
    return;
  }
  // The clause for false follows; it has the same origin and is the next node that was made.
  const NodeId next{static_cast<uint32_t>(clause) + 1};
  for (uint32_t i = static_cast<uint32_t>(next); i < module_.size(); ++i) {
    if (module_[NodeId{i}].kind != Kind::Clause || module_[NodeId{i}].origin != origin) continue;
    const RegionId skip = module_.get<core::node::Clause>(NodeId{i}).body;
    return add(ItemKind::GuardFalse, origin, "filter is false", {counter_at(skip, 0)});
  }
}

void Planner::add_call(RegionId region, uint32_t index, NodeId id) {
  const AstId origin = module_[id].origin;
  if (!ast_.is(origin, NodeKind::Call) || module_[id].in_guard) return;
  if (wants(ItemKind::Call)) {
    add(ItemKind::Call, origin, "call", {counter_at(region, index)});
  }
  if (!wants(ItemKind::Raise) || module_[id].kind != Kind::CallRemote) return;
  const auto c = module_.get<core::node::CallRemote>(id);
  static const Atom names[] = {atoms::error, atoms::throw_, Atom::intern("exit"),
                               Atom::intern("raise")};
  if (c.module != atoms::erlang || std::ranges::find(names, c.name) == std::end(names)) return;
  if (c.name == names[2] && module_.vars(c.arguments).size() != 1) return;
  add(ItemKind::Raise, origin, fmt::format("{} raises", c.name.text()),
      {counter_at(region, index)});
}

// OTP's cover has `A andalso B` as a case of A: it begins where A does. In guards it does not.
AstId Planner::first_part(const core::StatementStart& s) const {
  const std::span<const NodeId> nodes = module_.nodes(s.region);
  if (s.index < nodes.size() && module_[nodes[s.index]].kind == Kind::Case &&
      module_[nodes[s.index]].origin == s.origin) {
    const auto clauses = module_.nodes(module_.get<core::node::Case>(nodes[s.index]).clauses);
    const bool is_guard =
        !clauses.empty() &&
        !module_.regions(module_.get<core::node::Clause>(clauses[0]).guards).empty();
    if (is_guard && !ast_.is(module_[clauses[0]].origin, NodeKind::Clause)) return s.origin;
  }
  AstId at = s.origin;
  while (ast_.is(at, NodeKind::BinaryOp)) {
    const auto op = ast_.get<fathom::node::BinaryOp>(at);
    if (op.op != atoms::andalso_ && op.op != atoms::orelse_) break;
    at = op.left;
  }
  return at;
}

void Planner::add_statements() {
  std::map<uint32_t, std::vector<uint32_t>> lines;
  for (const core::StatementStart& s : module_.statements) {
    if (!counted_[static_cast<size_t>(s.region)] || !is_own(s.origin)) continue;
    if (!wants(ItemKind::Statement) && !wants(ItemKind::Line)) return;
    const uint32_t counter = counter_at(s.region, s.index);
    if (wants(ItemKind::Statement)) add(ItemKind::Statement, s.origin, "", {counter});
    lines[core::file_line(module_, first_part(s)).line].push_back(counter);
  }
  if (!wants(ItemKind::Line)) return;
  for (auto& [line, counters] : lines) {
    plan_.items.push_back(
        {{.kind = ItemKind::Line, .place = {line, 0, line, 0}}, std::move(counters)});
  }
}

}  // namespace

Plan make_plan(const core::Module& module, CriteriaSet criteria) {
  return Planner(module, criteria).make();
}

uint64_t text_hash(std::string_view text) { return hash_text(text); }

uint64_t source_hash(const Unit& unit) {
  if (unit.file) return text_hash(unit.sources().text(*unit.file));
  uint64_t hash = 0;
  for (uint32_t i = 0; i < unit.ast.size(); ++i) {
    const fathom::Node& node = unit.ast[fathom::NodeId{i}];
    const Position at = unit.otp_position(node.anchor);
    hash = hash_combine(hash, static_cast<uint64_t>(node.kind));
    hash = hash_combine(hash, uint64_t{at.line} << 32 | at.column);
  }
  return hash;
}

}  // namespace fathom::cover
