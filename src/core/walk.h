// What a node reads, defines and holds, by the schema of its kind. All of them call f for
// one thing after the other, in the order of the fields.
#pragma once

#include <span>
#include <vector>

#include "core/core.h"

namespace fathom::core {

// The variables that the node itself reads, or defines; not those of its regions and parts.
template <class F>
void for_each_use(const Module& module, NodeId id, F&& f);
template <class F>
void for_each_definition(const Module& module, NodeId id, F&& f);

// The regions that the node itself holds. Those of a Case's clauses are the clauses'.
template <class F>
void for_each_region(const Module& module, NodeId id, F&& f);

// The regions whose values are the node's result: f(region). A Case has those of its clauses
// and `otherwise`. A region may not exist.
template <class F>
void for_each_value_region(const Module& module, NodeId id, F&& f);

// All nodes below the region, at any depth, each before those that it holds.
template <class F>
void for_each_node(const Module& module, RegionId region, F&& f);

// ---- Implementation ---------------------------------------------------------

template <class F>
void for_each_use(const Module& module, NodeId id, F&& f) {
  const KindSchema& schema = schema_of(module[id].kind);
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    const uint32_t value = module.slot(id, i);
    switch (schema.fields[i].kind) {
      case FieldKind::Use:
      case FieldKind::OptUse:
        if (exists(VarId{value})) f(VarId{value});
        break;
      case FieldKind::Uses:
        for (const VarId v : module.vars(ListId{value})) f(v);
        break;
      default:
        break;
    }
  }
}

template <class F>
void for_each_definition(const Module& module, NodeId id, F&& f) {
  const KindSchema& schema = schema_of(module[id].kind);
  if (exists(module[id].result)) f(module[id].result);
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    const uint32_t value = module.slot(id, i);
    if (schema.fields[i].kind == FieldKind::Def) {
      if (exists(VarId{value})) f(VarId{value});
    } else if (schema.fields[i].kind == FieldKind::Defs) {
      for (const VarId v : module.vars(ListId{value})) {
        if (exists(v)) f(v);
      }
    }
  }
}

template <class F>
void for_each_region(const Module& module, NodeId id, F&& f) {
  const KindSchema& schema = schema_of(module[id].kind);
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    const uint32_t value = module.slot(id, i);
    if (schema.fields[i].kind == FieldKind::Region) {
      if (exists(RegionId{value})) f(RegionId{value});
    } else if (schema.fields[i].kind == FieldKind::Regions) {
      for (const RegionId r : module.regions(ListId{value})) f(r);
    }
  }
}

template <class F>
void for_each_value_region(const Module& module, NodeId id, F&& f) {
  const auto clauses = [&](ListId list) {
    for (const NodeId c : module.nodes(list)) f(module.get<node::Clause>(c).body);
  };
  switch (module[id].kind) {
    case Kind::Case: {
      const auto c = module.get<node::Case>(id);
      clauses(c.clauses);
      return f(c.otherwise);
    }
    case Kind::Receive: {
      const auto r = module.get<node::Receive>(id);
      clauses(r.clauses);
      return f(r.after);
    }
    case Kind::Try: {
      const auto t = module.get<node::Try>(id);
      f(t.success);
      return f(t.handler);
    }
    case Kind::Maybe: {
      const auto m = module.get<node::Maybe>(id);
      f(m.body);
      return f(m.otherwise);
    }
    default:
      return;
  }
}

template <class F>
void for_each_node(const Module& module, RegionId region, F&& f) {
  std::vector<NodeId> todo;
  const auto push = [&](std::span<const NodeId> nodes) {
    todo.insert(todo.end(), nodes.rbegin(), nodes.rend());
  };
  push(module.nodes(region));
  while (!todo.empty()) {
    const NodeId id = todo.back();
    todo.pop_back();
    f(id);
    const KindSchema& schema = schema_of(module[id].kind);
    for (size_t i = schema.fields.size(); i-- > 0;) {
      const uint32_t value = module.slot(id, i);
      if (schema.fields[i].kind == FieldKind::Nodes) {
        push(module.nodes(ListId{value}));
      } else if (schema.fields[i].kind == FieldKind::Region && exists(RegionId{value})) {
        push(module.nodes(RegionId{value}));
      } else if (schema.fields[i].kind == FieldKind::Regions) {
        const std::span<const RegionId> regions = module.regions(ListId{value});
        for (size_t r = regions.size(); r-- > 0;) push(module.nodes(regions[r]));
      }
    }
  }
}

}  // namespace fathom::core
