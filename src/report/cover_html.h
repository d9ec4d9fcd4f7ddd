// Coverage as a folder of HTML: an index, and a page for each module with its source, colored.
// Pages hold all that they need; nothing is loaded from elsewhere.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cover/coverage.h"

namespace fathom::report {

// The text of a module's source as it was measured; none: it is not there, or has changed.
using SourceText = std::function<std::optional<std::string>(const cover::ModuleCoverage&)>;
using WriteFile = std::function<void(const std::string& name, std::string_view text)>;

void cover_html(const cover::Coverage& coverage, const SourceText& source, const WriteFile& write);

}  // namespace fathom::report
