// A rebar.config.script, run on the machine as rebar3 runs it: CONFIG is bound to the terms of the
// rebar.config beside it (none: an empty list) and SCRIPT to its own path. It can read files and
// the environment; one that starts commands of the system is refused.
#pragma once

#include <string>

#include "base/result.h"
#include "syntax/project.h"

namespace fathom::session {

// The terms that it evaluates to, as text. The error says why there are none.
Result<std::string> run_config_script(const std::string& script, const ProjectOptions& options);

}  // namespace fathom::session
