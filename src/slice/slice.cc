#include "slice/slice.h"

namespace fathom::slice {

Slice slice_of(const Model& model, const std::vector<Located>& criteria, Precision precision) {
  Slice result;
  result.criteria = criteria;
  result.slicer = std::make_unique<Slicer>(model, precision);
  for (const Located& where : criteria) start_from(*result.slicer, where);
  result.slicer->run();
  for (const core::Module* module : model.modules()) {
    if (!module->unit().file) continue;
    std::vector<core::AstId> pinned;
    for (const Located& where : criteria) {
      if (where.module == module) pinned.push_back(where.node);
    }
    Writer writer(*result.slicer, *module, pinned);
    SlicedModule sliced = writer.write();
    result.nodes_total += sliced.nodes_total;
    result.nodes_kept += sliced.nodes_kept;
    if (!writer.is_empty()) result.modules.push_back(std::move(sliced));
  }
  return result;
}

}  // namespace fathom::slice
