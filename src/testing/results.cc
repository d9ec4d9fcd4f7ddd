#include "testing/results.h"

#include <fmt/format.h>

namespace fathom::testing {

std::string TestResult::title() const {
  std::string text;
  for (const std::string& title : titles) {
    if (!text.empty()) text += " / ";
    text += title;
  }
  return text;
}

std::string TestResult::name() const {
  std::string text = fmt::format("{}:{}", module, function);
  if (line > 0) text += fmt::format(":{}", line);
  if (!titles.empty()) text += fmt::format(" \"{}\"", title());
  return text;
}

void Counts::add(const TestResult& test) {
  switch (test.status) {
    case Status::Passed:
      ++passed;
      return;
    case Status::Failed:
      ++failed;
      return;
    case Status::Skipped:
      ++skipped;
      left_out += test.is_left_out ? 1 : 0;
      return;
    case Status::Unknown:
      ++unknown;
      return;
    case Status::Warning:
      return;
  }
}

}  // namespace fathom::testing
