// The value analysis: which values can reach which places of a program, through calls, funs,
// exceptions, processes and messages.
//
// Subset constraints (0-CFA, field-sensitive; Shivers; Andersen) over the variables of Core,
// generated on demand from the entries on and solved together (engine.h). The result contains
// whatever can happen: what the analysis cannot follow is `Unknown` and listed, and where it is
// in doubt there is an edge.
//
// Cost: near linear in the code that is reached, times the contexts of library functions.
#pragma once

#include <memory>

#include "flow/facts.h"

namespace fathom::flow {

class Engine;

class Analysis {
 public:
  explicit Analysis(Code& code, const AnalysisOptions& options = {});
  ~Analysis();

  // A function that is called from outside, with arguments that are not known, by a process of
  // its own. If others may call it at any time (`is_open`), they get its result, and may use it.
  // False if there is no such function.
  bool add_entry(const FunctionName& name, bool is_open);
  void run();

  const Facts& facts() const;
  const Objects& objects() const;
  const Contexts& contexts() const;
  const ObjectSet& values(Slot slot) const;
  const ObjectSet& values(InstanceId instance, core::VarId variable) const;
  const Solver& solver() const;
  // Whether a clause of a dispatch, by its index in the facts, may take the value as its subject.
  bool may_match(size_t dispatch, size_t clause, core::VarId subject, ObjectId object) const;
  // Whether a value of the dispatch's subject may come to the clauses after this one.
  bool passes_on(size_t dispatch, size_t clause, core::VarId root, ObjectId object) const;
  // What code outside of the analysis has come by; and the processes that it may send to.
  const ObjectSet& escaped() const;
  const ObjectSet& escaped_processes() const;
  // Whether the clause of a receive, counted from 0, may take such a message.
  bool may_take(const DispatchFacts& receive, size_t clause, ObjectId message) const;

 private:
  Code& code_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace fathom::flow
