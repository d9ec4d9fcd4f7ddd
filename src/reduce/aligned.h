// What of a text is still there in another one that was made of it by taking things away.
#pragma once

#include <string_view>
#include <vector>

#include "slice/edits.h"

namespace fathom::reduce {

// Ranges of `original`, in order: its tokens in a longest common subsequence with those of
// `reduced`. Comments and blanks do not count. Cost: the product of the numbers of tokens, in bits
// of memory and steps, after what both begin and end with.
std::vector<slice::TextRange> kept_in(std::string_view original, std::string_view reduced);

}  // namespace fathom::reduce
