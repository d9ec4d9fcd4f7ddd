// A slice of a program, from criteria to text.
#pragma once

#include <memory>
#include <vector>

#include "slice/alike_clauses.h"
#include "slice/criterion.h"
#include "slice/writer.h"

namespace fathom::slice {

struct Slice {
  std::vector<Located> criteria;
  std::vector<SlicedModule> modules;  // those of which something is left
  size_t nodes_total = 0;             // in the functions of all modules
  size_t nodes_kept = 0;
  double seconds = 0;              // without its text
  std::unique_ptr<Slicer> slicer;  // what it was made from
  std::vector<Alike> alike;        // clauses whose work a later one does
};

// What influences the values of the criteria. Modules that are not read from source are not
// written. `notes_dependences`: all of them, for a picture.
Slice slice_of(const Model& model, const std::vector<Located>& criteria, Precision precision,
               bool notes_dependences = false);

// What influences that the nodes raise, or wait, as they did; `model` is that of an execution.
struct Site {
  ProcedureId procedure{};
  core::NodeId node{};
  bool raises = true;
};
Slice slice_of_failure(const Model& model, const std::vector<Site>& sites, Precision precision,
                       Untaken untaken, bool notes_dependences = false);

}  // namespace fathom::slice
