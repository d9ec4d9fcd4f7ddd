// The state of OTP's servers: what a callback returns as the new state, the callbacks get.
//
// A gen_server looks at the tuple that a callback returns, and hands the state on without looking
// at it. So of the state that is needed which any callback of the module needs of its parameter.
// Programs that look at states by other ways (sys:get_state/1, format_status/1) are not followed:
// there all of it is needed.
#include <algorithm>

#include "slice/slicer.h"

namespace fathom::slice {
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
    if (send.is_signal && !is_exit_signal(send)) continue;
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

// Of the result of a function that a library calls.
NeedId Slicer::callback_result(ProcedureId callee) {
  const Procedure& procedure = model_[callee];
  if (!procedure.is_server_callback || precision_ != Precision::Fields) return kWhole;
  NeedId state = kNothing;
  for (uint32_t i = 0; i < model_.size(); ++i) {
    const Procedure& other = model_[ProcedureId{i}];
    if (other.module != procedure.module || !other.server_state) continue;
    state = trees_.join(state, need_of(ProcedureId{i}, other.parameters[*other.server_state]));
  }
  NeedId result = trees_.of_part(Selector::element(0), kWhole);
  for (const ServerResult& form : kServerResults) {
    for (uint32_t i = 1; i < form.size; ++i) {
      const NeedId need = form.state == i ? state : kWhole;
      const Selector element = Selector::element(i, form.size, Atom::intern(form.tag));
      if (is_some(need)) result = trees_.join(result, trees_.of_part(element, need));
    }
  }
  return result;
}

}  // namespace fathom::slice
