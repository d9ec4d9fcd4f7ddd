// Calls that wait in a circle: a server calls another, and waits for its answer, which can be
// waiting for the first.
//
// A process waits for another where it sends in a call that the other answers. Processes that
// wait for each other are on a cycle of that relation; the shortest cycle through the first of
// them is reported. A process here is all that are started at one place: so the circle is certain
// only if each call goes to a name, which one process has, or to the caller itself.
#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/budget.h"
#include "core/walk.h"
#include "flow/findings_parts.h"

namespace fathom::flow {

using core::GlobalNodeId;
using core::Kind;
using core::Module;

namespace {

struct Wait {
  size_t to = 0;
  GlobalNodeId call{};
};

class CircularCalls {
 public:
  CircularCalls(const FindingContext& context, FindingList& found)
      : c_(context), all_(context.input.processes), found_(found) {}

  void run() {
    for (const Site& site : c_.facts.sites) sites_.try_emplace(site.global, &site);
    note_calls();
    for (const ProcessInView& p : all_) runs_.push_back(runs_of(p));
    for (size_t i = 0; i < all_.size(); ++i) waits_.push_back(waits_of(i));
    std::vector<bool> is_explained(all_.size());
    for (size_t i = 0; i < all_.size(); ++i) {
      if (is_explained[i]) continue;
      const std::vector<Wait> circle = circle_through(i);
      if (circle.empty()) continue;
      for (const Wait& wait : circle) is_explained[wait.to] = true;
      report(i, circle);
    }
  }

 private:
  void note_calls() {
    for (const CallEdge& edge : c_.facts.calls) {
      const Site& site = c_.facts[edge.site];
      if (edge.kind != CallKind::Spawn) {
        callees_[site.instance].push_back(edge.callee);
        continue;
      }
      c_.analysis.values(c_.facts[edge.callee].self).for_each([&](ObjectId process) {
        if (c_.analysis.objects()[process].node == site.global)
          starts_[process].push_back(edge.callee);
      });
    }
  }

  // What the process comes to by calls that are known. Code that is not known may call the rest,
  // but that is no reason to believe it.
  std::unordered_set<InstanceId> runs_of(const ProcessInView& p) const {
    std::unordered_set<InstanceId> runs;
    const auto started = starts_.find(p.object);
    std::vector<InstanceId> todo;
    if (started != starts_.end()) todo = started->second;
    while (!todo.empty()) {
      spend(1);
      const InstanceId at = todo.back();
      todo.pop_back();
      if (!runs.insert(at).second) continue;
      const auto callees = callees_.find(at);
      if (callees == callees_.end()) continue;
      todo.insert(todo.end(), callees->second.begin(), callees->second.end());
    }
    return runs;
  }

  // Another process that runs the same callbacks: which of its clauses are for which of them
  // is not known.
  bool shares_callbacks(size_t process) const {
    return std::ranges::any_of(runs_[process], [&](InstanceId id) {
      const Instance& instance = c_.facts[id];
      if (!c_.is_own(*instance.code.module) ||
          !instance.function().name.text().starts_with("handle_")) {
        return false;
      }
      for (size_t other = 0; other < runs_.size(); ++other) {
        if (other != process && runs_[other].contains(id)) return true;
      }
      return false;
    });
  }

  std::vector<Wait> waits_of(size_t from) const {
    std::vector<Wait> waits;
    for (const ProcessMessage& m : all_[from].messages) {
      if (m.is_answer || !m.is_taken || m.is_possible || !is_call(m.node, runs_[from])) continue;
      const bool is_answered = std::ranges::any_of(all_[m.to].messages, [&](const auto& answer) {
        return answer.is_answer && answer.to == from && answer.node == m.node;
      });
      // What a process says to itself in the same call counts as inside of it.
      if (is_answered || m.to == from) waits.push_back({m.to, m.node});
    }
    return waits;
  }

  // A call that waits, in a function that the process runs while it serves.
  bool is_call(GlobalNodeId node, const std::unordered_set<InstanceId>& runs) const {
    const auto at = sites_.find(node);
    if (at == sites_.end()) return false;
    const Site& site = *at->second;
    if (!runs.contains(site.instance)) return false;
    const Module& m = c_.module(site.instance);
    if (m[site.node].kind != Kind::CallRemote) return false;
    const auto view = m.get<core::node::CallRemote>(site.node);
    const std::string_view caller = c_.facts[site.instance].function().name.text();
    if (caller == "init" || caller == "terminate") return false;
    const std::string_view module = view.module.text();
    const std::string_view name = view.name.text();
    if (module == "gen_server" || module == "gen_statem" || module == "gen_event") {
      return name == "call" || name == "multi_call" || name == "stop" || name == "sync_notify";
    }
    return module == "supervisor" && name != "start_link";
  }

  // The shortest way of waits from a process back to it.
  std::vector<Wait> circle_through(size_t start) const {
    std::vector<std::optional<std::pair<size_t, Wait>>> came_by(all_.size());
    std::deque<size_t> todo = {start};
    while (!todo.empty()) {
      const size_t at = todo.front();
      todo.pop_front();
      for (const Wait& wait : waits_[at]) {
        if (came_by[wait.to]) continue;
        came_by[wait.to] = {at, wait};
        if (wait.to != start) {
          todo.push_back(wait.to);
          continue;
        }
        std::vector<Wait> circle;
        size_t back = start;
        do {
          circle.push_back(came_by[back]->second);
          back = came_by[back]->first;
        } while (back != start);
        std::ranges::reverse(circle);
        return circle;
      }
    }
    return {};
  }

  void report(size_t start, const std::vector<Wait>& circle) {
    std::string doubt;
    std::vector<FindingPlace> places;
    size_t from = start;
    for (const Wait& wait : circle) {
      if (shares_callbacks(from)) {
        doubt = fmt::format("other processes have the same callbacks as {}", name_of(from));
      }
      if (!is_certain(from, wait))
        doubt = "several processes may be started there; another may be meant";
      if (wait.call != circle[0].call) {
        places.push_back(
            {wait.call, fmt::format("{} waits for {}", name_of(from), name_of(wait.to))});
      }
      from = wait.to;
    }
    const bool is_alone = circle.size() == 1;
    found_.push_back(
        {.kind = FindingKind::CircularCall,
         .node = circle[0].call,
         .message = is_alone ? fmt::format("{} calls itself and waits", name_of(start))
                             : fmt::format("{} waits for {}, which can be waiting for it",
                                           name_of(start), name_of(circle[0].to)),
         .reason = is_alone ? "it cannot answer while it waits for the answer"
                            : "each waits for an answer of the next, and none can answer meanwhile",
         .doubt = std::move(doubt),
         .places = std::move(places)});
  }

  // Whether the call goes to that one process.
  bool is_certain(size_t from, const Wait& wait) const {
    const Site& site = *sites_.at(wait.call);
    const auto only = c_.only(c_.argument(site, 0));
    if (!only) return false;
    const Object& object = c_.analysis.objects()[*only];
    if (object.kind == ObjectKind::Atom) {
      const ObjectSet* processes = c_.registered(object.atom);
      return processes && c_.only(*processes) == all_[wait.to].object;
    }
    return wait.to == from && is_self(site);
  }

  // Whether the first argument is what self() has returned in the same function.
  bool is_self(const Site& site) const {
    const Module& m = c_.module(site.instance);
    core::VarId wanted = c_.arguments(m, site.node)[0];
    bool is_found = false;
    // Definitions come before uses, so a walk back meets copies after what they copy.
    std::vector<core::NodeId> nodes;
    core::for_each_node(m, c_.facts[site.instance].function().body,
                        [&](core::NodeId id) { nodes.push_back(id); });
    for (const core::NodeId id : std::vector(nodes.rbegin(), nodes.rend())) {
      if (m[id].result != wanted) continue;
      if (m[id].kind == Kind::Bind) wanted = m.get<core::node::Bind>(id).subject;
      if (m[id].kind == Kind::Copy) wanted = m.get<core::node::Copy>(id).value;
      if (m[id].kind != Kind::CallRemote) continue;
      is_found = m.get<core::node::CallRemote>(id).name.text() == "self";
    }
    return is_found;
  }

  std::string name_of(size_t index) const {
    const ProcessInView& p = all_[index];
    if (!p.names.empty()) return std::string(p.names[0].text());
    const auto at = sites_.find(p.start);
    if (at == sites_.end()) return "the caller";
    return fmt::format("the process that {} starts",
                       c_.name_of(c_.facts[at->second->instance].code));
  }

  const FindingContext& c_;
  const std::vector<ProcessInView>& all_;
  FindingList& found_;
  std::unordered_map<GlobalNodeId, const Site*> sites_;
  std::unordered_map<InstanceId, std::vector<InstanceId>> callees_;
  std::unordered_map<ObjectId, std::vector<InstanceId>> starts_;
  std::vector<std::unordered_set<InstanceId>> runs_;  // by process
  std::vector<std::vector<Wait>> waits_;
};

}  // namespace

void find_circular_calls(const FindingContext& context, FindingList& found) {
  CircularCalls(context, found).run();
}

}  // namespace fathom::flow
