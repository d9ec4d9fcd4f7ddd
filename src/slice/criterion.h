// Where a slice starts from: FILE:LINE:NAME[:OCCURRENCE], or FILE:LINE:COLUMN.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "slice/model.h"
#include "slice/slicer.h"

namespace fathom::slice {

struct Criterion {
  std::string file;
  uint32_t line = 0;
  std::string name;         // of a variable; empty: by column
  uint32_t occurrence = 1;  // on the line
  uint32_t column = 0;
};
Result<Criterion> parse_criterion(std::string_view text);

// The expression or pattern of a module that it names.
struct Located {
  const core::Module* module = nullptr;
  core::AstId node = kNoNode;
  ProcedureId procedure = kNoProcedure;
};
Result<Located> locate(const Model& model, const core::Module& module, const Criterion& criterion);

// The smallest node of this kind that begins there; none: there is none.
core::AstId node_at(const Unit& unit, uint32_t offset, NodeKind kind);
// The same, as a criterion; none: no execution comes there.
std::optional<Located> locate(const Model& model, const core::Module& module, uint32_t offset,
                              NodeKind kind);

// Makes the slicer start there.
void start_from(Slicer& slicer, const Located& where);

}  // namespace fathom::slice
