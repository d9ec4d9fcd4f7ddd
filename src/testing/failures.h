// From the terms by which EUnit tells why a test failed to a Failure.
//
// The macros of assert.hrl and eunit.hrl raise {MACRO, INFO}, INFO being a list of pairs;
// which pairs there are depends on the macro and on the release. Whatever has that shape
// and names a module and a line is an assertion; anything else is an exception.
#pragma once

#include <vector>

#include "machine/value.h"
#include "testing/places.h"
#include "testing/results.h"

namespace fathom::testing {

// {Class, Reason, Trace}.
Failure exception_failure(machine::Value exception, const Places& places);
// What made EUnit give up a group: the Cause of {abort, Cause}, and of {skipped, Cause}.
Failure abort_failure(machine::Value cause, const Places& places);

// Without EUnit's own frames.
std::vector<Frame> stack_frames(machine::Value trace);
// The innermost frame whose text is at hand.
Place place_of_trace(machine::Value trace, const Places& places);

// The text of a list of characters or of a binary; of anything else as ~p prints it.
std::string text_of(machine::Value chars);
// The tokens that ?? makes of an expression, closer to how one would write it.
std::string tidy_tokens(std::string_view tokens);

}  // namespace fathom::testing
