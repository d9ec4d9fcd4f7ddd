// Messages that nobody takes, clauses that nothing feeds, requests that a server's callback has no
// clause for, names that nobody has.
#include <fmt/format.h>

#include <algorithm>

#include "base/budget.h"
#include "flow/findings_parts.h"
#include "flow/value_steps.h"

namespace fathom::flow {

using core::GlobalNodeId;
using core::Kind;
using core::Module;
using core::NodeId;

bool takes_all(const Module& m, NodeId clause) {
  const auto view = m.get<core::node::Clause>(clause);
  return std::ranges::all_of(m.nodes(view.patterns),
                             [&](NodeId id) { return m[id].kind == Kind::Bind; }) &&
         m.regions(view.guards).empty();
}

namespace {

constexpr size_t kMostPlaces = 3;

bool takes(const FindingContext& c, const DispatchFacts& receive, Slot message) {
  return std::ranges::any_of(receive.clauses, [&](const DispatchFacts::Clause& clause) {
    return exists(clause.taken) && may_share(c.analysis, message, clause.taken);
  });
}

// ---- Messages that nobody takes ---------------------------------------------

class UntakenMessages {
 public:
  UntakenMessages(const FindingContext& context, FindingList& found) : c_(context), found_(found) {}

  void judge(const Send& send) {
    const Site& site = c_.facts[send.site];
    if (send.is_signal || !c_.is_own(site) || c_.facts.outside_sends.contains(site.global)) return;
    const ObjectSet& receivers = c_.analysis.values(send.receivers);
    if (receivers.empty() || c_.analysis.values(send.message).empty()) return;
    std::string doubt;
    std::vector<FindingPlace> places;
    const bool is_taken = receivers.any_of([&](ObjectId process) {
      const ProcessInView* p = c_.process(process);
      // Code that is not known may receive it: after the call of an entry, for one.
      if (!p || (p->is_root && c_.input.is_open)) return true;
      for (const DispatchFacts* receive : c_.receives(process)) {
        spend(1);
        if (takes(c_, *receive, send.message)) return true;
        add_receive(*receive, places);
      }
      if (c_.outside_call_of(process)) doubt = "the receiver calls code that is not known";
      return false;
    });
    if (is_taken) return;
    const bool has_receive = !places.empty();
    found_.push_back({.kind = FindingKind::MessageNotTaken,
                      .node = site.global,
                      .message = "no receive of its receivers takes this message",
                      .reason = fmt::format(
                          "it sends {}, and {}", c_.values_text(c_.analysis.values(send.message)),
                          has_receive ? "no clause there matches that"
                                      : "the process that it goes to never receives a message"),
                      .doubt = std::move(doubt),
                      .places = std::move(places)});
  }

 private:
  void add_receive(const DispatchFacts& receive, std::vector<FindingPlace>& places) {
    const Module& m = c_.module(receive.instance);
    if (places.size() == kMostPlaces || !c_.is_own(m)) return;
    const GlobalNodeId node = m.global(receive.node);
    if (std::ranges::find(places, node, &FindingPlace::node) != places.end()) return;
    places.push_back({node, "the receiver receives here"});
  }

  const FindingContext& c_;
  FindingList& found_;
};

// ---- Clauses that nothing feeds ---------------------------------------------

class UnfedClauses {
 public:
  UnfedClauses(const FindingContext& context, FindingList& found) : c_(context), found_(found) {}

  void run() {
    // A function may be analysed in several contexts; what feeds a clause in one, feeds it.
    std::vector<GlobalNodeId> order;
    std::unordered_map<GlobalNodeId, std::vector<const DispatchFacts*>> by_node;
    for (const DispatchFacts& receive : c_.facts.dispatches) {
      const Module& m = c_.module(receive.instance);
      if (!exists(receive.message) || !c_.is_own(m)) continue;
      auto& all = by_node[m.global(receive.node)];
      if (all.empty()) order.push_back(m.global(receive.node));
      all.push_back(&receive);
    }
    for (const GlobalNodeId node : order) judge(node, by_node[node]);
  }

 private:
  void judge(GlobalNodeId node, const std::vector<const DispatchFacts*>& receives) {
    const Module& m = c_.module(receives[0]->instance);
    std::vector<size_t> unfed;
    bool is_any_fed = false;
    for (size_t i = 0; i < receives[0]->clauses.size(); ++i) {
      const bool is_fed = std::ranges::any_of(
          receives, [&](const DispatchFacts* r) { return r->clauses[i].is_reached; });
      is_any_fed = is_any_fed || is_fed;
      if (!is_fed && !takes_all(m, receives[0]->clauses[i].node)) unfed.push_back(i);
    }
    if (unfed.empty()) return;
    const std::string doubt = doubt_of(receives);
    const std::vector<FindingPlace> places = sends_to(receives);
    if (!is_any_fed && unfed.size() == receives[0]->clauses.size()) {
      found_.push_back({.kind = FindingKind::ClauseNotFed,
                        .node = node,
                        .message = "no message that this receive takes is ever sent to it",
                        .reason = reason_of(receives),
                        .doubt = doubt,
                        .places = places});
      return;
    }
    for (const size_t i : unfed) {
      found_.push_back(
          {.kind = FindingKind::ClauseNotFed,
           .node = m.global(receives[0]->clauses[i].node),
           .message = fmt::format("no message comes to clause {} of this receive", i + 1),
           .reason = reason_of(receives),
           .doubt = doubt,
           .places = places});
    }
  }

  std::string reason_of(const std::vector<const DispatchFacts*>& receives) const {
    ObjectSet values;
    for (const DispatchFacts* r : receives) values.insert_all(c_.analysis.values(r->message));
    return fmt::format("what is sent to the processes that run it: {}", c_.values_text(values));
  }

  std::string doubt_of(const std::vector<const DispatchFacts*>& receives) const {
    std::string doubt = c_.missing_entry();
    for (const DispatchFacts* r : receives) {
      c_.analysis.values(c_.facts[r->instance].self).for_each([&](ObjectId process) {
        const ProcessInView* p = c_.process(process);
        if (!doubt.empty() || !c_.input.is_open || !p) return;
        if (p->is_root) doubt = "others may send to the process that calls this";
        if (!p->names.empty()) {
          doubt = fmt::format("others may send to the registered name {}", p->names[0].text());
        }
      });
    }
    return doubt;
  }

  std::vector<FindingPlace> sends_to(const std::vector<const DispatchFacts*>& receives) const {
    std::vector<FindingPlace> places;
    for (const Send& send : c_.facts.sends) {
      const Site& site = c_.facts[send.site];
      if (send.is_signal || !c_.is_own(site) || places.size() == kMostPlaces) continue;
      const bool is_here = std::ranges::any_of(receives, [&](const DispatchFacts* r) {
        return c_.analysis.values(send.receivers)
            .intersects(c_.analysis.values(c_.facts[r->instance].self));
      });
      if (is_here) places.push_back({site.global, "this is sent to it"});
    }
    return places;
  }

  const FindingContext& c_;
  FindingList& found_;
};

// ---- Requests ---------------------------------------------------------------

// What comes to a callback of gen_server, and how it is wrapped on the way.
struct RequestCallback {
  std::string_view name;
  uint32_t arity;
  std::string_view wrapper;  // the first element of the tuple whose last one is the request
};
constexpr RequestCallback kRequestCallbacks[] = {
    {"handle_call", 3, "$gen_call"}, {"handle_cast", 2, "$gen_cast"}, {"handle_info", 2, ""}};

const RequestCallback* request_callback(const core::Function& f) {
  for (const RequestCallback& callback : kRequestCallbacks) {
    if (f.name.text() == callback.name && f.arity == callback.arity) return &callback;
  }
  return nullptr;
}

// The author's calls and sends by which the object comes to a callback of the server, and to
// nothing else there.
class Requests {
 public:
  Requests(const FindingContext& context, const Instance& server, const RequestCallback& callback)
      : c_(context), server_(server), callback_(callback) {}

  std::vector<GlobalNodeId> senders_of(ObjectId object) const {
    std::vector<GlobalNodeId> nodes;
    for (const Send& send : c_.facts.sends) {
      const Site& site = c_.facts[send.site];
      if (send.is_signal || !to_server(send)) continue;
      const bool is_sent = callback_.wrapper.empty() ? c_.is_own(site) && is_plain(send, object)
                                                     : !c_.is_own(site) && is_wrapped(send, object);
      if (is_sent) nodes.push_back(place_of_site(c_.analysis, site));
    }
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  }

 private:
  bool to_server(const Send& send) const {
    return c_.analysis.values(send.receivers).intersects(c_.analysis.values(server_.self));
  }
  bool is_wrapped(const Send& send, ObjectId request) const {
    return c_.analysis.values(send.message).any_of([&](ObjectId id) {
      const Object& message = c_.analysis.objects()[id];
      if (message.kind != ObjectKind::Tuple || message.size < 2) return false;
      const auto word = c_.only(c_.analysis.values(message.parts));
      return word && c_.analysis.objects()[*word].kind == ObjectKind::Atom &&
             c_.analysis.objects()[*word].atom.text() == callback_.wrapper &&
             c_.analysis.values(message.parts + (message.size - 1)).contains(request);
    });
  }
  // The message itself, if no receive of the author's in the server may be meant.
  bool is_plain(const Send& send, ObjectId message) const {
    if (!c_.analysis.values(send.message).contains(message)) return false;
    return !c_.analysis.values(send.receivers).any_of([&](ObjectId process) {
      return std::ranges::any_of(c_.receives(process), [&](const DispatchFacts* receive) {
        return c_.is_own(c_.module(receive->instance)) && takes(c_, *receive, send.message);
      });
    });
  }

  const FindingContext& c_;
  const Instance& server_;
  const RequestCallback& callback_;
};

}  // namespace

void find_request_faults(const FindingContext& c, FindingList& found) {
  for (size_t d = 0; d < c.facts.dispatches.size(); ++d) {
    const DispatchFacts& dispatch = c.facts.dispatches[d];
    const Instance& instance = c.facts[dispatch.instance];
    const Module& m = *instance.code.module;
    const RequestCallback* callback = request_callback(instance.function());
    if (!c.is_own(m) || !callback) continue;
    const auto body = m.nodes(instance.function().body);
    if (body.size() < 2 || body[1] != dispatch.node) continue;
    const core::VarId request = m.vars(m.get<core::node::Entry>(body[0]).parameters)[0];
    if (!exists(request)) continue;
    c.analysis.values(dispatch.instance, request).for_each([&](ObjectId object) {
      for (size_t clause = 0; clause < dispatch.clauses.size(); ++clause) {
        if (c.analysis.may_match(d, clause, request, object)) return;
      }
      for (const GlobalNodeId node : Requests(c, instance, *callback).senders_of(object)) {
        found.push_back(
            {.kind = FindingKind::MessageNotTaken,
             .node = node,
             .message = fmt::format("no clause of {} takes this message", c.name_of(instance.code)),
             .reason = fmt::format("it sends {}, which ends the server with an error",
                                   c.value_text(object)),
             .places = {{m.global(body[0]), "the clauses are here"}}});
      }
    });
  }
}

void find_message_faults(const FindingContext& context, FindingList& found) {
  UntakenMessages untaken(context, found);
  for (const Send& send : context.facts.sends) untaken.judge(send);
  UnfedClauses(context, found).run();
}

// ---- Names ------------------------------------------------------------------

namespace {

// A call of register/2 whose name is not known.
bool has_unknown_names(const FindingContext& c) {
  static const Atom register_name = Atom::intern("register");
  return std::ranges::any_of(c.facts.external_calls, [&](const ExternalCall& call) {
    if (call.name.name != register_name || call.name.arity != 2) return false;
    return c.argument(c.facts[call.site], 0).any_of([&](ObjectId id) {
      const ObjectKind kind = c.analysis.objects()[id].kind;
      return kind == ObjectKind::Unknown || kind == ObjectKind::AnyAtom;
    });
  });
}

// Whether it may be a process, or a name that one has.
bool may_be_process(const FindingContext& c, ObjectId destination) {
  const Object& object = c.analysis.objects()[destination];
  if (object.kind != ObjectKind::Atom) return true;
  const ObjectSet* processes = c.registered(object.atom);
  return processes && !processes->empty();
}

// Functions whose first argument is the server that they talk to.
struct ServerFunction {
  std::string_view module;
  std::string_view name;
};
constexpr ServerFunction kServerFunctions[] = {
    {"gen_server", "call"},
    {"gen_server", "cast"},
    {"gen_server", "stop"},
    {"gen_server", "send_request"},
    {"gen_statem", "call"},
    {"gen_statem", "cast"},
    {"gen_statem", "stop"},
    {"gen_statem", "send_request"},
    {"gen_event", "notify"},
    {"gen_event", "sync_notify"},
    {"gen_event", "call"},
    {"gen_event", "add_handler"},
    {"gen_event", "stop"},
    {"supervisor", "start_child"},
    {"supervisor", "which_children"},
    {"supervisor", "terminate_child"},
};

bool talks_to_server(const FindingContext& c, const Site& site) {
  const Module& m = c.module(site.instance);
  if (!c.is_own(m) || m[site.node].kind != Kind::CallRemote) return false;
  const auto view = m.get<core::node::CallRemote>(site.node);
  return std::ranges::any_of(kServerFunctions, [&](const ServerFunction& f) {
    return view.module.text() == f.module && view.name.text() == f.name;
  });
}

}  // namespace

void find_name_faults(const FindingContext& c, FindingList& found) {
  std::string doubt;
  if (has_unknown_names(c)) doubt = "there is a register/2 of a name that is not known";
  if (doubt.empty()) doubt = c.missing_entry();
  const auto judge = [&](const Site& site) {
    const ObjectSet& destinations = c.argument(site, 0);
    // A variable that is `undefined` at first, and a process later, is not a fault.
    if (destinations.any_of([&](ObjectId id) { return may_be_process(c, id); })) return;
    destinations.for_each([&](ObjectId id) {
      found.push_back({.kind = FindingKind::UnregisteredName,
                       .node = site.global,
                       .message = fmt::format("no process is ever registered as {}",
                                              c.analysis.objects()[id].atom.text()),
                       .reason = "no call that the program reaches registers that name",
                       .doubt = doubt});
    });
  };
  for (const Send& send : c.facts.sends) {
    if (!send.is_signal && c.is_own(c.facts[send.site])) judge(c.facts[send.site]);
  }
  for (const Site& site : c.facts.sites) {
    if (talks_to_server(c, site)) judge(site);
  }
}

}  // namespace fathom::flow
