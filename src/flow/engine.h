// The parts of the analysis, put together: constraints are generated from Core as functions and
// clauses are found to be reached, and solved meanwhile.
//
//   Generator   from nodes to constraints
//   Matching    which values the clauses of a case take
//   Calls       who calls and starts whom
//   Effects     functions without code
//
// They add to the solver and to the facts, and call each other through the engine. A function's
// body, and a clause's, is generated when the first value comes to it: so what nothing reaches
// costs nothing and adds nothing. All of it is monotone: what was reached stays so.
#pragma once

#include <deque>

#include "flow/calls.h"
#include "flow/effect_evaluator.h"
#include "flow/facts.h"
#include "flow/generator.h"
#include "flow/matching.h"

namespace fathom::flow {

class Engine {
 public:
  explicit Engine(Code& code_source, const AnalysisOptions& chosen = {});
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  Code& code;
  const AnalysisOptions options;
  Solver solver;
  Objects objects{solver};
  Contexts contexts;
  Facts facts;
  Generator generator{*this};
  Matching matching{*this};
  Calls calls{*this};
  EffectEvaluator effects{*this};

  // The outside: code that is not known. What has escaped to it, it may call, send to and pass on;
  // the processes that run it are those that call what is not known.
  Slot escaped = kNoSlot;
  Slot escaped_processes = kNoSlot;
  Slot outside_processes = kNoSlot;

  void run();

  // For each object that is in the slot, now or later.
  template <class F>
  void on_each(Slot slot, F f) {
    solver.watch(slot, [f = std::move(f)](const ObjectSet& added) { added.for_each(f); });
  }
  // Once, when there is an object in the slot.
  template <class F>
  void on_first(Slot slot, F f) {
    solver.watch(slot, [f = std::move(f), is_done = false](const ObjectSet&) mutable {
      if (!is_done) f();
      is_done = true;
    });
  }
  void note_unknown(core::GlobalNodeId node, std::string what);
  // Whatever is raised in one place comes to the other.
  void pass_exceptions(Slot from, Slot to);
  // The outside may send to it.
  void process_escapes(ObjectId process);

 private:
  struct NodeRange {
    core::GlobalNodeId first;
    core::GlobalNodeId end;
  };
  std::vector<NodeRange> own_nodes();
  bool is_own(const Object& object, const std::vector<NodeRange>& own) const;
  void follow_escaped();

  std::unordered_set<std::string> noted_;
};

}  // namespace fathom::flow
