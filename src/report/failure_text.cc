#include "report/failure_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "report/places.h"
#include "report/text.h"

namespace fathom::report {

using testing::Failure;
using testing::Frame;
using testing::Status;
using testing::TestResult;

namespace {

constexpr size_t kWidth = 100;     // of a term on its line
constexpr size_t kLongTerm = 24;   // from here on it is worth pointing at a difference
constexpr size_t kMaxText = 2000;  // bytes of a text that stands alone
constexpr size_t kMaxFrames = 20;
constexpr size_t kMaxOutputLines = 30;

// Where each character begins, and the end.
std::vector<size_t> characters(std::string_view text) {
  std::vector<size_t> starts;
  starts.reserve(text.size() + 1);
  for (size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) starts.push_back(i);
  }
  starts.push_back(text.size());
  return starts;
}

// The characters from `first` on, as many as fit the width with the dots that say what is
// left out.
std::string window(std::string_view text, const std::vector<size_t>& starts, size_t first,
                   size_t width) {
  const size_t count = starts.size() - 1;
  first = std::min(first, count);
  const size_t last = std::min(count, first + width);
  const std::string_view shown = text.substr(starts[first], starts[last] - starts[first]);
  return fmt::format("{}{}{}", first > 0 ? "…" : "", shown, last < count ? "…" : "");
}

std::string shortened(std::string_view text) {
  if (text.size() <= kMaxText) return std::string(text);
  size_t end = kMaxText;
  while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

void append_comparison(std::string& out, const Failure& failure) {
  if (failure.expected.empty() && failure.got.empty()) return;
  const bool is_long = std::max(failure.expected.size(), failure.got.size()) > kLongTerm;
  if (!failure.is_equality || !is_long) {
    out += fmt::format("  expected  {}\n  got       {}\n", shortened(failure.expected),
                       shortened(failure.got));
    return;
  }
  const Difference terms = difference(failure.expected, failure.got, kWidth);
  out += fmt::format("  expected  {}\n  got       {}\n            {}^ first difference\n",
                     terms.expected, terms.got, std::string(terms.column, ' '));
}

// The headline and the snippet, as diagnostics have them. What stands below it need not
// stand in it.
std::string headline(const Failure& failure) {
  if (failure.expected.empty() && failure.got.empty()) return failure.message;
  return failure.kind + " failed";
}

std::string status_word(Status status, const Painter& paint) {
  switch (status) {
    case Status::Passed:
      return "passed";
    case Status::Failed:
      return paint(Color::Bad, "FAILED");
    case Status::Skipped:
      return paint(Color::Warning, "SKIPPED");
    case Status::Unknown:
      return paint(Color::Doubtful, "UNKNOWN");
    case Status::Warning:
      return paint(Color::Warning, "WARNING");
  }
  return "";
}

}  // namespace

Difference difference(std::string_view expected, std::string_view got, size_t width) {
  constexpr size_t kBefore = 40;  // characters shown before the difference
  const std::vector<size_t> left = characters(expected);
  const std::vector<size_t> right = characters(got);
  const auto mismatch =
      std::mismatch(expected.begin(), expected.end(), got.begin(), got.end()).first;
  const auto byte = static_cast<size_t>(mismatch - expected.begin());
  // The character that holds the byte: its beginning is the last one at or before it.
  const auto above = std::upper_bound(left.begin(), left.end(), byte);
  const auto at = static_cast<size_t>(above - left.begin()) - 1;
  const bool fits = std::max(left.size(), right.size()) <= width + 1;
  const size_t first = fits || at <= kBefore ? 0 : at - kBefore;
  return {window(expected, left, first, width), window(got, right, first, width),
          at - first + (first > 0 ? 1 : 0)};
}

std::string failure_text(const TestResult& test, const SourceMap& sources,
                         const FailureTextOptions& options) {
  std::string out =
      fmt::format("{} {}\n", status_word(test.status, Painter(options.color)), test.name());
  if (test.failure) {
    const Failure& failure = *test.failure;
    const Severity severity = test.status == Status::Failed ? Severity::Error : Severity::Warning;
    const Diagnostic d = diagnostic_at(failure.place, severity, headline(failure));
    out += render(d, sources, {options.color});
    append_comparison(out, failure);
    if (!failure.comment.empty()) out += fmt::format("  comment   {}\n", failure.comment);
    append_lines(out, "  ", failure.details, SIZE_MAX);
    const size_t frames = std::min(failure.stack.size(), kMaxFrames);
    for (size_t i = 0; i < frames; ++i) {
      const Frame& frame = failure.stack[i];
      out += fmt::format("  in {}", shortened(frame.function));
      if (!frame.file.empty()) out += fmt::format("  ({}:{})", frame.file, frame.line);
      out += '\n';
    }
    if (frames < failure.stack.size()) {
      out += fmt::format("  … and {} more\n", failure.stack.size() - frames);
    }
  }
  if (!test.output.empty()) {
    out += "  output\n";
    append_lines(out, "    ", test.output, options.whole_output ? SIZE_MAX : kMaxOutputLines);
  }
  return out;
}

}  // namespace fathom::report
