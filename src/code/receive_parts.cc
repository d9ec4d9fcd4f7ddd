#include "code/receive_parts.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/walk.h"

namespace fathom::machine {

using core::Kind;
using core::Module;
using core::NodeId;
using core::RegionId;
using core::VarId;

namespace {

using Vars = std::vector<VarId>;

bool contains(const Vars& vars, VarId v) {
  return std::find(vars.begin(), vars.end(), v) != vars.end();
}

void keep_common(Vars& vars, const Vars& others) {
  std::erase_if(vars, [&](VarId v) { return !contains(others, v); });
}

Vars defined_in(const Module& module, RegionId region) {
  Vars defined;
  for (const NodeId id : module.nodes(region)) {
    core::for_each_definition(module, id, [&](VarId v) { defined.push_back(v); });
  }
  return defined;
}

// X =:= Y.
bool is_comparison(const Module& module, NodeId id) {
  if (module[id].kind != Kind::CallRemote) return false;
  const auto call = module.get<core::node::CallRemote>(id);
  return call.module == atoms::erlang && call.name == atoms::equal_colon_equal;
}

// Which the alternative of a guard compares with a part of the message.
Vars compared_in_guard(const Module& module, RegionId alternative, const Vars& from_message) {
  std::unordered_map<VarId, std::span<const VarId>> comparisons;  // by result
  Vars compared;
  for (const NodeId id : module.nodes(alternative)) {
    if (is_comparison(module, id)) {
      comparisons[module[id].result] =
          module.vars(module.get<core::node::CallRemote>(id).arguments);
    }
    if (module[id].kind != Kind::Test) continue;
    const auto it = comparisons.find(module.get<core::node::Test>(id).value);
    if (it == comparisons.end()) continue;
    const VarId left = it->second[0];
    const VarId right = it->second[1];
    if (contains(from_message, left)) compared.push_back(right);
    if (contains(from_message, right)) compared.push_back(left);
  }
  const Vars own = defined_in(module, alternative);
  std::erase_if(compared, [&](VarId v) { return contains(from_message, v) || contains(own, v); });
  return compared;
}

Vars compared_in_clause(const Module& module, NodeId id) {
  const auto clause = module.get<core::node::Clause>(id);
  const Vars from_message = defined_in(module, clause.patterns);
  Vars compared;
  for (const NodeId part : module.nodes(clause.patterns)) {
    if (module[part].kind != Kind::MatchEqual) continue;
    const VarId value = module.get<core::node::MatchEqual>(part).value;
    if (!contains(from_message, value)) compared.push_back(value);
  }
  const std::span<const RegionId> alternatives = module.regions(clause.guards);
  Vars in_guard;
  for (size_t i = 0; i < alternatives.size(); ++i) {
    Vars in_alternative = compared_in_guard(module, alternatives[i], from_message);
    if (i == 0) {
      in_guard = std::move(in_alternative);
    } else {
      keep_common(in_guard, in_alternative);
    }
  }
  compared.insert(compared.end(), in_guard.begin(), in_guard.end());
  return compared;
}

}  // namespace

Vars parts_of_taken(const Module& module, NodeId receive) {
  constexpr size_t kMost = 4;
  const std::span<const NodeId> clauses =
      module.nodes(module.get<core::node::Receive>(receive).clauses);
  if (clauses.empty()) return {};
  Vars common = compared_in_clause(module, clauses[0]);
  for (const NodeId clause : clauses.subspan(1)) {
    if (common.empty()) break;
    keep_common(common, compared_in_clause(module, clause));
  }
  std::sort(common.begin(), common.end());
  common.erase(std::unique(common.begin(), common.end()), common.end());
  if (common.size() > kMost) common.resize(kMost);
  return common;
}

}  // namespace fathom::machine
