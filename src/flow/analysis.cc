#include "flow/analysis.h"

#include "flow/engine.h"

namespace fathom::flow {

Analysis::Analysis(Code& code, const AnalysisOptions& options)
    : code_(code), engine_(std::make_unique<Engine>(code, options)) {}
Analysis::~Analysis() = default;

bool Analysis::add_entry(const FunctionName& name, bool is_open) {
  const auto code = code_.find(name);
  if (!code) return false;
  engine_->calls.enter(*code, is_open);
  return true;
}

void Analysis::run() { engine_->run(); }

const Facts& Analysis::facts() const { return engine_->facts; }
const Objects& Analysis::objects() const { return engine_->objects; }
const Contexts& Analysis::contexts() const { return engine_->contexts; }
const Solver& Analysis::solver() const { return engine_->solver; }
const ObjectSet& Analysis::values(Slot slot) const { return engine_->solver.values(slot); }
const ObjectSet& Analysis::escaped() const { return values(engine_->escaped); }
const ObjectSet& Analysis::escaped_processes() const { return values(engine_->escaped_processes); }
bool Analysis::may_take(const DispatchFacts& receive, size_t clause, ObjectId message) const {
  return engine_->matching.may_take(static_cast<size_t>(&receive - facts().dispatches.data()),
                                    clause, message);
}
bool Analysis::may_match(size_t dispatch, size_t clause, core::VarId subject,
                         ObjectId object) const {
  return engine_->matching.may_match(dispatch, clause, subject, object);
}
bool Analysis::passes_on(size_t dispatch, size_t clause, core::VarId root, ObjectId object) const {
  return engine_->matching.passes_on(dispatch, clause, root, object);
}
const ObjectSet& Analysis::values(InstanceId instance, core::VarId variable) const {
  return values(facts()[instance].variables + static_cast<size_t>(variable));
}

}  // namespace fathom::flow
