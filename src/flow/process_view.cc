#include "flow/process_view.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/budget.h"
#include "base/hash.h"

namespace fathom::flow {
namespace {

class ViewMaker {
 public:
  ViewMaker(const Analysis& analysis, const MessageIndex& messages, const Graph& graph)
      : analysis_(analysis), facts_(analysis.facts()), messages_(messages), graph_(graph) {}

  std::vector<ProcessInView> run() {
    for (const RootFacts& root : facts_.roots) {
      const Instance& entry = facts_[root.entry];
      const core::Module& m = *entry.code.module;
      add(root.process, true, m.global(m.nodes(entry.function().body)[0]));
    }
    for (const CallEdge& edge : facts_.calls) {
      if (edge.kind != CallKind::Spawn) continue;
      analysis_.values(facts_[edge.callee].self).for_each([&](ObjectId process) {
        const Object& object = analysis_.objects()[process];
        if (object.kind != ObjectKind::Pid || object.node != facts_[edge.site].global) return;
        add(process, false, place_of_site(analysis_, facts_[edge.site]));
      });
    }
    find_modules();
    add_names();
    add_functions();
    add_messages();
    hand_out_messages();
    return std::move(view_);
  }

 private:
  void add(ObjectId process, bool is_root, core::GlobalNodeId start) {
    if (!by_object_.emplace(process, view_.size()).second) return;
    view_.push_back({.object = process,
                     .is_root = is_root,
                     .start = start,
                     .names = {},
                     .functions = {},
                     .messages = {}});
  }
  ProcessInView* find(ObjectId process) {
    const auto at = by_object_.find(process);
    return at == by_object_.end() ? nullptr : &view_[at->second];
  }
  void add_names();
  void add_functions();
  void add_messages();
  // A set of indices of the view.
  using Members = std::vector<uint64_t>;
  // Where a process takes a message, or sends it: in the author's code, or in OTP's, on behalf of
  // this call in the author's.
  using Caller = std::optional<core::GlobalNodeId>;
  Caller caller_of(ContextId context) const;
  // A group of receives: who runs them, and where they are.
  struct Taking {
    Members processes;
    std::vector<uint32_t> callers;  // indices of callers_, each once
  };
  std::vector<Caller> takers(const MessageIndex::SendGroup& group, size_t receiver);
  const Taking& taking_by(size_t receives);
  Members members(const ObjectSet& processes) const;
  void add_message(const Send& send, size_t receiver, const std::vector<Caller>& takers);
  const Members& senders(InstanceId instance, bool is_possible);
  void hand_out_messages();
  std::vector<ProcessMessage> messages_to(const Send& send, size_t receiver,
                                          const std::vector<Caller>& takers,
                                          bool is_possible) const;
  void find_modules();
  bool is_likely(const Send& send, size_t receiver, const std::vector<Caller>& takers) const;
  bool comes_to(size_t sender, InstanceId instance);
  bool has_come_by(InstanceId instance, core::GlobalNodeId call) const;

  const Analysis& analysis_;
  const Facts& facts_;
  const MessageIndex& messages_;
  const Graph& graph_;
  std::vector<ProcessInView> view_;
  std::unordered_map<ObjectId, size_t> by_object_;
  std::unordered_map<core::GlobalNodeId, const core::Module*> modules_;  // of calls, and of entries
  std::unordered_map<size_t, std::unordered_set<InstanceId>> called_;    // by root
  std::unordered_map<InstanceId, std::vector<InstanceId>> callees_;
  struct MessageHash {
    size_t operator()(const ProcessMessage& m) const {
      return hash_words(m.to, static_cast<uint32_t>(m.node),
                        (m.is_answer ? 4 : 0) + (m.is_taken ? 2 : 0) + (m.is_possible ? 1 : 0));
    }
  };
  // What code that many processes run sends is put together once.
  struct SentMessage {
    ProcessMessage message;
    Members senders;
  };
  std::vector<SentMessage> sent_;  // each message once
  std::unordered_map<ProcessMessage, size_t, MessageHash> index_of_sent_;
  std::unordered_map<InstanceId, Members> senders_, likely_senders_;
  std::unordered_map<size_t, Taking> taking_;  // by the index of a ReceiveGroup
  std::vector<Caller> callers_;                // of receives, each once
  std::unordered_map<Caller, uint32_t> index_of_caller_;
  std::vector<uint32_t> looked_at_;  // by caller: in which look for takers
  uint32_t look_ = 0;
};

void ViewMaker::add_names() {
  for (const NameFacts& name : facts_.names) {
    analysis_.values(name.processes).for_each([&](ObjectId process) {
      if (ProcessInView* p = find(process)) p->names.push_back(name.name);
    });
  }
}

void ViewMaker::add_functions() {
  std::unordered_map<core::GlobalNodeId, GraphFunctionId> by_entry;
  for (size_t i = 0; i < graph_.functions.size(); ++i) {
    const GraphFunction& f = graph_.functions[i];
    by_entry.emplace(graph_[f.import].core, GraphFunctionId{static_cast<uint32_t>(i)});
  }
  for (const Instance& instance : facts_.instances) {
    const core::Module& m = *instance.code.module;
    const auto at = by_entry.find(m.global(m.nodes(instance.function().body)[0]));
    if (at == by_entry.end() || !graph_[at->second].is_own) continue;
    analysis_.values(instance.self).for_each([&](ObjectId process) {
      if (ProcessInView* p = find(process)) p->functions.push_back(at->second);
    });
  }
  for (ProcessInView& p : view_) {
    std::ranges::sort(p.functions);
    p.functions.erase(std::unique(p.functions.begin(), p.functions.end()), p.functions.end());
  }
}

void ViewMaker::add_messages() {
  for (const MessageIndex::SendGroup& group : messages_.sends()) {
    group.receivers->for_each([&](ObjectId receiver) {
      const auto to = by_object_.find(receiver);
      if (to == by_object_.end()) return;
      const std::vector<Caller> taken_in = takers(group, to->second);
      for (const Send* send : group.sends) {
        if (!send->is_signal) add_message(*send, to->second, taken_in);
      }
    });
  }
}

// Where the process, by its index, may take such a message, each once.
std::vector<ViewMaker::Caller> ViewMaker::takers(const MessageIndex::SendGroup& group,
                                                 size_t receiver) {
  std::vector<Caller> found;
  ++look_;
  for (const MessageIndex::Match& match : group.matches) {
    spend(1);
    const Taking& taking = taking_by(match.receives);
    if ((taking.processes[receiver / 64] >> (receiver % 64) & 1) == 0) continue;
    for (const uint32_t caller : taking.callers) {
      if (std::exchange(looked_at_[caller], look_) != look_) found.push_back(callers_[caller]);
    }
  }
  std::ranges::sort(found);
  return found;
}

const ViewMaker::Taking& ViewMaker::taking_by(size_t receives) {
  const auto [at, is_new] = taking_.try_emplace(receives);
  if (!is_new) return at->second;
  Taking& taking = at->second;
  taking.processes = members(*messages_[receives].processes);
  for (const DispatchFacts* receive : messages_[receives].receives) {
    const Caller caller = caller_of(facts_[receive->instance].context);
    const auto [index, is_first] =
        index_of_caller_.try_emplace(caller, static_cast<uint32_t>(callers_.size()));
    if (is_first) {
      callers_.push_back(caller);
      looked_at_.push_back(0);
    }
    taking.callers.push_back(index->second);
  }
  std::ranges::sort(taking.callers);
  taking.callers.erase(std::unique(taking.callers.begin(), taking.callers.end()),
                       taking.callers.end());
  return taking;
}

// Those of the processes that are in the view.
ViewMaker::Members ViewMaker::members(const ObjectSet& processes) const {
  Members result((view_.size() + 63) / 64);
  processes.for_each([&](ObjectId process) {
    const auto at = by_object_.find(process);
    if (at != by_object_.end()) result[at->second / 64] |= uint64_t{1} << (at->second % 64);
  });
  return result;
}

void ViewMaker::find_modules() {
  for (const Site& site : facts_.sites) {
    modules_.emplace(site.global, facts_[site.instance].code.module);
  }
  for (const RootFacts& root : facts_.roots) {
    const FunctionCode& code = facts_[root.entry].code;
    modules_.emplace(global_entry_of(code), code.module);
  }
  for (const CallEdge& edge : facts_.calls) {
    if (edge.kind != CallKind::Spawn) callees_[facts_[edge.site].instance].push_back(edge.callee);
  }
}

// Whether the process gets there by calls from its beginning, not by way of code that is not known.
bool ViewMaker::comes_to(size_t sender, InstanceId instance) {
  if (!view_[sender].is_root) return true;
  const auto [at, is_new] = called_.try_emplace(sender);
  if (is_new) {
    std::vector<InstanceId> todo;
    for (const RootFacts& root : facts_.roots) {
      if (root.process == view_[sender].object && at->second.insert(root.entry).second)
        todo.push_back(root.entry);
    }
    while (!todo.empty()) {
      spend(1);
      const InstanceId caller = todo.back();
      todo.pop_back();
      for (const InstanceId callee : callees_[caller]) {
        if (at->second.insert(callee).second) todo.push_back(callee);
      }
    }
  }
  return at->second.contains(instance);
}

// Whether the receiver, which is not known, may well be this one: a process of the same module,
// that OTP's code talks to, or that takes it in a receive of the author's.
bool ViewMaker::is_likely(const Send& send, size_t receiver,
                          const std::vector<Caller>& takers) const {
  const Site& site = facts_[send.site];
  const auto from = modules_.find(place_of_site(analysis_, site));
  const auto to = modules_.find(view_[receiver].start);
  if (from == modules_.end() || to == modules_.end() || from->second != to->second) return false;
  const bool is_plain = facts_[site.instance].context == kNoContext;
  return std::ranges::any_of(takers, [&](const Caller& c) { return !c == is_plain; });
}

// The messages that the view has for such a send, each once.
std::vector<ProcessMessage> ViewMaker::messages_to(const Send& send, size_t receiver,
                                                   const std::vector<Caller>& takers,
                                                   bool is_possible) const {
  const Site& site = facts_[send.site];
  const Caller from = caller_of(facts_[site.instance].context);
  std::vector<ProcessMessage> messages;
  bool is_inside = false;  // one call of a library
  bool is_taken = false;
  for (const Caller& to : takers) {
    spend(1);
    if (from && from == to) {
      is_inside = true;
    } else if (from && to && !has_come_by(site.instance, *from)) {
      if (is_possible) continue;  // each answer to each call
      messages.push_back({receiver, *to, true, true});
    } else if (!std::exchange(is_taken, true)) {
      messages.push_back({receiver, place_of_site(analysis_, site), false, true, is_possible});
    }
  }
  if (messages.empty() && !is_inside && !is_possible) {
    messages.push_back({receiver, place_of_site(analysis_, site), false, false});
  }
  return messages;
}

void ViewMaker::add_message(const Send& send, size_t receiver, const std::vector<Caller>& takers) {
  const bool is_possible = !analysis_.values(send.receivers).contains(view_[receiver].object);
  if (is_possible && !is_likely(send, receiver, takers)) return;
  const Members& from = senders(facts_[send.site].instance, is_possible);
  for (const ProcessMessage& message : messages_to(send, receiver, takers, is_possible)) {
    const auto [at, is_new] = index_of_sent_.try_emplace(message, sent_.size());
    if (is_new) sent_.push_back({message, Members(from.size())});
    Members& all = sent_[at->second].senders;
    for (size_t i = 0; i < from.size(); ++i) all[i] |= from[i];
    if (is_possible) all[receiver / 64] &= ~(uint64_t{1} << (receiver % 64));
  }
}

// The processes of the view that run the instance; to a receiver that is not known: those that get
// there by themselves.
const ViewMaker::Members& ViewMaker::senders(InstanceId instance, bool is_possible) {
  const auto [found, is_new] = (is_possible ? likely_senders_ : senders_).try_emplace(instance);
  if (!is_new) return found->second;
  Members result = members(analysis_.values(facts_[instance].self));
  for (size_t i = 0; is_possible && i < view_.size(); ++i) {
    if ((result[i / 64] >> (i % 64) & 1) != 0 && !comes_to(i, instance)) {
      result[i / 64] &= ~(uint64_t{1} << (i % 64));
    }
  }
  return found->second = std::move(result);
}

void ViewMaker::hand_out_messages() {
  for (const SentMessage& sent : sent_) {
    for (size_t i = 0; i < view_.size(); ++i) {
      if ((sent.senders[i / 64] >> (i % 64) & 1) == 0) continue;
      spend(1);
      view_[i].messages.push_back(sent.message);
    }
  }
}

ViewMaker::Caller ViewMaker::caller_of(ContextId context) const {
  if (context == kNoContext) return std::nullopt;
  return analysis_.contexts().outermost_call(context);
}

// Whether the processes that run the instance have come to it by the author's call, rather than
// having been started by it.
bool ViewMaker::has_come_by(InstanceId instance, core::GlobalNodeId call) const {
  return !analysis_.values(facts_[instance].self).any_of([&](ObjectId process) {
    return caller_of(analysis_.objects()[process].context) == call;
  });
}

}  // namespace

core::GlobalNodeId place_of_site(const Analysis& analysis, const Site& site) {
  const ContextId context = analysis.facts()[site.instance].context;
  return context == kNoContext ? site.global : analysis.contexts().outermost_call(context);
}

std::vector<ProcessInView> process_view(const Analysis& analysis, const MessageIndex& messages,
                                        const Graph& graph) {
  return ViewMaker(analysis, messages, graph).run();
}

}  // namespace fathom::flow
