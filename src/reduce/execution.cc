#include "reduce/execution.h"

#include <fmt/format.h>

#include "flow/entries.h"
#include "session/program_code.h"

namespace fathom::reduce {
namespace {

constexpr uint64_t kMostExecutedReductions = 5'000'000;

class ExecutionSlicer {
 public:
  ExecutionSlicer(session::Session& session, const std::vector<Atom>& own,
                  ExecutionQuestion question)
      : session_(session), own_(own), question_(std::move(question)) {}

  Result<ExecutionSlice> sliced();

 private:
  void execute();
  Result<ExecutionSlice> sliced_with(slice::Model& model, bool is_of_execution);
  Result<Modules> showing_modules(const TextSlice& texts);

  session::Session& session_;
  const std::vector<Atom>& own_;
  ExecutionQuestion question_;
  Executed executed_;
  Modules modules_;  // the author's
};

void ExecutionSlicer::execute() {
  for (const Atom name : own_) {
    auto found = session_.library().find(name);
    if (found && *found) modules_.push_back(**found);
  }
  for (const auto& module : modules_) executed_.add(*module.core);
  for (const session::Expression& call : question_.calls) {
    machine::Mode mode{.is_silent = true};
    mode.code.probes = &executed_;
    const auto m =
        session_.make_machine({.reductions = kMostExecutedReductions, .files = false}, mode);
    for (const auto& module : modules_) m->code().load(module.unit, module.core);
    call.load_into(*m);
    (void)m->run(call.module, call.function, {});
  }
}

Result<Modules> ExecutionSlicer::showing_modules(const TextSlice& texts) {
  auto shown = showing(session_, texts);
  if (!shown) return shown.error();
  auto modules = read_modules(session_, *shown);
  if (!modules) return Error{"the slice does not compile; this is an error of fathom's"};
  return std::move(*modules);
}

Result<ExecutionSlice> ExecutionSlicer::sliced_with(slice::Model& model, bool is_of_execution) {
  const auto criteria = question_.locate(model);
  if (!criteria) return criteria.error();
  if (is_of_execution) {
    model.restrict_to({.is_executed = [&](const core::Module& m,
                                          core::NodeId n) { return executed_.is_executed(m, n); },
                       .is_entered = [&](const core::Module& m,
                                         core::RegionId r) { return executed_.is_entered(m, r); }});
  }
  ExecutionSlice result;
  result.is_of_execution = is_of_execution;
  result.slice = slice_of(model, *criteria, question_.precision, question_.notes_dependences);
  result.reasons = slice::reasons_of(*result.slice.slicer);
  result.slice.slicer.reset();  // of this model
  const auto original = showing_modules(originals(result.slice));
  if (!original) return original.error();
  ValueOracle oracle({session_, question_.calls, criteria->size()}, *original);
  result.values = oracle.value_count();
  if (result.values == 0) return Error{not_reached(oracle)};
  const auto slice = showing_modules(text_of(result.slice));
  if (!slice) return slice.error();
  if (!oracle.accepts(*slice)) {
    const auto& d = oracle.difference();
    return Error{fmt::format("value {} of the criterion is {} in the original, and {} in the slice",
                             d.index + 1, d.expected.empty() ? "not there" : d.expected,
                             d.seen.empty() ? "not there" : d.seen)};
  }
  return result;
}

Result<ExecutionSlice> ExecutionSlicer::sliced() {
  execute();
  session::ProgramCode code(session_.library(), own_);
  flow::Analysis analysis(code);
  for (const session::Expression& call : question_.calls) {
    code.add(call.module, call.code);
    analysis.add_entry({call.module, call.function, 0}, false);
  }
  // What is decided by the arguments of these calls is decided: others might be given.
  for (const flow::FunctionName& name : exported_entries(code)) analysis.add_entry(name, true);
  analysis.run();
  {
    slice::Model model(analysis, code);
    auto made = sliced_with(model, true);
    if (made) return made;
  }
  slice::Model model(analysis, code);
  return sliced_with(model, false);
}

}  // namespace

Result<ExecutionSlice> slice_of_execution(session::Session& session, const std::vector<Atom>& own,
                                          ExecutionQuestion question) {
  return ExecutionSlicer(session, own, std::move(question)).sliced();
}

}  // namespace fathom::reduce
