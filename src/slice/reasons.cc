#include "slice/reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/walk.h"

namespace fathom::slice {

using core::Kind;
using core::NodeId;

namespace {

class ReasonWords {
 public:
  explicit ReasonWords(const Slicer& slicer) : slicer_(slicer) {}
  Reasons made();

 private:
  struct Next {
    uint32_t step = kNoReason;
    std::string_view relation;
  };
  bool is_step(const Fact& fact) const;
  void add(const Fact& fact);
  ReasonStep step_of(const Fact& fact) const;
  Next next_of(const Fact& fact) const;
  std::string_view relation(const Fact& from, Reason reason, const Fact& to) const;
  uint32_t parameter_index(const Fact& fact) const;
  const core::Node& node(const Fact& fact) const;
  // Whether it comes from a function as such: its return, the choice of its clause.
  bool is_whole_function(const Fact& fact) const;
  bool is_call(const Fact& fact) const {  // as it is written; an operator is none
    return slicer_.model()[fact.procedure].module->unit().ast.is(node(fact).origin, NodeKind::Call);
  }
  void add_edges();

  const Slicer& slicer_;
  Reasons result_;
  std::map<Fact, uint32_t> by_fact_;
};

Reasons ReasonWords::made() {
  const Model& model = slicer_.model();
  for (uint32_t i = 0; i < model.size(); ++i) {
    const ProcedureId p{i};
    core::for_each_node(*model[p].module, model[p].code().body, [&](NodeId n) {
      if (slicer_.is_kept(p, n)) add(Fact::of(p, n));
    });
  }
  add_edges();
  return std::move(result_);
}

const core::Node& ReasonWords::node(const Fact& fact) const {
  return (*slicer_.model()[fact.procedure].module)[fact.node()];
}

bool ReasonWords::is_whole_function(const Fact& fact) const {
  return fact.kind == Fact::Kind::Node &&
         node(fact).origin == slicer_.model()[fact.procedure].code().origin;
}

uint32_t ReasonWords::parameter_index(const Fact& fact) const {
  const auto& parameters = slicer_.model()[fact.procedure].parameters;
  const auto found = std::find(parameters.begin(), parameters.end(), fact.variable());
  return found == parameters.end() ? kNoReason : static_cast<uint32_t>(found - parameters.begin());
}

// A parameter that was given by a call counts, since that is another place.
bool ReasonWords::is_step(const Fact& fact) const {
  if (fact.kind == Fact::Kind::Variable) return parameter_index(fact) != kNoReason;
  return fathom::exists(node(fact).origin);
}

ReasonStep ReasonWords::step_of(const Fact& fact) const {
  const Procedure& p = slicer_.model()[fact.procedure];
  ReasonStep step;
  step.module = p.module;
  const std::string function = fmt::format("{}/{}", p.code().name.text(), p.code().arity);
  if (fact.kind == Fact::Kind::Variable) {
    step.origin = p.code().origin;
    const Atom name = p.code().variables[static_cast<size_t>(fact.variable())];
    const bool is_named = name != Atom() && name.text().find(' ') == std::string_view::npos;
    step.name = fmt::format(
        "parameter {} of {}",
        is_named ? std::string(name.text()) : std::to_string(parameter_index(fact) + 1), function);
  } else {
    step.origin = node(fact).origin;
    if (is_whole_function(fact)) step.name = "the result of " + function;
  }
  const Next next = next_of(fact);
  step.next = next.step;
  step.relation = next.relation;
  return step;
}

// The causes are followed to one that is known, and the steps made on the way back: chains may be
// as long as the program.
void ReasonWords::add(const Fact& fact) {
  std::vector<Fact> chain;
  for (Fact at = fact; at.kind != Fact::Kind::None && !by_fact_.contains(at);) {
    chain.push_back(at);
    at = slicer_.why(at).cause;
  }
  for (; !chain.empty(); chain.pop_back()) {
    const Fact at = chain.back();
    if (!is_step(at)) continue;
    ReasonStep step = step_of(at);
    const auto id = static_cast<uint32_t>(result_.steps.size());
    by_fact_.emplace(at, id);
    if (step.name.empty()) result_.by_place.emplace(std::pair(step.module, step.origin), id);
    result_.steps.push_back(std::move(step));
  }
}

// Variables on the way are passed over.
ReasonWords::Next ReasonWords::next_of(const Fact& fact) const {
  Fact at = fact;
  while (true) {
    const Dependence why = slicer_.why(at);
    if (why.cause.kind == Fact::Kind::None) {
      const bool is_value = why.reason == Reason::Criterion || why.reason == Reason::Value;
      if (!is_value) return {kNoReason, relation(fact, why.reason, {})};
      return {kNoReason, at == fact ? "is" : "gives the value of"};
    }
    if (is_step(why.cause)) {
      const auto known = by_fact_.find(why.cause);
      return {known == by_fact_.end() ? kNoReason : known->second,
              relation(fact, why.reason, why.cause)};
    }
    at = why.cause;
  }
}

std::string_view ReasonWords::relation(const Fact& from, Reason reason, const Fact& to) const {
  const bool is_node = to.kind == Fact::Kind::Node;
  const Kind kind = is_node ? node(to).kind : Kind::Entry;
  switch (reason) {
    case Reason::Criterion:
      return "is";
    case Reason::Value:
      if (is_whole_function(to)) return "gives";
      if (kind == Kind::Test) return "is tested in";
      if (kind == Kind::Bind) return "is bound to";
      if (is_test(kind)) return "is matched with";
      return is_node && is_call(to) ? "is an argument of" : "is used in";
    case Reason::Control:
      return is_whole_function(to) ? "decides" : "decides whether control comes to";
    case Reason::Call:
      return "leads to the call of the function with";
    case Reason::Argument:
      return kind == Kind::Receive ? "is sent to" : "is given as";
    case Reason::Result:
      return "is returned to";
    case Reason::Raised:
      return "may raise an exception that is seen by";
    case Reason::State:
      return from.kind == Fact::Kind::Node && kind == Kind::Receive
                 ? "comes before, or sends, what is received by"
                 : "changes, or puts in order, what is read by";
    case Reason::Syntax:
      return "is written together with";
  }
  return "";
}

void ReasonWords::add_edges() {
  // Through variables that are not steps: from what defines them to what needs them.
  std::map<Fact, std::vector<Dependence>> of_variable;
  for (const Dependence& d : slicer_.dependences()) {
    if (!by_fact_.contains(d.fact)) of_variable[d.fact].push_back(d);
  }
  std::set<Reasons::Edge> all;
  for (const Dependence& d : slicer_.dependences()) {
    const auto from = by_fact_.find(d.fact);
    if (from == by_fact_.end()) continue;
    std::vector<Dependence> todo{d};
    std::set<Fact> seen;
    while (!todo.empty()) {
      const Dependence at = todo.back();
      todo.pop_back();
      const auto to = by_fact_.find(at.cause);
      if (to != by_fact_.end()) {
        if (to->second != from->second) all.insert({from->second, to->second, at.reason});
      } else if (const auto through = of_variable.find(at.cause);
                 through != of_variable.end() && seen.insert(at.cause).second) {
        todo.insert(todo.end(), through->second.begin(), through->second.end());
      }
    }
  }
  result_.edges.assign(all.begin(), all.end());
}

}  // namespace

Reasons reasons_of(const Slicer& slicer) { return ReasonWords(slicer).made(); }

}  // namespace fathom::slice
