// Clauses that do the same, as far as a criterion can see.
//
// `run([push | Cs], {S, N}) -> run(Cs, {[N | S], N + 1})` and the clause for pop with `{S, N + 1}`
// are the same if nobody needs the stack. Then nobody needs to tell push from pop either: the
// later clause can do the work of both, and what only served to tell them apart is not needed.
//
// That may go round in a circle: the stack is needed because a clause asks about it, and the clause
// is told from another because of what it does with the stack. So it is assumed first, and then
// looked at: the slicer runs with the tests of the earlier clause deciding nothing (`assume`), and
// in what it keeps, both bodies must be the same, node by node, of the same parts of the subjects
// (`holds`). An assumption that does not hold is given up, and the slicer runs again. If all hold,
// a run of the slice and one of the original agree step by step in what is needed, whichever of the
// clauses the original takes.
//
// Only clauses of a Case whose bodies have no branches are compared.
#pragma once

#include <vector>

#include "slice/slicer.h"

namespace fathom::slice {

// Whether it is worth a run: in the slice without assumptions a test of the clause decides
// something, and the later clause takes nothing apart that the earlier one does not.
bool is_worth_trying(const Slicer& slicer, const Alike& alike);

void assume(Slicer& slicer, const Alike& alike);
// `all`: what else was assumed.
bool holds(Slicer& slicer, const Alike& alike, const std::vector<Alike>& all);

}  // namespace fathom::slice
