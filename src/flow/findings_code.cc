// Functions and clauses that nothing reaches; calls of functions that do not exist.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/budget.h"
#include "core/walk.h"
#include "flow/effects.h"
#include "flow/findings_parts.h"

namespace fathom::flow {

using core::FunctionId;
using core::GlobalNodeId;
using core::Kind;
using core::Module;
using core::NodeId;
using core::RegionId;

namespace {

// ---- Functions that nothing reaches -----------------------------------------

class UnreachedFunctions {
 public:
  UnreachedFunctions(const FindingContext& context, FindingList& found)
      : c_(context), found_(found) {}

  void run() {
    for (size_t i = 0; i < c_.graph.functions.size(); ++i) {
      const GraphFunction& f = c_.graph.functions[i];
      if (f.is_own) by_code_[{f.code.module, f.code.function}] = i;
    }
    mentioned_by_.resize(c_.graph.functions.size());
    for (size_t i = 0; i < c_.graph.functions.size(); ++i) {
      if (c_.graph.functions[i].is_own) note_mentions(i);
    }
    // First those that nobody mentions; then one of each group whose members mention each other.
    for (const bool is_mentioned : {false, true}) {
      for (size_t i = 0; i < c_.graph.functions.size(); ++i) {
        if (is_candidate(i) && (is_mentioned || is_unmentioned(i))) report(i);
      }
    }
  }

 private:
  bool is_candidate(size_t i) const {
    const GraphFunction& f = c_.graph.functions[i];
    const core::Function& function = (*f.code.module)[f.code.function];
    return f.is_own && !f.is_reached && !function.exported && !function.is_fun &&
           function.captures == 0 && !is_explained_.contains(i) &&
           !function.name.text().starts_with('-') && !is_mentioned_by_reached(i);
  }
  bool is_mentioned_by_reached(size_t i) const {
    return std::ranges::any_of(mentioned_by_[i], [&](size_t by) {
      const GraphFunction& f = c_.graph.functions[by];
      return f.is_reached || (*f.code.module)[f.code.function].exported;
    });
  }
  bool is_unmentioned(size_t i) const {
    return std::ranges::all_of(mentioned_by_[i], [&](size_t by) { return by == i; });
  }

  void note_mentions(size_t from) {
    const FunctionCode& code = c_.graph.functions[from].code;
    const Module& m = *code.module;
    core::for_each_node(m, m[code.function].body, [&](NodeId id) {
      spend(1);
      std::optional<FunctionId> to;
      if (m[id].kind == Kind::Call) to = m.get<core::node::Call>(id).function;
      if (m[id].kind == Kind::Fun) to = m.get<core::node::Fun>(id).code;
      if (!to) return;
      const auto at = by_code_.find({&m, *to});
      if (at != by_code_.end()) mentioned_by_[at->second].push_back(from);
    });
  }

  // The function, and with it all that only it leads to.
  void report(size_t first) {
    const GraphFunction& f = c_.graph.functions[first];
    found_.push_back({.kind = FindingKind::Unreached,
                      .node = c_.graph[f.import].core,
                      .message = fmt::format("nothing reaches {}", c_.name_of(f.code)),
                      .reason = "it is not exported, and no function that is reached calls it",
                      .doubt = c_.missing_entry()});
    std::vector<size_t> todo = {first};
    while (!todo.empty()) {
      const size_t from = todo.back();
      todo.pop_back();
      if (!is_explained_.insert(from).second) continue;
      for (size_t i = 0; i < mentioned_by_.size(); ++i) {
        if (std::ranges::find(mentioned_by_[i], from) != mentioned_by_[i].end()) todo.push_back(i);
      }
    }
  }

  const FindingContext& c_;
  FindingList& found_;
  std::map<std::pair<const Module*, FunctionId>, size_t> by_code_;
  std::vector<std::vector<size_t>> mentioned_by_;
  std::unordered_set<size_t> is_explained_;
};

// ---- Clauses that nothing reaches -------------------------------------------

// Whether control certainly leaves the region by an exception.
bool only_raises(const Module& m, RegionId region) {
  for (const NodeId id : m.nodes(region)) {
    if (m[id].kind == Kind::Raise || m[id].kind == Kind::NoMatch) return true;
    if (m[id].kind != Kind::CallRemote) continue;
    const auto view = m.get<core::node::CallRemote>(id);
    const std::string_view name = view.name.text();
    if (view.module.text() == "erlang" && (name == "error" || name == "exit" || name == "throw" ||
                                           name == "raise" || name == "halt")) {
      return true;
    }
  }
  return false;
}

class UnreachedClauses {
 public:
  UnreachedClauses(const FindingContext& context, FindingList& found)
      : c_(context), found_(found) {}

  void run() {
    struct Cases {
      std::vector<size_t> dispatches;
    };
    std::vector<GlobalNodeId> order;
    std::unordered_map<GlobalNodeId, Cases> by_node;
    for (size_t d = 0; d < c_.facts.dispatches.size(); ++d) {
      const DispatchFacts& dispatch = c_.facts.dispatches[d];
      const Module& m = c_.module(dispatch.instance);
      if (exists(dispatch.message) || !c_.is_own(m)) continue;
      Cases& cases = by_node[m.global(dispatch.node)];
      if (cases.dispatches.empty()) order.push_back(m.global(dispatch.node));
      cases.dispatches.push_back(d);
    }
    for (const GlobalNodeId node : order) judge(by_node[node].dispatches);
  }

 private:
  void judge(const std::vector<size_t>& dispatches) {
    const DispatchFacts& first = c_.facts.dispatches[dispatches[0]];
    const Module& m = c_.module(first.instance);
    bool is_any_reached = false;
    std::vector<size_t> unreached;
    for (size_t i = 0; i < first.clauses.size(); ++i) {
      const bool is_reached = std::ranges::any_of(
          dispatches, [&](size_t d) { return c_.facts.dispatches[d].clauses[i].is_reached; });
      is_any_reached = is_any_reached || is_reached;
      if (!is_reached && is_of_interest(m, first.clauses[i].node)) unreached.push_back(i);
    }
    if (!is_any_reached) return;
    for (const size_t i : unreached) report(dispatches[0], i);
  }

  bool is_of_interest(const Module& m, NodeId clause) {
    const auto view = m.get<core::node::Clause>(clause);
    const core::AstId origin = m[clause].origin;
    if (!exists(origin) || m.unit().ast[origin].kind != fathom::NodeKind::Clause) return false;
    if (m.unit().expansion_of(origin)) return false;
    if (takes_all(m, clause) || only_raises(m, view.body)) return false;
    return !is_about_exceptions(m, clause);
  }

  // What exceptions native functions raise is not known in full.
  bool is_about_exceptions(const Module& m, NodeId clause) {
    const auto view = m.get<core::node::Clause>(clause);
    const auto& caught = caught_variables(m, m.function_of(clause));
    for (const NodeId id : m.nodes(view.patterns)) {
      bool is_caught = false;
      core::for_each_use(m, id, [&](core::VarId v) {
        is_caught = is_caught || std::ranges::find(caught, v) != caught.end();
      });
      if (is_caught) return true;
      if (m[id].kind != Kind::MatchLiteral) continue;
      const Term term = m[m.get<core::node::MatchLiteral>(id).value];
      if (term.is_atom() && term.atom().text() == "EXIT") return true;
    }
    return false;
  }

  const std::vector<core::VarId>& caught_variables(const Module& m, FunctionId function) {
    const auto [at, is_new] = caught_.try_emplace({&m, function});
    std::vector<core::VarId>& variables = at->second;
    if (!is_new) return variables;
    core::for_each_node(m, m[function].body, [&](NodeId id) {
      if (m[id].kind != Kind::Try) return;
      const auto view = m.get<core::node::Try>(id);
      variables.push_back(view.exception_class);
      variables.push_back(view.reason);
    });
    return variables;
  }

  void report(size_t d, size_t clause) {
    const DispatchFacts& dispatch = c_.facts.dispatches[d];
    const Module& m = c_.module(dispatch.instance);
    const NodeId node = dispatch.clauses[clause].node;
    found_.push_back({.kind = FindingKind::Unreached,
                      .node = m.global(node),
                      .message = "nothing reaches this clause",
                      .reason = reason_of(d, clause),
                      .doubt = c_.missing_entry()});
  }

  // The values of the subject that the clause takes none of.
  std::string reason_of(size_t d, size_t clause) const {
    const DispatchFacts& dispatch = c_.facts.dispatches[d];
    const Module& m = c_.module(dispatch.instance);
    const auto view = m.get<core::node::Clause>(dispatch.clauses[clause].node);
    for (const NodeId id : m.nodes(view.patterns)) {
      std::optional<core::VarId> subject;
      core::for_each_use(m, id, [&](core::VarId v) {
        if (!subject) subject = v;
      });
      if (!subject) continue;
      const ObjectSet& values = c_.analysis.values(dispatch.instance, *subject);
      const bool is_taken = values.any_of(
          [&](ObjectId object) { return c_.analysis.may_match(d, clause, *subject, object); });
      if (!is_taken) return fmt::format("what comes here: {}", c_.values_text(values));
    }
    return "the clauses before it take all that comes here";
  }

  const FindingContext& c_;
  FindingList& found_;
  std::map<std::pair<const Module*, FunctionId>, std::vector<core::VarId>> caught_;
};

// ---- Functions that do not exist --------------------------------------------

std::string text_of(const FunctionName& name) {
  return fmt::format("{}:{}/{}", name.module.text(), name.name.text(), name.arity);
}

class UndefinedFunctions {
 public:
  UndefinedFunctions(const FindingContext& context, FindingList& found)
      : c_(context), code_(context.input.code), found_(found) {}

  void run() {
    for (const CallEdge& edge : c_.facts.calls) ++targets_[c_.facts[edge.site].global];
    for (const ExternalCall& call : c_.facts.external_calls) ++targets_[c_.facts[call.site].global];
    for (const ExternalCall& call : c_.facts.external_calls) {
      if (c_.is_own(c_.facts[call.site])) judge(c_.facts[call.site], call.name, call.kind);
    }
    for (const CallEdge& edge : c_.facts.calls) judge_unexported(edge);
    for (const ExternalCall& call : c_.facts.external_calls) judge_start(call);
  }

 private:
  void judge(const Site& site, const FunctionName& name, CallKind kind) {
    if (effect_of(name.module, name.name, name.arity) || code_.find(name)) return;
    if (!code_.has_module(name.module)) {
      return report(site, fmt::format("there is no module {}", name.module.text()),
                    "it is neither in the project, nor in its libraries, nor in OTP",
                    "it may be somewhere else");
    }
    report(site, fmt::format("there is no function {}", text_of(name)), reason_of(name),
           doubt_of(site, kind));
  }

  std::string reason_of(const FunctionName& name) {
    std::string arities;
    for (const uint32_t arity : code_.arities(name.module, name.name)) {
      arities += (arities.empty() ? "" : ", ") + std::to_string(arity);
    }
    if (arities.empty())
      return fmt::format("{} exports no {}", name.module.text(), name.name.text());
    return fmt::format("{} exports {} of arity {}", name.module.text(), name.name.text(), arities);
  }

  // Of several functions that a computed name may stand for, this may be one that is not meant.
  std::string doubt_of(const Site& site, CallKind kind) const {
    if (kind == CallKind::FirstOrder) return "";
    const bool is_sure =
        targets_.at(site.global) == 1 && !c_.facts.outside_calls.contains(site.global);
    return is_sure ? "" : "other functions may be meant";
  }

  // m:f() of a function that is not exported.
  void judge_unexported(const CallEdge& edge) {
    const Site& site = c_.facts[edge.site];
    const Module& m = c_.module(site.instance);
    if (!c_.is_own(m) || m[site.node].kind != Kind::CallRemote) return;
    const auto view = m.get<core::node::CallRemote>(site.node);
    const FunctionName name{view.module, view.name,
                            static_cast<uint32_t>(m.vars(view.arguments).size())};
    const Instance& callee = c_.facts[edge.callee];
    if (edge.kind != CallKind::FirstOrder || callee.code.module->name() != name.module ||
        callee.function().name != name.name || code_.is_exported(name)) {
      return;
    }
    report(site, fmt::format("{} is not exported", text_of(name)),
           "a call with the name of the module finds exported functions only", "");
  }

  // spawn(m, f, [A]) of a function that is not there, or not exported.
  void judge_start(const ExternalCall& call) {
    const Site& site = c_.facts[call.site];
    if (!c_.is_own(site) || !call.name.name.text().starts_with("spawn") || call.name.arity != 3 ||
        call.name.module.text() != "erlang" || targets_.at(site.global) != 1 ||
        c_.facts.outside_calls.contains(site.global)) {
      return;
    }
    const auto atom = [&](size_t index) -> std::optional<Atom> {
      const auto id = c_.only(c_.argument(site, index));
      if (!id || c_.analysis.objects()[*id].kind != ObjectKind::Atom) return std::nullopt;
      return c_.analysis.objects()[*id].atom;
    };
    const auto module = atom(0);
    const auto function = atom(1);
    const auto arity = length(c_.argument(site, 2));
    if (!module || !function || !arity || !code_.has_module(*module)) return;
    const FunctionName name{*module, *function, *arity};
    if (effect_of(name.module, name.name, name.arity) || code_.is_exported(name)) return;
    report(site,
           code_.find(name) ? fmt::format("{} is not exported", text_of(name))
                            : fmt::format("there is no function {}", text_of(name)),
           "a process is started with exported functions only", "");
  }

  // Of a list that is known in full.
  std::optional<uint32_t> length(const ObjectSet& list) const {
    constexpr uint32_t kMost = 255;
    const ObjectSet* cells = &list;
    for (uint32_t count = 0; count < kMost; ++count) {
      const auto cell = c_.only(*cells);
      if (!cell) return std::nullopt;
      const Object& object = c_.analysis.objects()[*cell];
      if (object.kind == ObjectKind::Nil) return count;
      if (object.kind != ObjectKind::Cons) return std::nullopt;
      cells = &c_.analysis.values(object.parts + kTail);
    }
    return std::nullopt;
  }

  void report(const Site& site, std::string message, std::string reason, std::string doubt) {
    found_.push_back({.kind = FindingKind::UndefinedFunction,
                      .node = site.global,
                      .message = std::move(message),
                      .reason = std::move(reason),
                      .doubt = std::move(doubt)});
  }

  const FindingContext& c_;
  Code& code_;
  FindingList& found_;
  std::unordered_map<GlobalNodeId, size_t> targets_;
};

}  // namespace

void find_unreached(const FindingContext& context, FindingList& found) {
  UnreachedFunctions(context, found).run();
  UnreachedClauses(context, found).run();
}

void find_undefined(const FindingContext& context, FindingList& found) {
  UndefinedFunctions(context, found).run();
}

}  // namespace fathom::flow
