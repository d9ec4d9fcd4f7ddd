#include "flow/matching.h"

#include <algorithm>

#include "flow/engine.h"

namespace fathom::flow {

using core::Module;
using core::NodeId;
using core::VarId;

bool may_be(const Object& object, Term term) {
  if (object.kind == ObjectKind::Unknown) return true;
  switch (term.kind()) {
    case TermKind::Nil:
      return object.kind == ObjectKind::Nil;
    case TermKind::Atom:
      return object.kind == ObjectKind::AnyAtom ||
             (object.kind == ObjectKind::Atom && object.atom == term.atom());
    case TermKind::Integer:
      return object.kind == ObjectKind::AnyInteger ||
             (object.kind == ObjectKind::Integer && object.number == term.small());
    case TermKind::BigInteger:
      return object.kind == ObjectKind::AnyInteger;
    case TermKind::Float:
      return object.kind == ObjectKind::Float;
    case TermKind::List:
      return object.kind == ObjectKind::Cons;
    case TermKind::Tuple:
      return object.kind == ObjectKind::Tuple && object.size == term.tuple().size();
    case TermKind::Map:
      return object.kind == ObjectKind::Map;
    case TermKind::Bitstring:
      return object.kind == ObjectKind::Bits;
    case TermKind::ExternalFun:
    case TermKind::Opaque:
      return true;
  }
  return true;
}

namespace {

bool must_be(const Object& object, Term term) {
  switch (object.kind) {
    case ObjectKind::Nil:
      return term.is_nil();
    case ObjectKind::Atom:
      return term.is_atom(object.atom);
    case ObjectKind::Integer:
      return term.is_small() && term.small() == object.number;
    default:
      return false;
  }
}

}  // namespace

bool may_be_same(const Object& a, ObjectId a_id, const Object& b, ObjectId b_id) {
  if (a_id == b_id || a.kind == ObjectKind::Unknown || b.kind == ObjectKind::Unknown) return true;
  const auto is_atom = [](const Object& o) {
    return o.kind == ObjectKind::Atom || o.kind == ObjectKind::AnyAtom;
  };
  const auto is_integer = [](const Object& o) {
    return o.kind == ObjectKind::Integer || o.kind == ObjectKind::AnyInteger;
  };
  const bool has_any = a.kind == ObjectKind::AnyAtom || b.kind == ObjectKind::AnyAtom ||
                       a.kind == ObjectKind::AnyInteger || b.kind == ObjectKind::AnyInteger;
  if ((is_atom(a) && is_atom(b)) || (is_integer(a) && is_integer(b))) return has_any;
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case ObjectKind::Reference:  // made somewhere else
    case ObjectKind::Pid:
      return false;
    case ObjectKind::Tuple:
      return a.size == b.size;
    default:
      return true;
  }
}

const CasePatterns& Matching::form_of(const Module& module, NodeId node, core::ListId clauses,
                                      VarId message) {
  std::unique_ptr<CasePatterns>& form = forms_[module.global(node)];
  if (!form) {
    form = std::make_unique<CasePatterns>(patterns_of(module, module.nodes(clauses)));
    if (exists(message) && std::ranges::find(form->roots, message) == form->roots.end()) {
      form->roots.push_back(message);
    }
  }
  return *form;
}

Slot Matching::variable(const Dispatch& dispatch, VarId var) const {
  return engine_.facts[dispatch.scope.instance].variables + static_cast<size_t>(var);
}

// ---- Setting up -------------------------------------------------------------

void Matching::dispatch(const Scope& scope, NodeId node, core::ListId clauses,
                        core::RegionId otherwise, Slot result, VarId message) {
  const Instance& instance = engine_.facts[scope.instance];
  const Module& module = *instance.code.module;
  const CasePatterns& form = form_of(module, node, clauses, message);
  const DispatchId id = dispatches_.size();
  const Slot message_slot =
      exists(message) ? instance.variables + static_cast<size_t>(message) : kNoSlot;
  engine_.facts.dispatches.push_back(
      {.instance = scope.instance, .node = node, .message = message_slot, .clauses = {}});
  for (const ClausePatterns& clause : form.clauses) {
    engine_.facts.dispatches.back().clauses.push_back({.node = clause.clause});
  }
  dispatches_.push_back(std::make_unique<Dispatch>(
      Dispatch{scope, &module, &form, otherwise, result, engine_.facts.dispatches.size() - 1, {}}));
  dispatches_[id]->clauses.resize(form.clauses.size());
  for (size_t clause = 0; clause < form.clauses.size(); ++clause) set_up_clause(id, clause);
  for (const VarId root : form.roots) {
    watch_root(id, root);
    if (engine_.code.is_own(module.name()) &&
        engine_.generator.is_trace(variable(*dispatches_[id], root))) {
      engine_.note_unknown(module.global(node), "arguments in a stack trace are not followed");
    }
  }
  // Without a subject that somebody asks something of, control goes where the guards let it.
  if (form.roots.size() != 1) enter_otherwise(id);
}

void Matching::set_up_clause(DispatchId id, size_t clause) {
  Dispatch& d = *dispatches_[id];
  const ClausePatterns& form = d.form->clauses[clause];
  for (const NodeId other : form.others) engine_.generator.generate_in_pattern(d.scope, other);
  if (engine_.options.knows_origins) engine_.generator.enter_guards(d.scope, form.clause);
  ClauseState& state = d.clauses[clause];
  for (size_t p = 0; p < form.patterns.size(); ++p) {
    state.taken.push_back(engine_.solver.add_slots());
    set_up_pattern(id, clause, p);
  }
  // A root that another clause asks for counts here too: this one gets what is left.
  DispatchFacts& facts = engine_.facts.dispatches[d.facts];
  for (const VarId root : d.form->roots) {
    const bool is_asked =
        exists(facts.message) || std::ranges::any_of(d.form->clauses, [&](const ClausePatterns& c) {
          const Pattern* p = c.find(root);
          return p && p->has_tests();
        });
    if (!is_asked) continue;
    const auto at = std::ranges::find(form.patterns, root, &Pattern::subject);
    state.missing.push_back(static_cast<size_t>(at - form.patterns.begin()));
  }
  if (exists(facts.message)) {
    const Slot taken = engine_.solver.add_slots();
    facts.clauses[clause].taken = taken;
    for (size_t p = 0; p < form.patterns.size(); ++p) {
      if (variable(d, form.patterns[p].subject) == facts.message) {
        engine_.solver.add_edge(state.taken[p], taken);
      }
    }
  }
  if (state.missing.empty()) enter_clause(id, clause);
}

void Matching::set_up_pattern(DispatchId id, size_t clause, size_t pattern) {
  const Dispatch& d = *dispatches_[id];
  const Pattern& form = d.form->clauses[clause].patterns[pattern];
  const Slot taken = d.clauses[clause].taken[pattern];
  for (const VarId name : form.names) engine_.solver.add_edge(taken, variable(d, name));
  if (form.arity || form.is_cons || !form.keys.empty()) {
    engine_.on_each(taken, [this, id, &form](ObjectId object) { take_parts(id, form, object); });
  }
  if (form.is_root) return;
  const Slot subject = variable(d, form.subject);
  if (!form.has_tests()) return engine_.solver.add_edge(subject, taken);
  engine_.on_each(subject, [this, id, clause, pattern](ObjectId object) {
    judge_part(id, clause, pattern, object);
  });
}

void Matching::watch_root(DispatchId id, VarId root) {
  const Dispatch& d = *dispatches_[id];
  const Slot slot = variable(d, root);
  const std::optional<Slot> handler = engine_.generator.handler_of(slot);
  if (!handler) {
    return engine_.on_each(slot,
                           [this, id, root](ObjectId object) { judge_root(id, root, object); });
  }
  // The reason of an exception: a clause for one class gets reasons of that class.
  const Slot class_slot = engine_.generator.class_slot_of(slot);
  for (size_t clause = 0; clause < d.form->clauses.size(); ++clause) {
    const ClausePatterns& form = d.form->clauses[clause];
    const auto at = std::ranges::find(form.patterns, root, &Pattern::subject);
    const auto pattern = static_cast<size_t>(at - form.patterns.begin());
    for (size_t c = 0; c < kExceptionClasses; ++c) {
      static constexpr std::string_view kNames[] = {"error", "exit", "throw"};
      const auto by_class = std::ranges::find_if(
          form.patterns, [&](const Pattern& p) { return variable(d, p.subject) == class_slot; });
      const bool is_wanted = by_class == form.patterns.end() ||
                             std::ranges::all_of(by_class->literals, [&](core::LiteralId literal) {
                               const Term term = (*d.module)[literal];
                               return term.is_atom() && term.atom().text() == kNames[c];
                             });
      if (!is_wanted) continue;
      engine_.on_each(*handler + c, [this, id, clause, pattern](ObjectId object) {
        judge_part(id, clause, pattern, object);
      });
    }
  }
  enter_otherwise(id);
}

// ---- Taking -----------------------------------------------------------------

void Matching::take(DispatchId id, size_t clause, size_t pattern, ObjectId object) {
  ClauseState& state = dispatches_[id]->clauses[clause];
  if (pattern < state.taken.size()) engine_.solver.add(state.taken[pattern], object);
  const Dispatch& d = *dispatches_[id];
  const DispatchFacts& facts = engine_.facts.dispatches[d.facts];
  if (pattern == state.taken.size() && exists(facts.message)) {
    engine_.solver.add(facts.clauses[clause].taken, object);
  }
  if (state.is_entered) return;
  std::erase(state.missing, pattern);
  if (state.missing.empty()) enter_clause(id, clause);
}

void Matching::enter_clause(DispatchId id, size_t clause) {
  Dispatch& d = *dispatches_[id];
  d.clauses[clause].is_entered = true;
  engine_.facts.dispatches[d.facts].clauses[clause].is_reached = true;
  engine_.generator.enter(d.scope, d.form->clauses[clause].body, d.result);
}

void Matching::enter_otherwise(DispatchId id) {
  const Dispatch& d = *dispatches_[id];
  engine_.generator.enter(d.scope, d.otherwise, d.result);
}

void Matching::take_parts(DispatchId id, const Pattern& pattern, ObjectId object) {
  const Dispatch& d = *dispatches_[id];
  const Object o = engine_.objects[object];
  Solver& solver = engine_.solver;
  const bool is_unknown = o.kind == ObjectKind::Unknown;
  const auto part = [&](VarId var, size_t index) {
    if (!exists(var)) return;
    if (is_unknown) return solver.add(variable(d, var), object);
    solver.add_edge(engine_.objects.part(object, index), variable(d, var));
  };
  if (pattern.arity && (is_unknown || (o.kind == ObjectKind::Tuple && o.size == *pattern.arity))) {
    for (size_t i = 0; i < pattern.elements.size(); ++i) part(pattern.elements[i], i);
  }
  if (pattern.is_cons && (is_unknown || o.kind == ObjectKind::Cons)) {
    part(pattern.head, kHead);
    part(pattern.tail, kTail);
  }
  for (const Pattern::Key& key : pattern.keys) take_key(id, key, object);
}

void Matching::take_key(DispatchId id, const Pattern::Key& key, ObjectId map) {
  const Dispatch& d = *dispatches_[id];
  if (!exists(key.value)) return;
  const Slot value = variable(d, key.value);
  engine_.on_each(variable(d, key.key), [this, map, value](ObjectId key_object) {
    engine_.objects.look_up(map, key_object, value);
  });
}

// ---- Judging ----------------------------------------------------------------

// Judges again whenever something comes to what the judgement has looked at.
template <class Again>
void Matching::judge_again(uint64_t where, ObjectId object, Again again) {
  const std::vector<Slot> slots = std::exchange(looked_at_, {});
  for (const Slot slot : slots) {
    if (!watched_.insert({where, object, slot}).second) continue;
    engine_.solver.watch(slot, [again](const ObjectSet&) { again(); });
  }
}

// Whether what this clause must match does not come to the clauses after it.
bool Matching::stops_here(const ClausePatterns& clause, VarId root) const {
  if (clause.may_refuse) return false;
  return std::ranges::all_of(clause.patterns, [&](const Pattern& p) {
    return !p.is_root || p.subject == root || !p.has_tests();
  });
}

bool Matching::may_take_root(const Dispatch& d, size_t clause, VarId root, ObjectId object) {
  const ClausePatterns& form = d.form->clauses[clause];
  const Pattern* pattern = form.find(root);
  looks_left_ = kMostLooks;
  return !pattern || may_match(d, form, *pattern, object, 0);
}

bool Matching::passes_on(const Dispatch& d, size_t clause, VarId root, ObjectId object) {
  const ClausePatterns& form = d.form->clauses[clause];
  if (!stops_here(form, root)) return true;
  const Pattern* pattern = form.find(root);
  looks_left_ = kMostLooks;
  return pattern && !must_match(d, form, *pattern, object, 0);
}

bool Matching::may_take(size_t receive, size_t clause, ObjectId message) {
  // A dispatch has the index of its facts.
  const Dispatch& d = *dispatches_[receive];
  const Slot slot = engine_.facts.dispatches[receive].message;
  const auto root =
      std::ranges::find_if(d.form->roots, [&](VarId var) { return variable(d, var) == slot; });
  for (size_t before = 0; before < clause; ++before) {
    if (!passes_on(d, before, *root, message)) return false;
  }
  const bool may = may_take_root(d, clause, *root, message);
  looked_at_.clear();
  return may;
}

void Matching::judge_root(DispatchId id, VarId root, ObjectId object) {
  looked_at_.clear();
  const Dispatch& d = *dispatches_[id];
  bool is_left = true;
  for (size_t clause = 0; clause < d.form->clauses.size() && is_left; ++clause) {
    const std::vector<Pattern>& patterns = d.form->clauses[clause].patterns;
    if (may_take_root(d, clause, root, object)) {
      const auto at = std::ranges::find(patterns, root, &Pattern::subject);
      take(id, clause, static_cast<size_t>(at - patterns.begin()), object);
    }
    is_left = passes_on(d, clause, root, object);
  }
  if (is_left && d.form->roots.size() == 1) enter_otherwise(id);
  judge_again(id << 32 | static_cast<uint32_t>(root), object,
              [this, id, root, object] { judge_root(id, root, object); });
}

void Matching::judge_part(DispatchId id, size_t clause, size_t pattern, ObjectId object) {
  looked_at_.clear();
  const Dispatch& d = *dispatches_[id];
  const ClausePatterns& form = d.form->clauses[clause];
  looks_left_ = kMostLooks;
  if (pattern == form.patterns.size() || may_match(d, form, form.patterns[pattern], object, 0)) {
    take(id, clause, pattern, object);
    looked_at_.clear();
    return;
  }
  const uint64_t where = id << 32 | uint64_t{1} << 31 | clause << 16 | pattern;
  judge_again(where, object,
              [this, id, clause, pattern, object] { judge_part(id, clause, pattern, object); });
}

bool Matching::passes_on(size_t dispatch, size_t clause, VarId root, ObjectId object) {
  const bool passes = passes_on(*dispatches_[dispatch], clause, root, object);
  looked_at_.clear();
  return passes;
}

bool Matching::may_match(size_t dispatch, size_t clause, VarId subject, ObjectId object) {
  const Dispatch& d = *dispatches_[dispatch];
  const ClausePatterns& form = d.form->clauses[clause];
  const Pattern* pattern = form.find(subject);
  looks_left_ = kMostLooks;
  const bool may = !pattern || may_match(d, form, *pattern, object, 0);
  looked_at_.clear();
  return may;
}

bool Matching::may_match(const Dispatch& d, const ClausePatterns& clause, const Pattern& p,
                         ObjectId object, int depth) {
  const Object& o = engine_.objects[object];
  if (o.kind == ObjectKind::Unknown || depth > kMostDepth || --looks_left_ < 0) return true;
  if ((p.kinds & kind_set(o.kind)) == 0) return false;
  for (const core::LiteralId literal : p.literals) {
    if (!may_be(o, (*d.module)[literal])) return false;
  }
  for (const VarId other : p.equals) {
    // {X, X}: as long as the clause has taken nothing, there is nothing to compare with.
    if (!clause.binds(other) && !may_equal(object, variable(d, other))) return false;
  }
  if (p.arity) {
    if (o.kind != ObjectKind::Tuple || o.size != *p.arity) return false;
    for (size_t i = 0; i < p.elements.size(); ++i) {
      if (!part_may_match(d, clause, p.elements[i], engine_.objects.part(object, i), depth)) {
        return false;
      }
    }
  }
  if (p.is_cons) {
    return o.kind == ObjectKind::Cons &&
           part_may_match(d, clause, p.head, engine_.objects.part(object, kHead), depth) &&
           part_may_match(d, clause, p.tail, engine_.objects.part(object, kTail), depth);
  }
  return p.keys.empty() || o.kind == ObjectKind::Map;
}

bool Matching::part_may_match(const Dispatch& d, const ClausePatterns& clause, VarId var, Slot part,
                              int depth) {
  const Pattern* p = exists(var) ? clause.find(var) : nullptr;
  if (!p || !p->has_tests()) return true;
  const ObjectSet& values = engine_.solver.values(part);
  if (values.contains(engine_.objects.unknown())) return true;  // and stays so
  looked_at_.push_back(part);
  return values.any_of(
      [&](ObjectId object) { return may_match(d, clause, *p, object, depth + 1); });
}

bool Matching::may_equal(ObjectId object, Slot other) {
  if (engine_.solver.values(other).contains(engine_.objects.unknown())) return true;
  looked_at_.push_back(other);
  const Object& o = engine_.objects[object];
  return engine_.solver.values(other).any_of([&](ObjectId id) {
    return may_be_same(o, engine_.objects.plain(object), engine_.objects[id],
                       engine_.objects.plain(id));
  });
}

bool Matching::must_match(const Dispatch& d, const ClausePatterns& clause, const Pattern& p,
                          ObjectId object, int depth) {
  const Object& o = engine_.objects[object];
  if (o.kind == ObjectKind::Unknown || depth > kMostDepth || --looks_left_ < 0) return false;
  if (!p.equals.empty() || !p.keys.empty() || p.has_segments) return false;
  if ((p.kinds & kind_set(o.kind)) == 0) return false;
  for (const core::LiteralId literal : p.literals) {
    if (!must_be(o, (*d.module)[literal])) return false;
  }
  if (p.arity) {
    if (o.kind != ObjectKind::Tuple || o.size != *p.arity) return false;
    for (size_t i = 0; i < p.elements.size(); ++i) {
      if (!part_must_match(d, clause, p.elements[i], engine_.objects.part(object, i), depth)) {
        return false;
      }
    }
  }
  if (p.is_cons) {
    return o.kind == ObjectKind::Cons &&
           part_must_match(d, clause, p.head, engine_.objects.part(object, kHead), depth) &&
           part_must_match(d, clause, p.tail, engine_.objects.part(object, kTail), depth);
  }
  return true;
}

bool Matching::part_must_match(const Dispatch& d, const ClausePatterns& clause, VarId var,
                               Slot part, int depth) {
  const Pattern* p = exists(var) ? clause.find(var) : nullptr;
  if (!p || !p->has_tests()) return true;
  const ObjectSet& values = engine_.solver.values(part);
  if (values.contains(engine_.objects.unknown())) return false;  // and stays so
  looked_at_.push_back(part);
  return !values.any_of(
      [&](ObjectId object) { return !must_match(d, clause, *p, object, depth + 1); });
}

}  // namespace fathom::flow
