// What all reports have in common.
#pragma once

#include <functional>
#include <string_view>

namespace fathom::report {

// Where the text goes, piece by piece.
using Sink = std::function<void(std::string_view)>;

}  // namespace fathom::report
