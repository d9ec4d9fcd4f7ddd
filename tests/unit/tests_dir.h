// The folder tests/ of the sources. Not by __FILE__, which compiler caches may shorten.
#pragma once

#include <filesystem>

namespace fathom {

std::filesystem::path tests_dir();

}  // namespace fathom
