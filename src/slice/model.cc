#include "slice/model.h"

#include <algorithm>
#include <deque>

#include "base/budget.h"
#include "core/raise.h"
#include "core/walk.h"
#include "flow/message_index.h"
#include "slice/never_raises.h"
#include "slice/syntax_groups.h"

namespace fathom::slice {

using core::FunctionId;
using core::Kind;
using core::NodeId;
using core::RegionId;
using flow::InstanceId;

namespace {

std::vector<core::AstId> parents_of(const Ast& ast) {
  std::vector<core::AstId> parents(ast.size(), kNoNode);
  for (uint32_t i = 0; i < ast.size(); ++i) {
    ast.for_each_child(core::AstId{i}, [&](core::AstId child) {
      parents[static_cast<size_t>(child)] = core::AstId{i};
    });
  }
  return parents;
}

}  // namespace

Model::Model(const flow::Analysis& analysis, flow::Code& code) : analysis_(analysis), code_(code) {
  add_procedures();
  add_calls();
  add_rules();
  find_table_kinds();
  find_servers();
  find_requests();
  find_handed_out();
  add_messages();
  judge_tests();
  find_raising();
  find_caught();
  make_controls();
  find_possibly_alike();
}

ProcedureId Model::find(const core::Module& module, FunctionId function) const {
  const auto known = by_function_.find(&module);
  if (known == by_function_.end()) return kNoProcedure;
  return known->second[static_cast<size_t>(function)];
}

void Model::restrict_to(const ExecutionFacts& execution) {
  is_of_execution_ = true;
  std::unordered_map<core::GlobalNodeId, FunUse> places;
  for (uint32_t i = 0; i < procedures_.size(); ++i) {
    const Procedure& p = procedures_[i];
    p.control->leave_out([&](NodeId node) { return execution.is_executed(*p.module, node); },
                         [&](RegionId region) { return execution.is_entered(*p.module, region); });
    core::for_each_node(*p.module, p.code().body, [&](NodeId node) {
      places.emplace(p.module->global(node), FunUse{ProcedureId{i}, node});
    });
  }
  if (!execution.messages) return;
  has_known_messages_ = true;
  partners_.clear();
  for (const ExecutionFacts::Message& message : *execution.messages) {
    const auto send = places.find(message.send);
    const auto receive = places.find(message.receive);
    if (send == places.end() || receive == places.end()) continue;
    partners_[message.send].push_back(receive->second);
    partners_[message.receive].push_back(send->second);
    if (message.orders_accesses) ordering_receives_.push_back(receive->second);
  }
}

// ---- Procedures -------------------------------------------------------------

void Model::add_procedures() {
  const flow::Facts& facts = analysis_.facts();
  by_instance_.assign(facts.instances.size(), kNoProcedure);
  for (size_t i = 0; i < facts.instances.size(); ++i) {
    const flow::Instance& instance = facts.instances[i];
    const core::Module& m = *instance.code.module;
    if (!code_.is_own(m.name())) continue;
    auto& functions = by_function_[&m];
    if (functions.empty()) {
      functions.assign(m.functions.size(), kNoProcedure);
      modules_.push_back(&m);
      origins_[&m] = std::make_unique<core::OriginIndex>(m);
      parents_[&m] = parents_of(m.unit().ast);
      never_taken_[&m] = subsumed_clauses(m, *origins_[&m]);
    }
    ProcedureId& id = functions[static_cast<size_t>(instance.code.function)];
    if (!exists(id)) {
      id = ProcedureId{static_cast<uint32_t>(procedures_.size())};
      Procedure p;
      p.module = &m;
      p.function = instance.code.function;
      p.instance = InstanceId{static_cast<uint32_t>(i)};
      const core::AstId origin = p.code().origin;
      p.is_loop = fathom::exists(origin) && is_comprehension(m.unit().ast.kind(origin));
      procedures_.push_back(std::move(p));
      add_definitions(id);
    }
    by_instance_[i] = id;
  }
  // Funs of them.
  for (size_t i = 0; i < procedures_.size(); ++i) {
    const Procedure& p = procedures_[i];
    core::for_each_node(*p.module, p.code().body, [&](NodeId node) {
      if ((*p.module)[node].kind != Kind::Fun) return;
      const ProcedureId made = find(*p.module, p.module->get<core::node::Fun>(node).code);
      if (exists(made)) at(made).made_at.push_back({ProcedureId{static_cast<uint32_t>(i)}, node});
    });
  }
}

void Model::add_definitions(ProcedureId id) {
  Procedure& p = at(id);
  const core::Module& m = *p.module;
  p.definitions.resize(p.code().variables.size());
  core::for_each_node(m, p.code().body, [&](NodeId node) {
    spend(1);
    core::for_each_definition(
        m, node, [&](core::VarId v) { p.definitions[static_cast<size_t>(v)].push_back(node); });
    if (!m[node].in_guard && core::may_raise(m, node) &&
        !never_raises(analysis_, p.instance, node)) {
      p.raising.push_back(node);
    }
    if (p.is_loop && is_test(m[node].kind) && fathom::exists(m[node].origin) &&
        is_generator(m.unit().ast.kind(m[node].origin))) {
      p.steps.push_back(node);
    }
    switch (m[node].kind) {
      case Kind::Entry: {
        const auto parameters = m.vars(m.get<core::node::Entry>(node).parameters);
        p.parameters.assign(parameters.begin(), parameters.end());
        break;
      }
      case Kind::Return:
        p.result = m.get<core::node::Return>(node).value;
        break;
      case Kind::Try:
        p.has_try = true;
        break;
      case Kind::Case:
        if (!m[node].in_guard && m.nodes(m.get<core::node::Case>(node).clauses).size() > 1) {
          p.cases.push_back(node);
        }
        break;
      case Kind::Receive:
        receives_.push_back({id, node});
        break;
      case Kind::MatchLiteral: {
        const auto view = m.get<core::node::MatchLiteral>(node);
        const auto& from = p.definitions[static_cast<size_t>(view.subject)];
        if (!m[view.value].is_atom() || from.size() != 1 || m[from[0]].kind != Kind::MatchTuple) {
          break;
        }
        const auto elements = m.vars(m.get<core::node::MatchTuple>(from[0]).elements);
        if (elements[0] == view.subject) pattern_tags_[m.global(from[0])] = m[view.value].atom();
        break;
      }
      default:
        break;
    }
  });
}

// ---- Calls ------------------------------------------------------------------

void Model::add_calls() {
  const flow::Facts& facts = analysis_.facts();
  library_callees_.resize(facts.instances.size());
  library_access_.resize(facts.instances.size());
  library_outside_.resize(facts.instances.size());
  std::vector<CallId> by_site(facts.sites.size(), kNoCall);
  for (size_t i = 0; i < facts.sites.size(); ++i) {
    const flow::Site& site = facts.sites[i];
    const ProcedureId caller = own(site.instance);
    const bool is_outside = facts.outside_calls.contains(site.global);
    if (!exists(caller)) {
      if (is_outside) library_outside_[static_cast<size_t>(site.instance)] = true;
      continue;
    }
    const auto known = at(caller).call_at.find(site.node);
    const bool is_new = known == at(caller).call_at.end();
    by_site[i] = is_new ? CallId{static_cast<uint32_t>(calls_.size())} : known->second;
    if (is_new) {
      calls_.push_back({.caller = caller, .node = site.node, .targets = {}, .access = {}});
      at(caller).call_at.emplace(site.node, by_site[i]);
      at(caller).calls.push_back(by_site[i]);
    }
    if (is_outside) {
      outside_calls_.push_back(by_site[i]);
      Call& call = calls_[static_cast<size_t>(by_site[i])];
      call.is_opaque = call.is_outside = true;
      call.access = {kAllChannels, kAllChannels};
    }
  }
  for (const flow::ExternalCall& external : facts.external_calls) {
    const Access access = access_of(external.name);
    const CallId id = by_site[static_cast<size_t>(external.site)];
    Access& to = exists(id) ? calls_[static_cast<size_t>(id)].access
                            : library_access_[static_cast<size_t>(facts[external.site].instance)];
    to.reads |= access.reads;
    to.writes |= access.writes;
    if (exists(id)) calls_[static_cast<size_t>(id)].is_opaque = true;
  }
  for (const flow::CallEdge& edge : facts.calls) {
    if (exists(by_site[static_cast<size_t>(edge.site)])) continue;
    library_callees_[static_cast<size_t>(facts[edge.site].instance)].push_back(edge.callee);
  }
  for (const flow::CallEdge& edge : facts.calls) {
    const CallId id = by_site[static_cast<size_t>(edge.site)];
    if (edge.kind == flow::CallKind::Spawn && exists(own(edge.callee))) {
      started_.push_back(own(edge.callee));
    }
    if (exists(id)) add_target(calls_[static_cast<size_t>(id)], edge);
  }
  for (size_t i = 0; i < calls_.size(); ++i) {
    for (const Target& t : calls_[i].targets) {
      at(t.callee).callers.push_back(CallId{static_cast<uint32_t>(i)});
    }
    // What nobody is known to be called by may do anything.
    if (calls_[i].targets.empty()) calls_[i].is_opaque = true;
  }
  for (size_t i = 0; i < procedures_.size(); ++i) {
    const NodeId entry = procedures_[i].module->nodes(procedures_[i].code().body)[0];
    if (facts.outside_callees.contains(procedures_[i].module->global(entry))) {
      outside_callees_.push_back(ProcedureId{static_cast<uint32_t>(i)});
    }
  }
  has_exit_signals_ = std::any_of(facts.sends.begin(), facts.sends.end(),
                                  [&](const flow::Send& s) { return is_exit_signal(s); });
}

// Signals that somebody may get: the heir of a table that has none does not.
bool Model::is_exit_signal(const flow::Send& send) const {
  return send.is_signal && !analysis_.values(send.receivers).empty();
}

void Model::add_target(Call& call, const flow::CallEdge& edge) {
  const core::Module& m = *at(call.caller).module;
  const ProcedureId callee = own(edge.callee);
  const bool is_start = edge.kind == flow::CallKind::Spawn;
  const auto add = [&](ProcedureId id, bool is_direct) {
    for (Target& t : call.targets) {
      if (t.callee != id) continue;
      t.is_direct = t.is_direct && is_direct;
      t.is_start = t.is_start && is_start;
      return;
    }
    call.targets.push_back({id, is_direct, is_start});
  };
  if (!exists(callee)) {
    const Behind& library = behind(edge.callee);
    call.is_opaque = true;
    call.is_outside = call.is_outside || library.is_outside;
    call.access.reads |= library.access.reads;
    call.access.writes |= library.access.writes;
    for (const ProcedureId id : library.callees) add(id, false);
    return;
  }
  const core::Function& function = at(callee).code();
  bool is_direct = false;
  if (edge.kind != flow::CallKind::Spawn) {
    switch (m[call.node].kind) {
      case Kind::Call:
        is_direct = at(callee).function == m.get<core::node::Call>(call.node).function;
        break;
      case Kind::CallRemote: {
        const auto view = m.get<core::node::CallRemote>(call.node);
        is_direct = view.module == at(callee).module->name() && view.name == function.name &&
                    m.vars(view.arguments).size() == function.arity;
        break;
      }
      case Kind::CallDynamic:
        is_direct = m.vars(m.get<core::node::CallDynamic>(call.node).arguments).size() ==
                    function.arity - function.captures;
        break;
      case Kind::Apply:
        is_direct = m.vars(m.get<core::node::Apply>(call.node).arguments).size() ==
                    function.arity - function.captures;
        break;
      default:
        break;
    }
  }
  if (!is_direct) call.is_opaque = true;
  add(callee, is_direct);
}

// Whoever gets a fun as a part of a result may call it.
void Model::find_handed_out() {
  const auto is_fun = [&](ProcedureId id) { return !(*this)[id].made_at.empty(); };
  if (std::none_of(outside_callees_.begin(), outside_callees_.end(), is_fun)) return;
  std::vector<ProcedureId> entries = outside_callees_;
  for (const flow::RootFacts& root : analysis_.facts().roots) {
    if (exists(own(root.entry))) entries.push_back(own(root.entry));
  }
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  for (const ProcedureId entry : entries) {
    std::unordered_set<flow::ObjectId> seen;
    std::vector<flow::ObjectId> todo;
    const auto add = [&](flow::Slot slot) {
      analysis_.values(slot).for_each([&](flow::ObjectId object) {
        if (seen.insert(object).second) todo.push_back(object);
      });
    };
    add(analysis_.facts()[(*this)[entry].instance].result);
    while (!todo.empty()) {
      spend(1);
      const flow::Object& object = analysis_.objects()[todo.back()];
      todo.pop_back();
      if (object.kind == flow::ObjectKind::Fun && object.module) {
        const ProcedureId fun = find(*object.module, object.function);
        if (exists(fun)) handed_out_by_[fun].push_back(entry);
      }
      for (uint32_t i = 0; i < object.count; ++i) add(object.parts + i);
    }
  }
}

void Model::add_rules() {
  for (Call& call : calls_) {
    const core::Module& m = *at(call.caller).module;
    if (m[call.node].kind != Kind::CallRemote || call.is_outside) continue;
    const auto view = m.get<core::node::CallRemote>(call.node);
    const auto arguments = m.vars(view.arguments);
    call.rule = rule_of(view.module.text(), view.name.text(), arguments.size());
    if (call.rule && !calls_own_funs_alone(call, arguments)) call.rule = nullptr;
  }
}

// Whether the fun that a function with a rule gets is one of the author's: of others it is not
// known what they look at.
bool Model::calls_own_funs_alone(const Call& call, std::span<const core::VarId> arguments) const {
  return std::all_of(call.rule->begin(), call.rule->end(), [&](const RuleWay& way) {
    if (way.to.spot != RulePath::Spot::Shape) return true;
    const flow::ObjectSet& funs =
        analysis_.values((*this)[call.caller].instance, arguments[way.from.index]);
    return !funs.any_of([&](flow::ObjectId id) {
      const flow::Object& fun = analysis_.objects()[id];
      if (fun.kind == flow::ObjectKind::Fun)
        return !fun.module || !code_.is_own(fun.module->name());
      return fun.kind == flow::ObjectKind::Unknown ||
             (fun.kind == flow::ObjectKind::ExternalFun && !code_.is_own(fun.atom));
    });
  });
}

// Options that are constants, and neither say where the key is nor that it may be there twice.
void Model::find_table_kinds() {
  const auto is_plain = [](const core::Module& m, const Procedure& p, core::VarId options) {
    const auto& definitions = p.definitions[static_cast<size_t>(options)];
    if (definitions.size() != 1 || m[definitions[0]].kind != Kind::Literal) return false;
    const Term list = m[m.get<core::node::Literal>(definitions[0]).value];
    if (!list.is_list()) return false;
    for (const Term option : list.list()) {
      if (option.is_tagged(Atom::intern("keypos"), 2)) return false;
      if (option.is_atom() && option.atom().text().ends_with("bag")) return false;
    }
    return true;
  };
  for (const Call& call : calls_) {
    const Procedure& p = (*this)[call.caller];
    const core::Module& m = *p.module;
    if (m[call.node].kind != Kind::CallRemote) continue;
    const auto view = m.get<core::node::CallRemote>(call.node);
    if (view.module.text() != "ets") continue;
    const std::string_view name = view.name.text();
    const auto arguments = m.vars(view.arguments);
    if (name == "file2tab" || name == "init_table" ||
        (name == "new" && (arguments.size() != 2 || !is_plain(m, p, arguments[1])))) {
      has_plain_tables_ = false;
    }
  }
}

// A send is known if nothing of it goes to code that is not sliced, in any context.
void Model::add_messages() {
  if (receives_.empty()) return;
  const flow::Facts& facts = analysis_.facts();
  const flow::MessageIndex index(analysis_);
  const auto is_taken_by_own = [&](const flow::MessageIndex::SendGroup& group) {
    return std::any_of(group.matches.begin(), group.matches.end(), [&](const auto& match) {
      const auto& receives = index[match.receives].receives;
      return std::any_of(receives.begin(), receives.end(),
                         [&](const flow::DispatchFacts* r) { return exists(own(r->instance)); });
    });
  };
  std::unordered_set<core::GlobalNodeId> unknown;
  std::unordered_set<uint64_t> pairs;
  for (const flow::MessageIndex::SendGroup& group : index.sends()) {
    for (const flow::Send* send : group.sends) {
      const flow::Site& site = facts[send->site];
      const ProcedureId sender = own(site.instance);
      if (!exists(sender)) {
        // A reply, perhaps.
        has_plain_replies_ = has_plain_replies_ && (send->is_signal || !is_taken_by_own(group));
        continue;
      }
      known_sends_.insert(site.global);
      if (send->is_outside || send->is_signal) unknown.insert(site.global);
      for (const flow::MessageIndex::Match& match : group.matches) {
        for (const flow::DispatchFacts* receive : index[match.receives].receives) {
          const ProcedureId receiver = own(receive->instance);
          if (!exists(receiver)) {
            unknown.insert(site.global);
            continue;
          }
          const core::GlobalNodeId at = at_global(receiver, receive->node);
          const uint64_t pair =
              uint64_t{static_cast<uint32_t>(site.global)} << 32 | static_cast<uint32_t>(at);
          if (!pairs.insert(pair).second) continue;
          partners_[site.global].push_back({receiver, receive->node});
          partners_[at].push_back({sender, site.node});
        }
      }
    }
  }
  for (const core::GlobalNodeId node : unknown) known_sends_.erase(node);
}

const Model::Behind& Model::behind(InstanceId library) {
  const auto [at, is_new] = behind_.try_emplace(library);
  if (!is_new) return at->second;
  Behind result;
  std::vector<bool> seen(by_instance_.size());
  std::vector<InstanceId> todo{library};
  seen[static_cast<size_t>(library)] = true;
  while (!todo.empty()) {
    spend(1);
    const auto i = static_cast<size_t>(todo.back());
    todo.pop_back();
    result.access.reads |= library_access_[i].reads;
    result.access.writes |= library_access_[i].writes;
    if (library_outside_[i]) {
      result.is_outside = true;
      result.access = {kAllChannels, kAllChannels};
    }
    for (const InstanceId callee : library_callees_[i]) {
      if (exists(own(callee))) {
        result.callees.push_back(own(callee));
      } else if (!seen[static_cast<size_t>(callee)]) {
        seen[static_cast<size_t>(callee)] = true;
        todo.push_back(callee);
      }
    }
  }
  std::sort(result.callees.begin(), result.callees.end());
  result.callees.erase(std::unique(result.callees.begin(), result.callees.end()),
                       result.callees.end());
  return behind_[library] = std::move(result);
}

bool Model::goes_on(const Call& call) const {
  const Procedure& caller = (*this)[call.caller];
  if (!caller.is_loop || (*caller.module)[call.node].kind != Kind::Call) return false;
  const FunctionId callee = caller.module->get<core::node::Call>(call.node).function;
  return (*caller.module)[callee].origin == caller.code().origin && callee <= caller.function;
}

// ---- Exceptions -------------------------------------------------------------

bool Model::raises(const Procedure& p, NodeId node) const {
  if (!std::binary_search(p.raising.begin(), p.raising.end(), node)) return false;
  const auto found = p.call_at.find(node);
  if (found == p.call_at.end()) return true;
  const Call& call = (*this)[found->second];
  if (call.is_opaque) return true;
  return std::any_of(call.targets.begin(), call.targets.end(),
                     [&](const Target& t) { return (*this)[t.callee].may_raise; });
}

void Model::find_raising() {
  std::vector<ProcedureId> todo;
  const auto mark = [&](ProcedureId id) {
    if (at(id).may_raise) return;
    at(id).may_raise = true;
    todo.push_back(id);
  };
  for (size_t i = 0; i < procedures_.size(); ++i) {
    const Procedure& p = procedures_[i];
    const auto raises_here = [&](NodeId node) { return raises(p, node); };
    if (std::any_of(p.raising.begin(), p.raising.end(), raises_here))
      mark(ProcedureId{static_cast<uint32_t>(i)});
  }
  while (!todo.empty()) {
    const ProcedureId id = todo.back();
    todo.pop_back();
    for (const CallId call : at(id).callers) mark((*this)[call].caller);
  }
}

// A function that is called inside the body of a Try, or by one that is.
void Model::find_caught() {
  std::vector<ProcedureId> todo;
  const auto mark = [&](ProcedureId id) {
    if (at(id).is_caught) return;
    at(id).is_caught = true;
    todo.push_back(id);
  };
  const auto mark_targets = [&](const Procedure& p, NodeId node) {
    const auto found = p.call_at.find(node);
    if (found == p.call_at.end()) return;
    for (const Target& t : (*this)[found->second].targets) mark(t.callee);
  };
  // How a process ends shows in what others find of it, and in exceptions where it is gone.
  const bool is_end_seen = has_exit_signals_ ||
                           std::any_of(procedures_.begin(), procedures_.end(),
                                       [](const Procedure& p) { return p.has_try; }) ||
                           std::any_of(calls_.begin(), calls_.end(), [](const Call& call) {
                             return (call.access.reads & kProcesses) != 0;
                           });
  for (Procedure& p : procedures_) {
    if (has_exit_signals_) mark(ProcedureId{static_cast<uint32_t>(&p - procedures_.data())});
    core::for_each_node(*p.module, p.code().body, [&](NodeId node) {
      if ((*p.module)[node].kind != Kind::Try) return;
      core::for_each_node(*p.module, p.module->get<core::node::Try>(node).body,
                          [&](NodeId inner) { mark_targets(p, inner); });
    });
    // Code of libraries may catch what its callbacks raise.
    for (const CallId id : p.calls) {
      if (!(*this)[id].is_opaque || (*this)[id].rule) continue;
      for (const Target& t : (*this)[id].targets) {
        if (t.is_start && !is_end_seen) continue;
        if (!t.is_direct && !at(t.callee).ends_for_good) mark(t.callee);
      }
    }
  }
  for (const ProcedureId id : outside_callees_) mark(id);
  while (!todo.empty()) {
    const ProcedureId id = todo.back();
    todo.pop_back();
    for (const CallId call : at(id).calls) {
      for (const Target& t : (*this)[call].targets) {
        if (!t.is_start || is_end_seen) mark(t.callee);
      }
    }
  }
}

// ---- Control ----------------------------------------------------------------

bool Model::is_entered(const Procedure& p, RegionId region) const {
  return analysis_.facts().regions.contains(flow::region_key(p.instance, region)) &&
         !p.tests.never_entered.contains(region);
}

// What is known of the tests, and that what control never comes to does not raise.
void Model::judge_tests() {
  const std::vector<flow::DispatchFacts>& all = analysis_.facts().dispatches;
  std::vector<Dispatches> dispatches(procedures_.size());
  for (size_t i = 0; i < all.size(); ++i) {
    const ProcedureId p = own(all[i].instance);
    if (exists(p)) dispatches[static_cast<size_t>(p)].emplace(all[i].node, i);
  }
  for (size_t i = 0; i < procedures_.size(); ++i) {
    Procedure& p = procedures_[i];
    p.tests = outcomes_of_tests(analysis_, p.instance, dispatches[i]);
    // Bodies of clauses to which earlier ones leave nothing.
    const std::vector<bool>& never_taken = never_taken_.at(p.module);
    core::for_each_node(*p.module, p.code().body, [&](NodeId node) {
      const core::Node& n = (*p.module)[node];
      if (n.kind != Kind::Clause || !fathom::exists(n.origin)) return;
      if (never_taken[static_cast<size_t>(n.origin)]) {
        p.tests.never_entered.insert(p.module->get<core::node::Clause>(node).body);
      }
    });
    std::sort(p.raising.begin(), p.raising.end());
  }
}

void Model::make_controls() {
  for (Procedure& p : procedures_) {
    const ControlFacts facts{.raises = [&](NodeId node) { return raises(p, node); },
                             .is_entered = [&](RegionId region) { return is_entered(p, region); },
                             .tests = p.tests,
                             .is_caught = p.is_caught};
    p.control = std::make_unique<Control>(*p.module, p.function, facts);
  }
}

}  // namespace fathom::slice
