#include "slice/slice.h"

#include <algorithm>
#include <chrono>

#include "core/walk.h"

namespace fathom::slice {
namespace {

struct Reference {
  const core::Module* module;
  core::FunctionId function;
};

// Functions that kept nodes refer to: they must be there, if only by name.
std::vector<Reference> references(const Model& model, const Slicer& slicer) {
  std::vector<Reference> result;
  for (uint32_t i = 0; i < model.size(); ++i) {
    const Procedure& p = model[ProcedureId{i}];
    const core::Module& m = *p.module;
    core::for_each_node(m, p.code().body, [&](core::NodeId n) {
      if (!slicer.is_kept(ProcedureId{i}, n)) return;
      if (m[n].kind == core::Kind::Call) {
        result.push_back({&m, m.get<core::node::Call>(n).function});
      } else if (m[n].kind == core::Kind::Fun) {
        result.push_back({&m, m.get<core::node::Fun>(n).code});
      }
      const auto call = p.call_at.find(n);
      if (call == p.call_at.end()) return;
      for (const Target& t : model[call->second].targets) {
        result.push_back({model[t.callee].module, model[t.callee].function});
      }
    });
  }
  return result;
}

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The texts, for a slicer that has run.
void write(const Model& model, Slice& result, Untaken untaken) {
  const std::vector<Reference> referred = references(model, *result.slicer);
  for (const core::Module* module : model.modules()) {
    if (!module->unit().file) continue;
    std::vector<core::AstId> pinned;
    for (const Located& where : result.criteria) {
      if (where.module == module) pinned.push_back(where.node);
    }
    std::vector<core::AstId> functions;
    for (const Reference& r : referred) {
      if (r.module == module) functions.push_back((*module)[r.function].origin);
    }
    Writer writer(*result.slicer, *module, pinned, functions, untaken);
    for (const Alike& alike : result.alike) {
      if (model[alike.procedure].module != module) continue;
      const auto clauses = module->nodes(module->get<core::node::Case>(alike.node).clauses);
      writer.leave_out((*module)[clauses[alike.clause]].origin);
    }
    SlicedModule sliced = writer.write();
    result.nodes_total += sliced.nodes_total;
    result.nodes_kept += sliced.nodes_kept;
    if (!writer.is_empty()) result.modules.push_back(std::move(sliced));
  }
}

// Assumes that clauses are alike until all assumptions hold, or there are none.
template <class Run>
void join_alike(const Model& model, Slice& result, Run run) {
  // The slicer runs a few times: not where one run is long.
  constexpr size_t kMostSteps = 50'000;
  if (result.slicer->steps() > kMostSteps) return;
  std::vector<Alike> assumed;
  for (const Alike& alike : model.possibly_alike()) {
    const bool has_criterion =
        std::any_of(result.criteria.begin(), result.criteria.end(),
                    [&](const Located& where) { return where.procedure == alike.procedure; });
    if (!has_criterion && is_worth_trying(*result.slicer, alike)) assumed.push_back(alike);
  }
  while (!assumed.empty()) {
    std::unique_ptr<Slicer> slicer = run(assumed);
    std::vector<Alike> left;
    for (const Alike& a : assumed) {
      if (holds(*slicer, a, assumed)) left.push_back(a);
    }
    if (left.size() == assumed.size()) {
      result.slicer = std::move(slicer);
      result.alike = std::move(assumed);
      return;
    }
    assumed = std::move(left);
  }
}

}  // namespace

Slice slice_of(const Model& model, const std::vector<Located>& criteria, Precision precision,
               bool notes_dependences) {
  Slice result;
  result.criteria = criteria;
  const auto start = Clock::now();
  const auto run = [&](const std::vector<Alike>& assumed) {
    auto slicer = std::make_unique<Slicer>(model, precision);
    if (notes_dependences) slicer->note_dependences();
    for (const Alike& alike : assumed) assume(*slicer, alike);
    for (const Located& where : criteria) start_from(*slicer, where);
    slicer->run();
    return slicer;
  };
  result.slicer = run({});
  if (precision == Precision::Fields) join_alike(model, result, run);
  result.seconds = seconds_since(start);
  write(model, result, Untaken::Heads);
  return result;
}

Slice slice_of_failure(const Model& model, const std::vector<Site>& sites, Precision precision,
                       Untaken untaken, bool notes_dependences) {
  Slice result;
  const auto start = Clock::now();
  result.slicer = std::make_unique<Slicer>(model, precision);
  if (notes_dependences) result.slicer->note_dependences();
  for (const Site& site : sites) {
    if (site.raises) {
      result.slicer->fail(site.procedure, site.node);
    } else {
      result.slicer->execute(site.procedure, site.node);
    }
    result.slicer->call(site.procedure);
  }
  result.slicer->run();
  result.seconds = seconds_since(start);
  write(model, result, untaken);
  return result;
}

}  // namespace fathom::slice
