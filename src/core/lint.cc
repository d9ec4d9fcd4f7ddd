#include "core/lint.h"

namespace fathom::core {

bool lint(const Unit& unit, Diagnostics&) { return !unit.has_errors; }

}  // namespace fathom::core
