// A search for a regular expression, in PCRE2's dialect. What Erlang programs do with `re` is in
// natives/re.h, which keeps compiled expressions; this is for the few in files of settings.
#pragma once

#include <string_view>

#include "base/result.h"

namespace fathom {

// Whether the expression matches somewhere in the text. An error says what is wrong with the
// expression, or that matching it takes too many steps.
Result<bool> regex_search(std::string_view expression, std::string_view text);

}  // namespace fathom
