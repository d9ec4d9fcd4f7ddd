// The message sequence chart of an interleaving: a column for each process, a row for each
// step, an arrow from the sender to the receiver.
//
// As text for a terminal, and as an SVG that needs nothing beside itself. Both draw the same
// Chart. Steps of OTP's own code are in it only if they are messages, or the beginning or
// the end of a process; what check_steps.h leaves out of a long interleaving is left out here.
// Where there are more processes than columns, those that have to do with the error keep
// theirs, then those that come first; the others share the last one. Linear in the steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "explore/findings.h"

namespace fathom::report {

struct ChartTextOptions {
  size_t width = 100;
  bool color = false;
};
std::string sequence_text(const explore::Finding& finding, const ChartTextOptions& options);

// The places and lines of the source stand beside the steps. The title is a line above.
std::string sequence_svg(const explore::Finding& finding, const SourceMap& sources,
                         std::string_view title);

// What is drawn.

struct ChartColumn {
  std::string name;
  std::optional<size_t> begin;  // the row that starts the process; none: it was there
  std::optional<size_t> end;    // the row that ends it; none: it is still there
  bool is_shared = false;       // by the processes that have no column of their own

  // Between its beginning and its end; in these two rows themselves it is not.
  bool lives_at(size_t row) const { return (!begin || *begin < row) && (!end || row < *end); }
};

struct ChartRow {
  enum class Shape : uint8_t {
    Message,  // an arrow: a message or another signal
    Spawn,    // an arrow to the beginning of a process
    Fire,     // a timer, to the receiver of its message, or by itself
    Arrival,  // what was on its way
    Receive,
    Local,  // something that concerns nobody else
    Gap,    // steps that are left out
    Wait,   // no step: what a process waits for in the end
  };
  Shape shape = Shape::Local;
  size_t step = 0;           // the first one of a gap; of Wait: after the last
  size_t from = 0;           // the column
  std::optional<size_t> to;  // of an arrow; never `from`
  std::string label;

  bool is_step() const { return shape != Shape::Gap && shape != Shape::Wait; }
};

struct Chart {
  std::vector<ChartColumn> columns;
  std::vector<ChartRow> rows;  // their steps ascend

  // The first column after that one whose line is drawn in the row; what stands beside a
  // line may cover those of processes that do not live.
  size_t next_line(size_t row, size_t column) const;
};

Chart make_chart(const explore::Finding& finding, size_t max_columns);

}  // namespace fathom::report
