#include "slice/alike_clauses.h"

#include <algorithm>

#include "core/walk.h"
#include "slice/clause_questions.h"

namespace fathom::slice {

using core::Kind;
using core::NodeId;
using core::RegionId;
using core::VarId;

namespace {

std::span<const NodeId> clauses_of(const core::Module& m, NodeId node) {
  return m.nodes(m.get<core::node::Case>(node).clauses);
}

RegionId body_of(const core::Module& m, NodeId clause) {
  return m.get<core::node::Clause>(clause).body;
}

// The tests of its patterns and guards.
template <class F>
void for_each_test(const core::Module& m, NodeId clause, F&& f) {
  const auto view = m.get<core::node::Clause>(clause);
  const auto visit = [&](RegionId region) {
    core::for_each_node(m, region, [&](NodeId n) {
      if (is_test(m[n].kind)) f(n);
    });
  };
  if (core::exists(view.patterns)) visit(view.patterns);
  for (const RegionId guard : m.regions(view.guards)) visit(guard);
}

// Whether the nodes do the same with their operands, apart from what these are.
bool is_same_operation(const core::Module& m, NodeId a, NodeId b) {
  if (m[a].kind != m[b].kind) return false;
  switch (m[a].kind) {
    case Kind::Literal: {
      const Term x = m[m.get<core::node::Literal>(a).value];
      const Term y = m[m.get<core::node::Literal>(b).value];
      if (x.is_atom() && y.is_atom()) return x.atom() == y.atom();
      if (x.is_small() && y.is_small()) return x.small() == y.small();
      return x.is_nil() && y.is_nil();
    }
    case Kind::Call:
      return m.get<core::node::Call>(a).function == m.get<core::node::Call>(b).function;
    case Kind::CallRemote: {
      const auto x = m.get<core::node::CallRemote>(a);
      const auto y = m.get<core::node::CallRemote>(b);
      return x.module == y.module && x.name == y.name &&
             m.vars(x.arguments).size() == m.vars(y.arguments).size();
    }
    case Kind::Tuple:
      return m.vars(m.get<core::node::Tuple>(a).elements).size() ==
             m.vars(m.get<core::node::Tuple>(b).elements).size();
    case Kind::Cons:
    case Kind::Copy:
    case Kind::Bind:
      return true;
    default:
      return false;
  }
}

// What a body's value is made by; none: something from outside of it.
std::optional<NodeId> maker(const Procedure& p, RegionId body) {
  const VarId value = (*p.module)[body].value;
  if (!core::exists(value)) return std::nullopt;
  const auto& definitions = p.definitions[static_cast<size_t>(value)];
  const auto nodes = p.module->nodes(body);
  if (definitions.size() != 1 ||
      std::find(nodes.begin(), nodes.end(), definitions[0]) == nodes.end()) {
    return std::nullopt;
  }
  return definitions[0];
}

bool may_be_alike(const Procedure& p, NodeId a, NodeId b) {
  const core::Module& m = *p.module;
  const auto x = maker(p, body_of(m, a));
  const auto y = maker(p, body_of(m, b));
  if (x.has_value() != y.has_value()) return false;
  return !x || is_same_operation(m, *x, *y);
}

bool is_clause_entered(const Procedure& p, NodeId clause) {
  return exists(p.control->point(body_of(*p.module, clause)));
}

bool is_asked(const std::vector<Question>& asked, const Question& q) {
  return std::any_of(asked.begin(), asked.end(), [&](const Question& a) { return a.is_same(q); });
}

bool has_needed_part(const Slicer& slicer, ProcedureId p, NodeId test) {
  bool is_any = false;
  core::for_each_definition(*slicer.model()[p].module, test,
                            [&](VarId v) { is_any = is_any || is_some(slicer.need_of(p, v)); });
  return is_any;
}

// Two bodies, side by side.
class Bodies {
 public:
  Bodies(Slicer& slicer, ProcedureId p) : slicer_(slicer), p_(p), m_(*slicer.model()[p].module) {}

  bool are_alike(const std::unordered_map<VarId, uint32_t>& first_paths, RegionId first,
                 const std::unordered_map<VarId, uint32_t>& second_paths, RegionId second,
                 bool is_value_needed) {
    for (const auto& [v, path] : first_paths) names_[0][v] = kPath | path;
    for (const auto& [v, path] : second_paths) names_[1][v] = kPath | path;
    const std::vector<NodeId> a = kept(first);
    const std::vector<NodeId> b = kept(second);
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
      if (!is_same_operation(m_, a[i], b[i]) || !have_same_operands(a[i], b[i])) return false;
      if (core::exists(m_[a[i]].result)) {
        names_[0][m_[a[i]].result] = names_[1][m_[b[i]].result] = kMade | i;
      }
    }
    return !is_value_needed || name(0, m_[first].value) == name(1, m_[second].value);
  }

 private:
  static constexpr uint64_t kPath = uint64_t{1} << 40, kMade = uint64_t{1} << 41;

  std::vector<NodeId> kept(RegionId region) const {
    std::vector<NodeId> result;
    core::for_each_node(m_, region, [&](NodeId n) {
      if (slicer_.is_kept(p_, n)) result.push_back(n);
    });
    return result;
  }

  uint64_t name(size_t side, VarId v) const {
    const auto known = names_[side].find(v);
    return known == names_[side].end() ? static_cast<uint64_t>(v) : known->second;
  }

  bool have_same_operands(NodeId a, NodeId b) {
    std::vector<VarId> x, y;
    core::for_each_use(m_, a, [&](VarId v) { x.push_back(v); });
    core::for_each_use(m_, b, [&](VarId v) { y.push_back(v); });
    if (x.size() != y.size()) return false;
    for (size_t i = 0; i < x.size(); ++i) {
      const bool is_needed =
          is_some(slicer_.operand_need(p_, a, x[i])) || is_some(slicer_.operand_need(p_, b, y[i]));
      if (is_needed && name(0, x[i]) != name(1, y[i])) return false;
    }
    return true;
  }

  Slicer& slicer_;
  ProcedureId p_;
  const core::Module& m_;
  std::unordered_map<VarId, uint64_t> names_[2];
};

}  // namespace

void Model::find_possibly_alike() {
  for (uint32_t i = 0; i < procedures_.size(); ++i) {
    const Procedure& p = procedures_[i];
    if (p.is_caught || p.is_loop) continue;
    for (const NodeId node : p.cases) {
      const auto all = clauses_of(*p.module, node);
      // Enough for what people write, and not quadratic for what programs write.
      constexpr size_t kMostCompared = 64;
      if (all.size() > kMostCompared) continue;
      for (size_t a = 0; a + 1 < all.size(); ++a) {
        for (size_t b = all.size(); b-- > a + 1;) {
          if (!is_clause_entered(p, all[a]) || !is_clause_entered(p, all[b])) continue;
          if (!may_be_alike(p, all[a], all[b])) continue;
          possibly_alike_.push_back({ProcedureId{i}, node, a, b});
          break;
        }
      }
    }
  }
}

bool is_worth_trying(const Slicer& slicer, const Alike& alike) {
  const core::Module& m = *slicer.model()[alike.procedure].module;
  const auto clauses = clauses_of(m, alike.node);
  bool is_any = false;
  for_each_test(m, clauses[alike.clause],
                [&](NodeId n) { is_any = is_any || slicer.has_outcome(alike.procedure, n); });
  if (!is_any) return false;
  Questions questions(m);
  const std::vector<Question> asked = questions.of(clauses[alike.clause]);
  const std::vector<Question> later = questions.of(clauses[alike.into]);
  return std::none_of(later.begin(), later.end(), [&](const Question& q) {
    return !is_asked(asked, q) && has_needed_part(slicer, alike.procedure, q.node);
  });
}

void assume(Slicer& slicer, const Alike& alike) {
  const core::Module& m = *slicer.model()[alike.procedure].module;
  for_each_test(m, clauses_of(m, alike.node)[alike.clause],
                [&](NodeId n) { slicer.decides_nothing(alike.procedure, n); });
}

bool holds(Slicer& slicer, const Alike& alike, const std::vector<Alike>& all) {
  const Procedure& p = slicer.model()[alike.procedure];
  const core::Module& m = *p.module;
  const auto clauses = clauses_of(m, alike.node);
  Questions questions(m);
  const std::vector<Question> asked = questions.of(clauses[alike.clause]);
  const auto paths = questions.paths();
  // What the later clause asks, the earlier one has asked.
  const std::vector<Question> later = questions.of(clauses[alike.into]);
  const auto later_paths = questions.paths();
  for (const Question& q : later) {
    if (!is_asked(asked, q) && slicer.is_kept(alike.procedure, q.node)) return false;
  }
  bool has_guard = false;
  for (const RegionId guard : m.regions(m.get<core::node::Clause>(clauses[alike.into]).guards)) {
    core::for_each_node(
        m, guard, [&](NodeId n) { has_guard = has_guard || slicer.is_kept(alike.procedure, n); });
  }
  if (has_guard) return false;
  // Those in between are the same too, or take nothing of what it takes.
  for (size_t i = alike.clause + 1; i < alike.into; ++i) {
    if (!is_clause_entered(p, clauses[i])) continue;
    const bool is_same_too = std::any_of(all.begin(), all.end(), [&](const Alike& other) {
      return other.procedure == alike.procedure && other.node == alike.node && other.clause == i &&
             other.into == alike.into;
    });
    if (is_same_too) continue;
    const std::vector<Question> between = questions.of(clauses[i]);
    const bool is_other = std::any_of(between.begin(), between.end(), [&](const Question& q) {
      return slicer.has_outcome(alike.procedure, q.node) &&
             std::any_of(asked.begin(), asked.end(),
                         [&](const Question& a) { return a.is_contrary(q); });
    });
    if (!is_other) return false;
  }
  const bool is_value_needed = is_some(slicer.need_of(alike.procedure, m[alike.node].result));
  return Bodies(slicer, alike.procedure)
      .are_alike(paths, body_of(m, clauses[alike.clause]), later_paths,
                 body_of(m, clauses[alike.into]), is_value_needed);
}

}  // namespace fathom::slice
