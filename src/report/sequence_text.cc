// The chart as text: a grid of cells, one row of the chart on each line.
//
//           P                    P.1
//         1 ├─ spawn ───────────→○
//   race  2 │                    ├ register(server,P.1)
//   race  3 ├─ {inc,P} ─────────→│
//         4 │                    ● from 3: {inc,P}
//   fail  5 │                    ✗ exit(badarg)
//
// A column is as wide as what stands in it, as long as all fit the line; then what is too
// long is cut.
#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "report/check_steps.h"
#include "report/sequence_chart.h"
#include "report/text.h"

namespace fathom::report {

using explore::Finding;

namespace {

using Shape = ChartRow::Shape;

constexpr size_t kMinColumn = 10;
constexpr size_t kReadableColumn = 16;  // where some must share one anyway
constexpr size_t kMaxColumn = 60;
constexpr size_t kHeadEvery = 40;  // rows

// One line; a cell holds one character, with the marks that combine with it. The second
// half of a wide character is an empty cell.
class Line {
 public:
  explicit Line(size_t width) : cells_(width, " ") {}

  void put(size_t at, std::string_view character) {
    if (at < cells_.size()) cells_[at] = character;
  }
  void put_text(size_t at, std::string_view text) {
    const char* end = text.data() + text.size();
    for (const char* p = text.data(); p < end;) {
      const char* begin = p;
      const size_t width = character_width(next_code_point(&p));
      const std::string_view character(begin, static_cast<size_t>(p - begin));
      if (width == 0) {
        if (at > 0 && at <= cells_.size()) cells_[at - 1] += character;
        continue;
      }
      put(at, character);
      if (width == 2) put(at + 1, "");
      at += width;
    }
  }
  std::string text() const {
    std::string out;
    out.reserve(cells_.size());
    for (const std::string& cell : cells_) out += cell;
    out.resize(out.find_last_not_of(' ') + 1);
    return out;
  }

 private:
  std::vector<std::string> cells_;
};

class ChartText {
 public:
  ChartText(const Finding& finding, const ChartTextOptions& options)
      : finding_(finding),
        number_width_(fmt::format("{}", finding.trace.size()).size()),
        margin_(5 + number_width_ + 2),
        width_(std::max(options.width, margin_ + 2 * kMinColumn)),
        paint_(options.color),
        chart_(make_chart(finding, (width_ - margin_) / kMinColumn)) {
    if (!chart_.columns.empty() && chart_.columns.back().is_shared) {
      chart_ = make_chart(finding, std::max<size_t>(2, (width_ - margin_) / kReadableColumn));
    }
    place_columns();
  }

  std::string text() const {
    std::string out;
    for (size_t row = 0; row < chart_.rows.size(); ++row) {
      if (row % kHeadEvery == 0) out += paint_(Color::Bold, head()) + '\n';
      out += line(row) + '\n';
    }
    return out;
  }

 private:
  // How wide a column would have to be: what stands to the right of its line.
  std::vector<size_t> wishes() const {
    std::vector<size_t> wishes(chart_.columns.size(), kMinColumn);
    for (size_t i = 0; i < wishes.size(); ++i) {
      wishes[i] = std::max(wishes[i], display_width(printable(chart_.columns[i].name)) + 2);
    }
    for (size_t i = 0; i < chart_.rows.size(); ++i) {
      const ChartRow& row = chart_.rows[i];
      const size_t label = std::min(display_width(cut(row.label, kMaxColumn)), kMaxColumn);
      if (!row.to) {
        // What may stand on the next column too needs no room in its own.
        if (chart_.next_line(i, row.from) > row.from + 1) continue;
        wishes[row.from] = std::max(wishes[row.from], label + 4);
      } else if (std::max(row.from, *row.to) - std::min(row.from, *row.to) == 1) {
        size_t& wish = wishes[std::min(row.from, *row.to)];
        wish = std::max(wish, label + 7);
      }
    }
    return wishes;
  }

  void place_columns() {
    const std::vector<size_t> wanted = wishes();
    const size_t room = width_ - margin_;
    // The widest limit for a column with which all fit.
    size_t limit = kMaxColumn;
    const auto needed = [&] {
      size_t sum = 0;
      for (const size_t wish : wanted) sum += std::min(wish, limit);
      return sum;
    };
    while (limit > kMinColumn && needed() > room) --limit;
    positions_.reserve(wanted.size());
    size_t at = margin_;
    for (const size_t wish : wanted) {
      positions_.push_back(at);
      at += std::min(wish, limit);
    }
  }

  std::string head() const {
    Line line(width_);
    for (size_t i = 0; i < positions_.size(); ++i) {
      line.put_text(positions_[i], cut(chart_.columns[i].name, room_behind(i) - 1));
    }
    return line.text();
  }

  size_t room_behind(size_t column) const {
    const size_t end = column + 1 < positions_.size() ? positions_[column + 1] : width_;
    return end - positions_[column];
  }

  size_t room_for_label(size_t row, size_t column) const {
    const size_t next = chart_.next_line(row, column);
    if (next < positions_.size()) return positions_[next] - positions_[column] - 3;
    return width_ - positions_[column] - 2;
  }

  StepMark mark(const ChartRow& row) const {
    return row.is_step() ? step_mark(finding_, row.step) : StepMark::None;
  }

  std::string line(size_t index) const {
    const ChartRow& row = chart_.rows[index];
    Line line(width_);
    const std::string number = row.is_step() ? fmt::format("{}", row.step + 1) : "";
    line.put_text(0, fmt::format("{:<5}{:>{}}", mark_word(mark(row)), number, number_width_));
    for (size_t i = 0; i < positions_.size(); ++i) {
      if (chart_.columns[i].lives_at(index)) {
        line.put(positions_[i], row.shape == Shape::Gap ? "┊" : "│");
      }
    }
    if (row.to) {
      draw_arrow(line, index);
    } else {
      draw_local(line, index);
    }
    for (size_t i = 0; i < positions_.size(); ++i) {
      if (chart_.columns[i].end == index) line.put(positions_[i], row.is_step() ? "✗" : "┊");
    }
    return paint_(mark_color(mark(row)), line.text());
  }

  void draw_local(Line& line, size_t index) const {
    const ChartRow& row = chart_.rows[index];
    const size_t at = positions_[row.from];
    const std::string_view symbol = row.shape == Shape::Receive ? "●"
                                    : row.shape == Shape::Fire  ? "◇"
                                    : row.shape == Shape::Gap   ? "┊"
                                    : row.shape == Shape::Wait  ? "◌"
                                                                : "├";
    line.put(at, symbol);
    line.put_text(at + 2, cut(row.label, room_for_label(index, row.from)));
  }

  void draw_arrow(Line& line, size_t index) const {
    const ChartRow& row = chart_.rows[index];
    const bool is_rightward = *row.to > row.from;
    const size_t left = positions_[std::min(row.from, *row.to)];
    const size_t right = positions_[std::max(row.from, *row.to)];
    const bool is_dashed = row.shape == Shape::Fire || row.shape == Shape::Arrival;
    for (size_t x = left + 1; x < right; ++x) line.put(x, is_dashed ? "╌" : "─");
    line.put(is_rightward ? right - 1 : left + 1, is_rightward ? "→" : "←");
    line.put(positions_[row.from], row.shape == Shape::Fire ? "◇" : is_rightward ? "├" : "┤");
    if (row.shape == Shape::Spawn) {
      line.put(positions_[*row.to], "○");
    } else if (!chart_.columns[*row.to].lives_at(index)) {
      line.put(positions_[*row.to], "×");  // nobody is there any more
    }
    // "├─ label ──→│", "│←── label ─┤"
    const std::string label = cut(row.label, right - left - 6);
    const size_t begin = is_rightward ? left + 2 : right - 3 - display_width(label);
    line.put_text(begin, fmt::format(" {} ", label));
  }

  const Finding& finding_;
  size_t number_width_;
  size_t margin_;
  size_t width_;
  Painter paint_;
  Chart chart_;
  std::vector<size_t> positions_;  // of the columns' lines
};

}  // namespace

std::string sequence_text(const Finding& finding, const ChartTextOptions& options) {
  return ChartText(finding, options).text();
}

}  // namespace fathom::report
