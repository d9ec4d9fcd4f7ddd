// How far a search is, on one line of a terminal.
#pragma once

#include <string>

#include "explore/findings.h"
#include "report/report.h"

namespace fathom::report {

// "  12,345 interleavings, 2 errors, 37 pending, 104,000/s, about 50,000 in all"; as much of
// it as the width holds.
std::string progress_text(const explore::Progress& progress, size_t width = 79);

// The line, rewritten in place. The sink is a terminal.
class ProgressLine {
 public:
  ProgressLine(Sink sink, size_t width) : sink_(std::move(sink)), width_(width) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // May be called as often as one likes: it writes ten times a second, as the progress
  // counts them.
  void show(const explore::Progress& progress);
  // Before anything else is written.
  void clear();

 private:
  static constexpr double kInterval = 0.1;

  Sink sink_;
  size_t width_;
  double next_ = 0;  // when to write again
  bool is_shown_ = false;
};

}  // namespace fathom::report
