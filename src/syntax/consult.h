// Erlang terms in a text, each ended by a full stop, as file:consult/1 reads
// them: rebar.config, .app files, sys.config.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/term.h"

namespace fathom {

// `name` stands in error messages: "rebar.config:3:7: …".
Result<std::vector<Term>> consult(const std::string& name, std::string text, TermArena& arena);
Result<std::vector<Term>> consult_file(const std::string& path, TermArena& arena);

}  // namespace fathom
