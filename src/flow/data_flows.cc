#include "flow/data_flows.h"

#include <algorithm>
#include <unordered_map>

#include "base/budget.h"
#include "core/walk.h"
#include "flow/matching.h"

namespace fathom::flow {

using core::GlobalNodeId;
using core::Kind;
using core::Module;
using core::NodeId;
using core::VarId;

bool builds_value(Kind kind) {
  return kind == Kind::Literal || kind == Kind::Tuple || kind == Kind::Cons || kind == Kind::Map ||
         kind == Kind::MapPut || kind == Kind::MapReplace || kind == Kind::Binary ||
         kind == Kind::Fun || kind == Kind::ExternalFun;
}

namespace {

using Values = std::vector<ObjectId>;

// What the nodes of one clause see, one after the other.
class ClauseWalk {
 public:
  ClauseWalk(const Analysis& analysis, const DispatchFacts& dispatch, size_t clause)
      : analysis_(analysis),
        instance_(analysis.facts()[dispatch.instance]),
        module_(*instance_.code.module),
        dispatch_(static_cast<size_t>(&dispatch - analysis.facts().dispatches.data())),
        clause_(clause) {}

  // f(node, object) for each value that a node of the pattern may match.
  template <class F>
  void run(core::RegionId patterns, F&& f) {
    if (!core::exists(patterns)) return;
    for (const NodeId id : module_.nodes(patterns)) {
      spend(2);
      if (module_[id].kind == Kind::Bind) {
        same_[module_[id].result] = subject_of(id);
        continue;
      }
      if (module_[id].kind == Kind::MatchKey) {
        parents_[module_[id].result] = {subject_of(id), Part::Value, 0,
                                        module_.get<core::node::MatchKey>(id).key};
        continue;
      }
      if (!is_test(module_[id].kind)) continue;
      const VarId subject = origin(subject_of(id));
      Values matched = values(subject);
      std::erase_if(matched, [&](ObjectId o) { return !may_pass(id, o); });
      for (const ObjectId object : matched) f(id, object);
      values_[subject] = std::move(matched);
      narrow(subject);
      name_parts(id, subject);
    }
  }

 private:
  enum class Part : uint8_t { Element, Value };
  struct Parent {
    VarId structure{};
    Part part{};
    size_t index = 0;
    VarId key{};  // of a map
  };

  static bool is_test(Kind kind) {
    return kind == Kind::MatchTuple || kind == Kind::MatchCons || kind == Kind::MatchLiteral ||
           kind == Kind::MatchMap || kind == Kind::MatchBits || kind == Kind::MatchEqual;
  }
  const Objects& objects() const { return analysis_.objects(); }
  VarId subject_of(NodeId id) const {
    VarId subject = core::kNoVar;
    core::for_each_use(module_, id, [&](VarId v) {
      if (!core::exists(subject)) subject = v;
    });
    return subject;
  }
  VarId origin(VarId v) const {
    for (auto at = same_.find(v); at != same_.end(); at = same_.find(v)) v = at->second;
    return v;
  }

  // What the variable may hold when the next node looks at it.
  Values values(VarId v) {
    if (const auto known = values_.find(v); known != values_.end()) return known->second;
    Values found;
    const auto parent = parents_.find(v);
    if (parent == parents_.end()) {
      analysis_.values(instance_.variables + static_cast<size_t>(v)).for_each([&](ObjectId o) {
        if (comes_here(v, o)) found.push_back(o);
      });
      return found;
    }
    // As a union of sets: many structures have the same parts.
    ObjectSet all;
    for (const ObjectId structure : values(origin(parent->second.structure))) {
      spend(1);
      if (objects()[structure].kind == ObjectKind::Unknown) all.insert(structure);
      for_each_part_set(structure, parent->second,
                        [&](const ObjectSet& parts) { all.insert_all(parts); });
    }
    all.for_each([&](ObjectId o) { found.push_back(o); });
    return found;
  }
  bool comes_here(VarId root, ObjectId object) const {
    for (size_t before = 0; before < clause_; ++before) {
      if (!analysis_.passes_on(dispatch_, before, root, object)) return false;
    }
    return true;
  }

  // f(set) for the sets that the part of a structure is; of something unknown there are none.
  template <class F>
  void for_each_part_set(ObjectId structure, const Parent& parent, F&& f) const {
    const Object& o = objects()[structure];
    if (o.kind == ObjectKind::Unknown) return;
    if (parent.part == Part::Element) {
      if (parent.index < o.count) f(analysis_.values(o.parts + parent.index));
      return;
    }
    if (o.kind != ObjectKind::Map) return;
    const ObjectSet& keys = analysis_.values(instance_.variables + static_cast<size_t>(parent.key));
    if (keys.any_of([&](ObjectId key) { return !objects().is_constant(key); })) {
      return f(analysis_.values(o.parts + kMapValues));
    }
    f(analysis_.values(o.parts + kMapOthers));
    for (const Objects::KeyedSlot& entry : objects().map_values(structure)) {
      if (keys.any_of([&](ObjectId key) { return objects().plain(key) == entry.key; })) {
        f(analysis_.values(entry.slot));
      }
    }
  }
  bool has_part_among(ObjectId structure, const Parent& parent, const Values& parts) const {
    if (objects()[structure].kind == ObjectKind::Unknown) {
      return std::ranges::binary_search(parts, structure);
    }
    bool has_any = false;
    for_each_part_set(structure, parent, [&](const ObjectSet& set) {
      has_any = has_any ||
                set.any_of([&](ObjectId part) { return std::ranges::binary_search(parts, part); });
    });
    return has_any;
  }

  // Structures whose part has not matched have not come so far.
  void narrow(VarId v) {
    for (auto parent = parents_.find(v); parent != parents_.end(); parent = parents_.find(v)) {
      const Values& parts = values_[v];
      const VarId structure = origin(parent->second.structure);
      Values left = values(structure);
      std::erase_if(left, [&](ObjectId o) { return !has_part_among(o, parent->second, parts); });
      values_[structure] = std::move(left);
      v = structure;
    }
  }

  bool may_pass(NodeId id, ObjectId object) {
    const Object& o = objects()[object];
    if (o.kind == ObjectKind::Unknown) return true;
    switch (module_[id].kind) {
      case Kind::MatchTuple:
        return o.kind == ObjectKind::Tuple &&
               o.size == module_.vars(module_.get<core::node::MatchTuple>(id).elements).size();
      case Kind::MatchCons:
        return o.kind == ObjectKind::Cons;
      case Kind::MatchLiteral:
        return may_be(o, module_[module_.get<core::node::MatchLiteral>(id).value]);
      case Kind::MatchMap:
        return o.kind == ObjectKind::Map;
      case Kind::MatchBits:
        return o.kind == ObjectKind::Bits;
      default: {
        const Values others = values(origin(module_.get<core::node::MatchEqual>(id).value));
        return std::ranges::any_of(others, [&](ObjectId other) {
          return may_be_same(o, objects().plain(object), objects()[other], objects().plain(other));
        });
      }
    }
  }

  void name_parts(NodeId id, VarId subject) {
    const auto name = [&](VarId part, size_t index) {
      if (core::exists(part)) parents_[part] = {subject, Part::Element, index, {}};
    };
    if (module_[id].kind == Kind::MatchTuple) {
      const auto elements = module_.vars(module_.get<core::node::MatchTuple>(id).elements);
      for (size_t i = 0; i < elements.size(); ++i) name(elements[i], i);
    } else if (module_[id].kind == Kind::MatchCons) {
      const auto view = module_.get<core::node::MatchCons>(id);
      name(view.head, kHead);
      name(view.tail, kTail);
    }
  }

  const Analysis& analysis_;
  const Instance& instance_;
  const Module& module_;
  const size_t dispatch_;
  const size_t clause_;
  std::unordered_map<VarId, Values> values_;  // sorted
  std::unordered_map<VarId, Parent> parents_;
  std::unordered_map<VarId, VarId> same_;
};

class BuiltUseFinder {
 public:
  BuiltUseFinder(const Analysis& analysis, const std::function<bool(const Module&)>& is_wanted)
      : analysis_(analysis), facts_(analysis.facts()), is_wanted_(is_wanted) {
    for (const Instance& instance : facts_.instances) note_builders(*instance.code.module);
  }

  BuiltUses run() {
    for (const DispatchFacts& dispatch : facts_.dispatches) {
      const Module& m = *facts_[dispatch.instance].code.module;
      if (!is_wanted_(m)) continue;
      for (size_t c = 0; c < dispatch.clauses.size(); ++c) {
        ClauseWalk walk(analysis_, dispatch, c);
        walk.run(m.get<core::node::Clause>(dispatch.clauses[c].node).patterns,
                 [&](NodeId id, ObjectId object) { add(object, m.global(id)); });
      }
    }
    for (const Instance& instance : facts_.instances) {
      if (is_wanted_(*instance.code.module)) add_applied(instance);
    }
    std::ranges::sort(found_.all);
    found_.all.erase(std::unique(found_.all.begin(), found_.all.end()), found_.all.end());
    find_escaped();
    return std::move(found_);
  }

 private:
  void note_builders(const Module& m) {
    if (!is_wanted_(m) || !seen_.insert(&m).second) return;
    for (uint32_t i = 0; i < m.size(); ++i) {
      if (builds_value(m[NodeId{i}].kind)) builders_.insert(m.global(NodeId{i}));
    }
  }
  // What unknown code has come by. The reason of an exit is unknown to whoever is told of it, so
  // that it is among them, with all its parts.
  void find_escaped() {
    const Objects& objects = analysis_.objects();
    ObjectSet all = analysis_.escaped();
    std::vector<ObjectId> todo;
    const auto add_all = [&](Slot slot) {
      analysis_.values(slot).for_each([&](ObjectId o) {
        if (all.insert(o)) todo.push_back(o);
      });
    };
    for (uint32_t i = 0; i < objects.size(); ++i) {
      const Object& o = objects[ObjectId{i}];
      if (o.kind == ObjectKind::Pid) add_all(o.parts + kExitReasons);
    }
    while (!todo.empty()) {
      spend(1);
      const Object& o = objects[todo.back()];
      todo.pop_back();
      const bool has_parts = o.kind == ObjectKind::Tuple || o.kind == ObjectKind::Cons ||
                             o.kind == ObjectKind::Map || o.kind == ObjectKind::Fun;
      for (size_t i = 0; has_parts && i < o.count; ++i) add_all(o.parts + i);
    }
    all.for_each([&](ObjectId object) {
      const auto& node = objects[object].node;
      if (node && builders_.contains(*node)) found_.escaped.insert(*node);
    });
  }
  void add(ObjectId object, GlobalNodeId used) {
    spend(1);
    if (object == analysis_.objects().unknown()) found_.open_uses.insert(used);
    const auto& node = analysis_.objects()[object].node;
    if (node && builders_.contains(*node)) found_.all.push_back({*node, used});
  }
  void add_applied(const Instance& instance) {
    const Module& m = *instance.code.module;
    static const Atom apply = Atom::intern("apply");
    core::for_each_node(m, instance.function().body, [&](NodeId id) {
      spend(1);
      VarId fun = core::kNoVar;
      if (m[id].kind == Kind::Apply) fun = m.get<core::node::Apply>(id).function;
      if (m[id].kind == Kind::CallRemote) {
        const auto call = m.get<core::node::CallRemote>(id);
        const auto arguments = m.vars(call.arguments);
        const bool is_apply =
            call.module == atoms::erlang && call.name == apply && arguments.size() == 2;
        if (is_apply) fun = arguments[0];
      }
      if (!core::exists(fun)) return;
      analysis_.values(instance.variables + static_cast<size_t>(fun)).for_each([&](ObjectId o) {
        const ObjectKind kind = analysis_.objects()[o].kind;
        const bool is_fun = kind == ObjectKind::Fun || kind == ObjectKind::ExternalFun;
        if (is_fun || kind == ObjectKind::Unknown) add(o, m.global(id));
      });
    });
  }

  const Analysis& analysis_;
  const Facts& facts_;
  const std::function<bool(const Module&)>& is_wanted_;
  std::unordered_set<const Module*> seen_;
  std::unordered_set<GlobalNodeId> builders_;
  BuiltUses found_;
};

}  // namespace

BuiltUses built_uses(const Analysis& analysis,
                     const std::function<bool(const core::Module&)>& is_wanted) {
  return BuiltUseFinder(analysis, is_wanted).run();
}

}  // namespace fathom::flow
