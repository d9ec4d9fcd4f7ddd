// A test that did not pass, for people to read.
#pragma once

#include <string>

#include "base/source.h"
#include "testing/results.h"

namespace fathom::report {

struct FailureTextOptions {
  bool color = false;
  bool whole_output = false;  // else the first lines of it
};

// The place with its line and a caret, what was expected and what came, where processes
// wait, the stack, the output. Ends with a newline.
std::string failure_text(const testing::TestResult& test, const SourceMap& sources,
                         const FailureTextOptions& options);

// Two terms side by side: as much of them as fits the width, around the first character in
// which they differ, and the column of that (from 0; in characters).
struct Difference {
  std::string expected;
  std::string got;
  size_t column = 0;
};
Difference difference(std::string_view expected, std::string_view got, size_t width);

}  // namespace fathom::report
