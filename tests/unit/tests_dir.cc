#include "tests_dir.h"

namespace fathom {

std::filesystem::path tests_dir() { return FATHOM_TESTS_DIR; }

}  // namespace fathom
