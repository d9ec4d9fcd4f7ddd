#include "code/liveness.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/walk.h"

namespace fathom::machine {

using core::exists;
using core::FieldKind;
using core::Kind;
using core::KindSchema;
using core::ListId;
using core::Module;
using core::NodeId;
using core::RegionId;
using core::schema_of;
using core::VarId;

ReturningRegion returning_region(const core::Module& module, core::RegionId id) {
  std::span<const NodeId> nodes = module.nodes(id);
  VarId value = module[id].value;
  while (!nodes.empty()) {
    const NodeId last = nodes.back();
    const Kind kind = module[last].kind;
    if (kind != Kind::Return && kind != Kind::Bind && kind != Kind::Copy) break;
    if (kind != Kind::Return && module[last].result == value) value = VarId{module.slot(last, 0)};
    nodes = nodes.first(nodes.size() - 1);
  }
  return {nodes, value};
}

bool is_call(Kind kind) {
  switch (kind) {
    case Kind::Call:
    case Kind::CallRemote:
    case Kind::CallDynamic:
    case Kind::Apply:
    case Kind::Receive:
      return true;
    default:
      return false;
  }
}

namespace {

class Analysis {
 public:
  Analysis(const Module& module, const core::Function& function)
      : module_(module), function_(function) {}

  Liveness run(const std::function<bool(NodeId)>& keeps_frame) {
    found_.ranges.resize(function_.variables.size());
    find_names();
    find_bodies();
    number(function_.body);
    for (const NodeId call : final_calls(module_, function_)) {
      if (!keeps_frame || !keeps_frame(call)) found_.tail_calls.insert(call);
    }
    VarSet live;
    region(function_.body, live);
    return std::move(found_);
  }

 private:
  // ---- Second names and constants

  void find_names() {
    const size_t count = function_.variables.size();
    std::vector<uint32_t> definitions(count);
    for_each_node(module_, function_.body, [&](NodeId id) {
      for_each_definition(module_, id, [&](VarId v) { ++definitions[static_cast<size_t>(v)]; });
    });
    found_.constants.resize(count);
    for (uint32_t i = 0; i < count; ++i) found_.same_as.push_back(VarId{i});
    for_each_node(module_, function_.body, [&](NodeId id) {
      const core::Node& n = module_[id];
      if (!exists(n.result) || definitions[static_cast<size_t>(n.result)] != 1) return;
      const auto result = static_cast<size_t>(n.result);
      if (n.kind == Kind::Literal) {
        found_.constants[result] = module_.get<core::node::Literal>(id).value;
      } else if (n.kind == Kind::Bind || n.kind == Kind::Copy) {
        const VarId source = resolve(VarId{module_.slot(id, 0)});
        // A variable with several definitions might be defined anew.
        if (definitions[static_cast<size_t>(source)] != 1) return;
        found_.same_as[result] = source;
        found_.constants[result] = found_.constants[static_cast<size_t>(source)];
      }
    });
  }

  VarId resolve(VarId v) const { return found_.same_as[static_cast<size_t>(v)]; }

  // ---- Values of bodies

  // A variable that its region's last node makes and nobody else reads. Not where the
  // value is that of the function: it goes nowhere then.
  void find_bodies() {
    const size_t count = function_.variables.size();
    std::vector<uint32_t> uses(count);
    std::vector<uint32_t> definitions(count);
    for_each_node(module_, function_.body, [&](NodeId id) {
      for_each_use(module_, id, [&](VarId v) { ++uses[static_cast<size_t>(resolve(v))]; });
      for_each_definition(module_, id, [&](VarId v) { ++definitions[static_cast<size_t>(v)]; });
      for_each_region(module_, id, [&](RegionId r) {
        const VarId value = module_[r].value;
        if (exists(value)) ++uses[static_cast<size_t>(resolve(value))];
      });
    });
    found_.is_body_value.resize(count);
    const VarId returned = module_[function_.body].value;
    std::vector<bool> is_returned(count);
    if (exists(returned)) is_returned[static_cast<size_t>(returned)] = true;
    for_each_node(module_, function_.body, [&](NodeId id) {
      const VarId result = module_[id].result;
      for_each_value_region(module_, id, [&](RegionId body) {
        if (!exists(body) || !exists(result) || module_.nodes(body).empty()) return;
        const VarId value = module_[body].value;
        const VarId made = module_[module_.nodes(body).back()].result;
        if (!exists(value) || made != value) return;
        const auto v = static_cast<size_t>(value);
        if (is_returned[static_cast<size_t>(result)]) {
          is_returned[v] = true;
        } else if (uses[v] == 1 && definitions[v] == 1 && resolve(value) == value &&
                   !found_.constants[v] && definitions[static_cast<size_t>(result)] == 1) {
          found_.same_as[v] = resolve(result);
          found_.is_body_value[v] = true;
        }
      });
    });
  }

  // Whether the node's definitions of it change the register of what it stands for.
  bool is_defined_as_itself(VarId v) const {
    return resolve(v) == v || found_.is_body_value[static_cast<size_t>(v)];
  }

  // ---- Positions and ranges, forwards

  void use(VarId v, uint32_t at) {
    Liveness::Range& range = found_.ranges[static_cast<size_t>(resolve(v))];
    range.last = std::max(range.last, at);
    // That a body ends with the result itself is not a use of it.
    if (!found_.is_body_value[static_cast<size_t>(v)]) ++range.uses;
  }
  void define(VarId v, uint32_t at) {
    if (!is_defined_as_itself(v)) return;
    Liveness::Range& range = found_.ranges[static_cast<size_t>(resolve(v))];
    range.first = std::min(range.first, at);
    range.last = std::max(range.last, at);
  }

  void number(RegionId id) {
    if (!exists(id)) return;
    for (const NodeId n : module_.nodes(id)) number(n);
    if (const VarId value = module_[id].value; exists(value)) use(value, next_++);
  }

  void number(NodeId id) {
    const uint32_t start = next_;
    next_ += 2;
    found_.nodes.push_back(id);
    for_each_use(module_, id, [&](VarId v) { use(v, start); });
    const Kind kind = module_[id].kind;
    if (kind == Kind::Try) return number_try(id);
    if (kind != Kind::Case && !holds_regions(kind)) {
      for_each_definition(module_, id, [&](VarId v) { define(v, start + 1); });
      return;
    }
    // What it defines for its regions is there before them, its result from their
    // ends on.
    for_each_definition(module_, id, [&](VarId v) {
      if (v != module_[id].result) define(v, start);
    });
    number_parts(id);
    if (exists(module_[id].result)) define(module_[id].result, next_++);
    if (kind == Kind::Receive) extend_into(start, next_++);
  }

  static bool holds_regions(Kind kind) {
    return kind == Kind::Clause || kind == Kind::Receive || kind == Kind::Maybe ||
           kind == Kind::Binary;
  }

  void number_parts(NodeId id) {
    const KindSchema& schema = schema_of(module_[id].kind);
    for (size_t i = 0; i < schema.fields.size(); ++i) {
      const uint32_t value = module_.slot(id, i);
      switch (schema.fields[i].kind) {
        case FieldKind::Nodes:
          for (const NodeId n : module_.nodes(ListId{value})) number(n);
          break;
        case FieldKind::Region:
          number(RegionId{value});
          break;
        case FieldKind::Regions:
          for (const RegionId r : module_.regions(ListId{value})) number(r);
          break;
        default:
          break;
      }
    }
  }

  // The value and the exception are defined where the body ends.
  void number_try(NodeId id) {
    const auto t = module_.get<core::node::Try>(id);
    number(t.body);
    for (const VarId v : {t.value, t.exception_class, t.reason, t.trace}) define(v, next_);
    ++next_;
    number(t.success);
    number(t.handler);
    if (exists(module_[id].result)) define(module_[id].result, next_++);
  }

  // Variables defined before `start` and used since then stay until `end`.
  void extend_into(uint32_t start, uint32_t end) {
    for (Liveness::Range& range : found_.ranges) {
      if (range.first < start && range.last > start) range.last = std::max(range.last, end);
    }
  }

  // ---- What calls must keep, backwards. `live`: needed after; becomes: before.

  void region(RegionId id, VarSet& live) {
    if (!exists(id)) return;
    if (const VarId value = module_[id].value; exists(value)) live.insert(resolve(value));
    const std::span<const NodeId> nodes = module_.nodes(id);
    for (size_t i = nodes.size(); i-- > 0;) node(nodes[i], live);
  }

  void node(NodeId id, VarSet& live) {
    const core::Node& n = module_[id];
    switch (n.kind) {
      case Kind::Case:
        return case_node(id, live);
      case Kind::Receive:
        return receive_node(id, live);
      case Kind::Try:
        return try_node(id, live);
      case Kind::Maybe:
        return maybe_node(id, live);
      case Kind::Leave:
        live = leave_live_;
        break;
      case Kind::Raise:
      case Kind::NoMatch:
        live = handler_live_ ? *handler_live_ : VarSet();
        break;
      default:
        break;
    }
    for_each_definition(module_, id, [&](VarId v) {
      if (is_defined_as_itself(v)) live.erase(resolve(v));
    });
    if (is_call(n.kind)) {
      VarSet kept = live;
      if (handler_live_) kept.merge(*handler_live_);
      found_.kept.emplace(id, std::move(kept));
    }
    if (n.kind == Kind::Binary) {
      for (const NodeId s : module_.nodes(module_.get<core::node::Binary>(id).segments)) {
        for_each_use(module_, s, [&](VarId v) { live.insert(resolve(v)); });
      }
    }
    for_each_use(module_, id, [&](VarId v) { live.insert(resolve(v)); });
  }

  // Of all clauses and what follows if none matches.
  VarSet clauses(std::span<const NodeId> ids, const VarSet& behind, VarSet otherwise) {
    for (size_t i = ids.size(); i-- > 0;) {
      const auto c = module_.get<core::node::Clause>(ids[i]);
      VarSet live = behind;
      region(c.body, live);
      const std::span<const RegionId> alternatives = module_.regions(c.guards);
      for (size_t g = alternatives.size(); g-- > 0;) {
        VarSet one = live;
        region(alternatives[g], one);
        live.merge(one);
      }
      region(c.patterns, live);
      otherwise.merge(live);
    }
    return otherwise;
  }

  void case_node(NodeId id, VarSet& live) {
    const auto c = module_.get<core::node::Case>(id);
    if (exists(module_[id].result)) live.erase(resolve(module_[id].result));
    VarSet otherwise = live;
    region(c.otherwise, otherwise);
    live = clauses(module_.nodes(c.clauses), live, std::move(otherwise));
  }

  void receive_node(NodeId id, VarSet& live) {
    const auto r = module_.get<core::node::Receive>(id);
    if (exists(module_[id].result)) live.erase(resolve(module_[id].result));
    // Without an `after` the next message is tried, and nothing else follows.
    VarSet after = exists(r.after) ? live : VarSet();
    region(r.after, after);
    live = clauses(module_.nodes(r.clauses), live, std::move(after));
    live.erase(r.message);
    if (exists(r.timeout)) live.insert(resolve(r.timeout));
    VarSet kept = live;
    if (handler_live_) kept.merge(*handler_live_);
    found_.kept.emplace(id, std::move(kept));
  }

  void try_node(NodeId id, VarSet& live) {
    const auto t = module_.get<core::node::Try>(id);
    if (exists(module_[id].result)) live.erase(resolve(module_[id].result));
    VarSet handler = live;
    region(t.handler, handler);
    for (const VarId v : {t.exception_class, t.reason, t.trace}) handler.erase(v);
    region(t.success, live);
    live.erase(t.value);
    // Whatever the body does, the handler may come next.
    if (handler_live_) handler.merge(*handler_live_);
    const VarSet* outer = handler_live_;
    handler_live_ = &handler;
    region(t.body, live);
    handler_live_ = outer;
    live.merge(handler);
  }

  void maybe_node(NodeId id, VarSet& live) {
    const auto m = module_.get<core::node::Maybe>(id);
    if (exists(module_[id].result)) live.erase(resolve(module_[id].result));
    VarSet otherwise = live;
    region(m.otherwise, otherwise);
    otherwise.erase(m.mismatch);
    const VarSet outer = std::exchange(leave_live_, std::move(otherwise));
    region(m.body, live);
    leave_live_ = outer;
  }

  const Module& module_;
  const core::Function& function_;
  Liveness found_;
  uint32_t next_ = 0;
  const VarSet* handler_live_ = nullptr;  // needed by the handlers around
  VarSet leave_live_;
};

}  // namespace

std::vector<NodeId> final_calls(const Module& module, const core::Function& function) {
  std::vector<NodeId> calls;
  std::vector<RegionId> regions = {function.body};
  while (!regions.empty()) {
    const RegionId id = regions.back();
    regions.pop_back();
    if (!exists(id)) continue;
    const auto [nodes, value] = returning_region(module, id);
    if (nodes.empty() || module[nodes.back()].result != value) continue;
    const NodeId last = nodes.back();
    for_each_value_region(module, last, [&](RegionId body) { regions.push_back(body); });
    if (is_call(module[last].kind)) calls.push_back(last);
  }
  return calls;
}

Liveness find_liveness(const Module& module, const core::Function& function,
                       const std::function<bool(NodeId)>& keeps_frame) {
  return Analysis(module, function).run(keeps_frame);
}

}  // namespace fathom::machine
