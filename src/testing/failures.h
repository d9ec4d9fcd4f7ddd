// From the terms by which EUnit tells why a test failed to a Failure.
// Those of failed assertions (machine/assertion.h) are told apart from other exceptions.
#pragma once

#include <vector>

#include "testing/places.h"
#include "testing/results.h"
#include "values/value.h"

namespace fathom::testing {

// {Class, Reason, Trace}.
Failure exception_failure(machine::Value exception, const Places& places);
// What made EUnit give up a group: the Cause of {abort, Cause}, and of {skipped, Cause}.
Failure abort_failure(machine::Value cause, const Places& places);

// Without EUnit's own frames.
std::vector<Frame> stack_frames(machine::Value trace);
// The innermost frame whose text is at hand.
Place place_of_trace(machine::Value trace, const Places& places);

}  // namespace fathom::testing
