// The trace of a finding, as a search tells it and as a replay does: a replay has a step for the
// end of every process, a search only where others may see it.
#pragma once

#include "explore/findings.h"

namespace fathom::reduce {

// The race of one trace in another of the same interleaving; none: a step of it is not there.
std::optional<explore::Race> moved_race(const explore::Race& race,
                                        const std::vector<explore::TraceStep>& from,
                                        const std::vector<explore::TraceStep>& to);

// Without the steps in which processes just end: their last steps before say so.
void drop_plain_ends(explore::Finding& finding);

}  // namespace fathom::reduce
