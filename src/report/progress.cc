#include "report/progress.h"

#include <fmt/format.h>

#include <cmath>

#include "report/text.h"

namespace fathom::report {
namespace {

// Two digits of it: nobody can know more.
std::string about(double number) {
  constexpr double kMost = 1e15;
  const double exponent = std::floor(std::log10(number));
  if (number >= kMost) return fmt::format("10^{:.0f}", exponent);
  const double unit = std::pow(10.0, std::max(0.0, exponent - 1));
  return with_commas(static_cast<uint64_t>(std::round(number / unit) * unit));
}

}  // namespace

std::string progress_text(const explore::Progress& progress, size_t width) {
  std::string text = "  " + counted(progress.interleavings, "interleaving");
  if (progress.findings > 0) text += ", " + counted(progress.findings, "error");
  text += fmt::format(", {} pending", with_commas(progress.pending));
  const auto done = static_cast<double>(progress.interleavings);
  if (progress.seconds > 0 && progress.interleavings > 0) {
    const double rate = done / progress.seconds;
    text += rate >= 1 ? fmt::format(", {}/s", about(rate)) : fmt::format(", {:.2f}/s", rate);
  }
  // An estimate below what is done already says nothing; infinite, no more than that.
  if (std::isfinite(progress.estimate) && progress.estimate > done && progress.estimate >= 1) {
    text += fmt::format(", about {} in all", about(progress.estimate));
  }
  return cut(text, width);
}

void ProgressLine::show(const explore::Progress& progress) {
  if (is_shown_ && progress.seconds < next_) return;
  next_ = progress.seconds + kInterval;
  is_shown_ = true;
  sink_(fmt::format("\r{}\033[K", progress_text(progress, width_)));
}

void ProgressLine::clear() {
  if (!is_shown_) return;
  is_shown_ = false;
  sink_("\r\033[K");
}

}  // namespace fathom::report
