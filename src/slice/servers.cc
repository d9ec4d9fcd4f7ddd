// The state of OTP's servers: what a callback returns as the new state, the callbacks get.
//
// A gen_server looks at the tuple that a callback returns, and hands the state on without looking
// at it. So of the state that is needed which any callback of the module needs of its parameter.
// Programs that look at states by other ways (sys:get_state/1, format_status/1) are not followed:
// there all of it is needed.
//
// Of a request that is needed which handle_call/3, or handle_cast/2, needs of its parameter; of a
// reply, what is needed of the results of calls. Which clause of the callback takes which request
// the flow analysis says: what a clause replies is needed only if a call whose result is needed
// may have come to it.
#include <algorithm>

#include "slice/slicer.h"

namespace fathom::slice {

using core::NodeId;
using core::VarId;

namespace {

struct ServerCallback {
  std::string_view name;
  uint32_t arity;
  std::optional<uint32_t> state;  // which parameter
};
constexpr ServerCallback kServerCallbacks[] = {
    {"init", 1, std::nullopt}, {"handle_call", 3, 2}, {"handle_cast", 2, 1}, {"handle_info", 2, 1},
    {"handle_continue", 2, 1}, {"terminate", 2, 1},   {"code_change", 3, 1},
};

// What a callback may return: {Tag, …}, with the state at that index.
struct ServerResult {
  std::string_view tag;
  uint32_t size;
  std::optional<uint32_t> state;
};
constexpr ServerResult kServerResults[] = {
    {"ok", 2, 1},
    {"ok", 3, 1},
    {"reply", 3, 2},
    {"reply", 4, 2},
    {"noreply", 2, 1},
    {"noreply", 3, 1},
    {"stop", 4, 3},
    {"stop", 3, 2},
    {"stop", 2, std::nullopt},
    {"error", 2, std::nullopt},
};

}  // namespace

void Model::find_servers() {
  const flow::Facts& facts = analysis_.facts();
  std::vector<bool> has_other(procedures_.size()), has_server(procedures_.size());
  for (const flow::CallEdge& edge : facts.calls) {
    const ProcedureId callee = own(edge.callee);
    const flow::InstanceId caller = facts[edge.site].instance;
    if (!exists(callee) || exists(own(caller))) continue;
    const bool is_server = facts[caller].code.module->name().text() == "gen_server";
    (is_server ? has_server : has_other)[static_cast<size_t>(callee)] = true;
  }
  // States that are looked at by other ways.
  std::unordered_set<const core::Module*> open;
  bool is_open = false;
  for (const Procedure& p : procedures_) {
    if (p.code().name.text() == "format_status") open.insert(p.module);
    for (const CallId id : p.calls) {
      const core::Module& m = *p.module;
      const core::NodeId node = (*this)[id].node;
      is_open = is_open || (m[node].kind == core::Kind::CallRemote &&
                            m.get<core::node::CallRemote>(node).module.text() == "sys");
    }
  }
  for (size_t i = 0; i < procedures_.size() && !is_open; ++i) {
    Procedure& p = procedures_[i];
    if (!has_server[i] || has_other[i] || open.contains(p.module)) continue;
    const auto* const found = std::find_if(
        std::begin(kServerCallbacks), std::end(kServerCallbacks), [&](const ServerCallback& c) {
          return c.name == p.code().name.text() && c.arity == p.code().arity;
        });
    if (found == std::end(kServerCallbacks)) continue;
    p.is_server_callback = true;
    p.server_state = found->state;
  }
  for (uint32_t i = 0; i < procedures_.size(); ++i) {
    if (procedures_[i].is_server_callback) server_callbacks_.push_back(ProcedureId{i});
  }
  if (!has_exit_signals_ || is_open || !are_ends_final()) return;
  has_exit_signals_ = false;
  // What init/1 raises is told to whoever starts the server.
  for (Procedure& p : procedures_) p.ends_for_good = p.server_state.has_value();
}

// Whether a process that ends makes others end, and does nothing else to them: the only ones that
// ask how others end are OTP's servers and their clients, which pass it on as an exception that
// nobody catches; and there is no state that survives, nor anything that is sent otherwise.
bool Model::are_ends_final() const {
  const flow::Facts& facts = analysis_.facts();
  constexpr std::string_view kServerModules[] = {"gen", "gen_server", "proc_lib", "sys"};
  for (const flow::Send& send : facts.sends) {
    const bool goes_nowhere = !send.is_outside && analysis_.values(send.receivers).empty();
    if (goes_nowhere || (send.is_signal && !is_exit_signal(send))) continue;
    const flow::InstanceId instance = facts[send.site].instance;
    if (exists(own(instance))) return false;
    const std::string_view module = facts[instance].code.module->name().text();
    const auto* const end = std::end(kServerModules);
    if (send.is_signal && std::find(std::begin(kServerModules), end, module) == end) return false;
  }
  if (!receives_.empty() || !outside_callees_.empty()) return false;
  for (const Procedure& p : procedures_) {
    if (p.has_try) return false;
    for (const CallId id : p.calls) {
      const core::NodeId node = (*this)[id].node;
      const Access access = (*this)[id].access;
      if (access.reads == 0 && access.writes == 0) continue;
      if ((*p.module)[node].kind != core::Kind::CallRemote) return false;
      const std::string_view name = p.module->get<core::node::CallRemote>(node).module.text();
      if (name != "gen_server" && name != "io") return false;
    }
  }
  return true;
}

void Model::find_requests() {
  // Other ways to get replies.
  constexpr std::string_view kReplies[] = {"call",          "multi_call",       "send_request",
                                           "wait_response", "receive_response", "check_response"};
  const flow::Facts& facts = analysis_.facts();
  std::unordered_set<CallId> seen;
  for (const flow::CallEdge& edge : facts.calls) {
    const flow::Instance& callee = facts[edge.callee];
    if (callee.code.module->name().text() != "gen_server") continue;
    const flow::Site& site = facts[edge.site];
    const core::Module& m = *facts[site.instance].code.module;
    if (m.name().text() == "gen_server") continue;
    const std::string_view name = callee.function().name.text();
    const bool is_direct = edge.kind == flow::CallKind::FirstOrder && exists(own(site.instance));
    const auto* const end = std::end(kReplies);
    if (is_direct && (name == "call" || name == "cast")) {
      const CallId id = at(own(site.instance)).call_at.at(site.node);
      if (seen.insert(id).second) requests_.push_back({id, name == "call"});
    } else if (std::find(std::begin(kReplies), end, name) != end) {
      has_plain_replies_ = has_plain_replies_ && m.name().text() == "supervisor";
    }
  }
  if (requests_.empty()) return;
  for (const ProcedureId id : server_callbacks_) find_request_switch(at(id));
  for (size_t i = 0; i < facts.dispatches.size(); ++i) {
    const ProcedureId p = own(facts.dispatches[i].instance);
    if (exists(p) && at(p).request_switch == facts.dispatches[i].node) {
      dispatch_of_requests_[p] = i;
    }
  }
}

// The author's code must not call it: then its result is needed for something else.
void Model::find_request_switch(Procedure& p) {
  const bool is_called = std::any_of(p.callers.begin(), p.callers.end(), [&](CallId id) {
    const auto& targets = (*this)[id].targets;
    return std::any_of(targets.begin(), targets.end(),
                       [&](const Target& t) { return &(*this)[t.callee] == &p && t.is_direct; });
  });
  const auto& results = p.definitions[static_cast<size_t>(p.result)];
  if (is_called || results.size() != 1 || (*p.module)[results[0]].kind != core::Kind::Case) return;
  p.request_switch = results[0];
}

bool Model::may_serve(ProcedureId callback, size_t clause, const Request& request) const {
  const auto dispatch = dispatch_of_requests_.find(callback);
  const Call& call = (*this)[request.call];
  const Procedure& caller = (*this)[call.caller];
  if (dispatch == dispatch_of_requests_.end()) return true;
  const auto arguments =
      caller.module->vars(caller.module->get<core::node::CallRemote>(call.node).arguments);
  const core::VarId parameter = (*this)[callback].parameters[0];
  const flow::ObjectSet& values = analysis_.values(caller.instance, arguments[1]);
  return values.empty() || values.any_of([&](flow::ObjectId object) {
    if (!analysis_.may_match(dispatch->second, clause, parameter, object)) return false;
    for (size_t before = 0; before < clause; ++before) {
      if (!analysis_.passes_on(dispatch->second, before, parameter, object)) return false;
    }
    return true;
  });
}

// What is needed of replies, or of those of one clause.
NeedId Slicer::reply_need(ProcedureId callback, std::optional<size_t> clause) {
  if (!model_.has_plain_replies()) return kWhole;
  NeedId need = kNothing;
  for (const Model::Request& request : model_.requests()) {
    const Call& call = model_[request.call];
    const VarId result = (*model_[call.caller].module)[call.node].result;
    if (!request.has_reply || !core::exists(result)) continue;
    const NeedId of_it = need_of(call.caller, result);
    if (!is_some(of_it) || (clause && !model_.may_serve(callback, *clause, request))) continue;
    need = trees_.join(need, of_it);
  }
  return need;
}

// Where the result of a callback is needed as gen_server needs it: what of it in this clause.
NeedId Slicer::clause_need(ProcedureId p, NodeId node, size_t clause, NeedId need) {
  if (need == kWhole || model_[p].request_switch != node) return need;
  return callback_result(p, clause);
}

// More is needed of a reply than before.
void Slicer::grow_replies(CallId call) {
  const auto& requests = model_.requests();
  const bool is_request =
      std::any_of(requests.begin(), requests.end(),
                  [&](const Model::Request& r) { return r.call == call && r.has_reply; });
  if (!is_request) return;
  for (const ProcedureId callback : model_.server_callbacks()) {
    const VarId result = model_[callback].result;
    if (!is_some(need_of(callback, result))) continue;
    grow(callback, result, callback_result(callback), Reason::Result);
    if (model_[callback].request_switch) enqueue(callback, *model_[callback].request_switch);
  }
}

// Of a request, what the callbacks need of it. False: it is none, or others may get it; and in the
// story of an execution the reader knows a request by all of it.
bool Slicer::request_operands(ProcedureId p, NodeId node, CallId call, Operands& out) {
  if (precision_ != Precision::Fields || model_.is_of_execution()) return false;
  if (model_[call].is_outside || has_outcome(p, node)) return false;
  const auto& requests = model_.requests();
  const auto request = std::find_if(requests.begin(), requests.end(),
                                    [&](const Model::Request& r) { return r.call == call; });
  if (request == requests.end()) return false;
  const std::string_view name = request->has_reply ? "handle_call" : "handle_cast";
  Operands found;
  const auto arguments =
      model_[p].module->vars(model_[p].module->get<core::node::CallRemote>(node).arguments);
  for (uint32_t i = 0; i < model_.size(); ++i) {
    const Procedure& callback = model_[ProcedureId{i}];
    if (callback.code().name.text() != name || callback.parameters.empty()) continue;
    if (!callback.is_server_callback) return false;
    const VarId parameter = callback.parameters[0];
    found.push_back(
        {arguments[1], need_of(ProcedureId{i}, parameter), Fact::of(ProcedureId{i}, parameter)});
  }
  if (found.empty()) return false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (i != 1) out.push_back({arguments[i], kWhole});
  }
  out.insert(out.end(), found.begin(), found.end());
  return true;
}

// Of the result of a function that a library calls; or of what one clause of it gives.
NeedId Slicer::callback_result(ProcedureId callee, std::optional<size_t> clause) {
  const Procedure& procedure = model_[callee];
  if (!procedure.is_server_callback || precision_ != Precision::Fields) return kWhole;
  NeedId state = kNothing;
  for (uint32_t i = 0; i < model_.size(); ++i) {
    const Procedure& other = model_[ProcedureId{i}];
    if (other.module != procedure.module || !other.server_state) continue;
    state = trees_.join(state, need_of(ProcedureId{i}, other.parameters[*other.server_state]));
  }
  const NeedId reply = reply_need(callee, clause);
  NeedId result = trees_.of_part(Selector::element(0), kWhole);
  for (const ServerResult& form : kServerResults) {
    for (uint32_t i = 1; i < form.size; ++i) {
      const bool is_reply = i == 1 && form.tag == "reply";
      const NeedId need = form.state == i ? state : is_reply ? reply : kWhole;
      const Selector element = Selector::element(i, form.size, Atom::intern(form.tag));
      if (is_some(need)) result = trees_.join(result, trees_.of_part(element, need));
    }
  }
  return result;
}

}  // namespace fathom::slice
