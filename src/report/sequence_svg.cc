// The chart as SVG.
//
// From left to right: the numbers of the steps with the marks of the racing ones and of the
// last; the columns; where each step stands in the source. A bar beside a line is the time
// that a message lies in the mailbox, from its arrival to its receive; an open dot at the end
// of an arrow is a message that nobody takes. All texts have their full length as a tooltip.
//
// The file needs nothing else: fonts are those of the reader, of which only the width of a
// character is assumed (kCharacter); there are no scripts. Rows are of equal height, columns
// as wide as what stands between them, within limits. Linear in the rows.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "report/check_steps.h"
#include "report/places.h"
#include "report/sequence_chart.h"
#include "report/text.h"
#include "report/xml.h"

namespace fathom::report {

using explore::Finding;
using explore::TraceStep;

namespace {

using Shape = ChartRow::Shape;

// Pixels.
constexpr double kCharacter = 7.3;  // of the font for code, at 12 px
constexpr double kRow = 28;
constexpr double kMargin = 88;   // for the marks and numbers
constexpr double kHead = 30;     // the boxes with the names
constexpr double kMinGap = 100;  // between the lines of two columns
constexpr double kMaxGap = 400;
constexpr double kColumns = 1400;  // all of them, if they can be so narrow
constexpr double kLane = 5;  // between bars of messages that lie in a mailbox at the same time
constexpr size_t kMaxLanes = 4;

constexpr size_t kMaxColumns = 40;
constexpr size_t kMaxSource = 70;  // characters
constexpr size_t kMaxLabel = 60;
constexpr size_t kMaxTitle = 150;

struct Paint {
  std::string_view line;
  std::string_view fill;
};
// For the processes, in turn: distinct for most eyes, dark enough on white.
constexpr std::array<Paint, 8> kPaints = {{{"#1f5fa8", "#e3eefb"},
                                           {"#9a4a00", "#fdeede"},
                                           {"#00704a", "#e0f5ec"},
                                           {"#8a2a83", "#f8e6f6"},
                                           {"#5b5f00", "#f4f5da"},
                                           {"#007a87", "#dff4f6"},
                                           {"#a3283b", "#fce6e9"},
                                           {"#4a4fb5", "#e9eafb"}}};
constexpr std::string_view kRaceLine = "#c98a00";
constexpr std::string_view kRaceText = "#8a5d00";
constexpr std::string_view kRaceFill = "#fff3d1";
constexpr std::string_view kBadLine = "#c62828";
constexpr std::string_view kBadFill = "#fde7e7";
constexpr std::string_view kQuiet = "#6b7280";
constexpr std::string_view kInk = "#1f2430";
constexpr std::string_view kCodeFont = "ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace";
constexpr std::string_view kTextFont = "system-ui,'DejaVu Sans',Helvetica,Arial,sans-serif";

size_t fitting(double pixels) {
  return pixels <= kCharacter ? 1 : static_cast<size_t>(pixels / kCharacter);
}

double width_of(std::string_view text) {
  return static_cast<double>(display_width(text)) * kCharacter;
}

class ChartSvg {
 public:
  ChartSvg(const Finding& finding, const SourceMap& sources, std::string_view title)
      : finding_(finding),
        sources_(sources),
        chart_(make_chart(finding, kMaxColumns)),
        title_(title) {
    place_columns();
    for (size_t i = 0; i < chart_.rows.size(); ++i) row_of_step_.emplace(chart_.rows[i].step, i);
  }

  std::string text() {
    draw_title();
    for (size_t i = 0; i < chart_.rows.size(); ++i) draw_band(i);
    draw_race_bracket();
    for (size_t i = 0; i < chart_.columns.size(); ++i) draw_column(i);
    draw_mailboxes();
    for (size_t i = 0; i < chart_.rows.size(); ++i) draw_row(i);
    draw_legend(bottom() + 24);
    const double height = bottom() + 40;
    return fmt::format(
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
               "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"{2}\" font-size=\"12\" "
               "fill=\"{3}\">\n"
               "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
               width_, height, kCodeFont, kInk) +
           out_ + "</svg>\n";
  }

 private:
  static const Paint& paint_of(size_t column) { return kPaints[column % kPaints.size()]; }
  // For the title.
  double top() const { return finding_.race ? 92 : 74; }
  double y_of(size_t row) const { return top() + kHead + kRow * (static_cast<double>(row) + 1); }
  double bottom() const { return y_of(chart_.rows.size()); }

  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    out_ += fmt::format(format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  // What stands to the right of a column's line must fit before the next one.
  void place_columns() {
    const size_t count = chart_.columns.size();
    std::vector<double> gaps(count, kMinGap);
    const double widest =
        std::clamp(kColumns / static_cast<double>(std::max<size_t>(count, 1)), kMinGap, kMaxGap);
    const auto widen = [&](size_t column, double wanted) {
      gaps[column] = std::clamp(wanted, gaps[column], widest);
    };
    for (size_t i = 0; i < count; ++i) {
      const double half = box_width(i) / 2 + 12;
      widen(i, half * 2);
      if (i > 0) widen(i - 1, half * 2);
    }
    double behind_last = 60;
    for (size_t i = 0; i < chart_.rows.size(); ++i) {
      const ChartRow& row = chart_.rows[i];
      const double label = width_of(cut(row.label, kMaxLabel));
      if (!row.to) {
        const size_t next = chart_.next_line(i, row.from);
        if (next == row.from + 1) widen(row.from, label + 36);
        if (row.from + 1 == count) behind_last = std::max(behind_last, label + 36);
      } else if (std::max(row.from, *row.to) - std::min(row.from, *row.to) == 1) {
        widen(std::min(row.from, *row.to), label + 46);
      }
    }
    double at = kMargin + (count > 0 ? box_width(0) / 2 : 0);
    columns_x_.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      columns_x_.push_back(at);
      if (i + 1 < count) at += gaps[i];
    }
    source_x_ = at + std::min(behind_last, kMaxGap) + 16;
    double place_width = 0;
    double line_width = 0;
    for (const ChartRow& row : chart_.rows) {
      place_width = std::max(place_width, width_of(place_of(row)));
      line_width = std::max(line_width, width_of(source_of(row)));
    }
    line_x_ = source_x_ + place_width + 14;
    width_ = std::max({line_x_ + line_width + 24, 720.0,
                       24 * 2 + width_of(cut(title_, kMaxTitle)) * 1.15,
                       24 * 2 + width_of(cut(finding_sentence(finding_), kMaxTitle))});
  }

  double box_width(size_t column) const {
    return std::max(44.0, width_of(cut(chart_.columns[column].name, 20)) + 20);
  }

  std::string place_of(const ChartRow& row) const {
    if (!row.is_step()) return "";
    return printable(step_place_text(finding_.trace[row.step], sources_));
  }
  std::string source_of(const ChartRow& row) const {
    if (!row.is_step()) return "";
    return source_excerpt(step_place(finding_.trace[row.step]), sources_, kMaxSource);
  }

  StepMark mark(const ChartRow& row) const {
    return row.is_step() ? step_mark(finding_, row.step) : StepMark::None;
  }

  void draw_title() {
    add("<text x=\"24\" y=\"30\" font-family=\"{}\" font-size=\"15\" font-weight=\"600\">{}</text>",
        kTextFont, xml_text(cut(title_, kMaxTitle)));
    const std::string sentence = finding_sentence(finding_);
    add("<text x=\"24\" y=\"52\" fill=\"{}\">{}<title>{}</title></text>", kBadLine,
        xml_text(cut(sentence, kMaxTitle)), xml_text(printable(sentence)));
    if (!finding_.race) return;
    add("<text x=\"24\" y=\"70\" fill=\"{}\">{}</text>", kRaceText,
        xml_text(cut(fmt::format("race{}{}: step {} here comes before step {}",
                                 finding_.race->what.empty() ? "" : " on ", finding_.race->what,
                                 finding_.race->first + 1, finding_.race->second + 1),
                     kMaxTitle)));
  }

  void draw_legend(double y) {
    add("<text x=\"24\" y=\"{:.1f}\" font-size=\"11\" font-family=\"{}\" fill=\"{}\">{}</text>", y,
        kTextFont, kQuiet,
        "● taken from the mailbox · ○ never taken · bar: lies in the mailbox · "
        "□ other operation · ✕ end of a process");
  }

  void draw_badge(double y, std::string_view text, std::string_view color) {
    add("<rect x=\"10\" y=\"{:.1f}\" width=\"36\" height=\"16\" rx=\"8\" fill=\"{}\"/>"
        "<text x=\"28\" y=\"{:.1f}\" text-anchor=\"middle\" font-size=\"10\" font-family=\"{}\" "
        "font-weight=\"600\" fill=\"#ffffff\">{}</text>",
        y - 8, color, y + 3.5, kTextFont, text);
  }

  // Behind a row: its mark, its number, its place in the source.
  void draw_band(size_t index) {
    const ChartRow& row = chart_.rows[index];
    if (!row.is_step()) return;
    const double y = y_of(index);
    const StepMark what = mark(row);
    if (what != StepMark::None) {
      add("<rect x=\"4\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"5\" fill=\"{}\"/>",
          y - kRow / 2 + 1, width_ - 8, kRow - 2, background(row));
      draw_badge(y, mark_word(what),
                 is_bad(what)             ? kBadLine
                 : what == StepMark::Race ? kRaceLine
                                          : kQuiet);
    }
    add("<text x=\"76\" y=\"{:.1f}\" text-anchor=\"end\" fill=\"{}\">{}</text>", y + 4, kQuiet,
        row.step + 1);
    const std::string place = place_of(row);
    if (place.empty()) return;
    add("<text y=\"{:.1f}\"><tspan x=\"{:.1f}\" fill=\"{}\">{}</tspan><tspan "
        "x=\"{:.1f}\">{}</tspan></text>",
        y + 4, source_x_, kQuiet, xml_text(place), line_x_, xml_text(source_of(row)));
  }

  // That the two racing steps belong together.
  void draw_race_bracket() {
    if (!finding_.race) return;
    const auto first = row_of_step_.find(finding_.race->first);
    const auto second = row_of_step_.find(finding_.race->second);
    if (first == row_of_step_.end() || second == row_of_step_.end()) return;
    add("<path d=\"M10 {:.1f}H6.5V{:.1f}H10\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>",
        y_of(first->second), y_of(second->second), kRaceLine);
  }

  void draw_column(size_t index) {
    const ChartColumn& column = chart_.columns[index];
    const Paint& paint = paint_of(index);
    const double x = columns_x_[index];
    // A process that is started on the way has its box where that happens.
    const double box_y = column.begin ? y_of(*column.begin) : top() + kHead / 2;
    const double from = box_y + (column.begin ? 11 : kHead / 2);
    const double to = column.end ? y_of(*column.end) : bottom();
    add("<path d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"{}\" "
        "stroke-width=\"1.5\"{}><title>{}</title></path>",
        x, from, to, paint.line, column.is_shared ? " stroke-dasharray=\"5 4\"" : "",
        xml_text(printable(column.name)));
    if (column.end && chart_.rows[*column.end].is_step()) draw_cross(x, to);
    const double height = column.begin ? 22 : kHead;
    add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"6\" fill=\"{}\" "
        "stroke=\"{}\" stroke-width=\"1.5\"/><text x=\"{:.1f}\" y=\"{:.1f}\" "
        "text-anchor=\"middle\" "
        "font-weight=\"600\" fill=\"{}\">{}<title>{}</title></text>",
        x - box_width(index) / 2, box_y - height / 2, box_width(index), height, paint.fill,
        paint.line, x, box_y + 4, paint.line, xml_text(cut(column.name, 20)),
        xml_text(printable(column.name)));
  }

  void draw_cross(double x, double y) {
    add("<path d=\"M{:.1f} {:.1f}l12 12m0 -12l-12 12\" stroke=\"{}\" stroke-width=\"2.5\"/>", x - 6,
        y - 6, kBadLine);
  }

  // The bars of messages that lie in a mailbox.
  void draw_mailboxes() {
    // For each column, until which row each lane is taken.
    std::vector<std::array<size_t, kMaxLanes>> lanes(chart_.columns.size());
    std::vector<std::optional<size_t>> taken_at(chart_.rows.size());
    for (size_t i = 0; i < chart_.rows.size(); ++i) {
      if (chart_.rows[i].shape != Shape::Receive) continue;
      const auto sent = row_of_step_.find(finding_.trace[chart_.rows[i].step].cause);
      if (sent != row_of_step_.end()) taken_at[sent->second] = i;
    }
    taken_.assign(chart_.rows.size(), false);
    for (size_t i = 0; i < chart_.rows.size(); ++i) {
      if (!taken_at[i]) continue;
      taken_[i] = true;
      const size_t column = chart_.rows[*taken_at[i]].from;
      size_t lane = 0;
      while (lane + 1 < kMaxLanes && lanes[column][lane] > i) ++lane;
      lanes[column][lane] = *taken_at[i];
      const double x = columns_x_[column] - 5 - kLane * static_cast<double>(lane);
      add("<path d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\" fill=\"none\" stroke=\"{}\" "
          "stroke-width=\"2\" stroke-opacity=\"0.45\"/>",
          x, y_of(i), y_of(*taken_at[i]), columns_x_[column], paint_of(chart_.rows[i].from).line);
    }
  }

  void draw_row(size_t index) {
    const ChartRow& row = chart_.rows[index];
    if (row.shape == Shape::Gap) return draw_gap(index);
    if (row.to) {
      draw_arrow(index);
    } else {
      draw_local(index);
    }
  }

  void draw_gap(size_t index) {
    const double y = y_of(index);
    add("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"{}\" stroke-dasharray=\"1 5\"/>", kMargin, y,
        source_x_ - 16, kQuiet);
    draw_label(index, kMargin + 8, y + 4, source_x_ - kMargin, kQuiet, "start");
  }

  // With the background's color around it, since lines may run behind it.
  void draw_label(size_t index, double x, double y, double room, std::string_view color,
                  std::string_view anchor) {
    const ChartRow& row = chart_.rows[index];
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\" stroke=\"{}\" "
        "stroke-width=\"3\" paint-order=\"stroke\">{}<title>{}</title></text>",
        x, y, anchor, color, background(row), xml_text(cut(row.label, fitting(room))),
        xml_text(tooltip(row)));
  }

  std::string_view background(const ChartRow& row) const {
    if (is_bad(mark(row))) return kBadFill;
    return mark(row) == StepMark::Race ? kRaceFill : "#ffffff";
  }

  // All that is known of the step.
  std::string tooltip(const ChartRow& row) const {
    if (!row.is_step()) return row.label;
    const TraceStep& step = finding_.trace[row.step];
    std::string text = fmt::format("{}: {}", step.process, step_text(step));
    if (!step.function.empty()) text += fmt::format("\nin {}", step.function);
    const std::string place = step_place_text(step, sources_);
    if (!place.empty()) text += fmt::format("\n{}", place);
    return text;
  }

  void draw_local(size_t index) {
    const ChartRow& row = chart_.rows[index];
    const double x = columns_x_[row.from];
    const double y = y_of(index);
    const Paint& paint = paint_of(row.from);
    const bool is_end = chart_.columns[row.from].end == index;
    if (row.shape == Shape::Receive) {
      add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\"/>", x, y, paint.line);
    } else if (row.shape == Shape::Fire) {
      draw_clock(x, y, paint.line);
    } else if (row.shape == Shape::Wait) {
      add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"#ffffff\" stroke=\"{}\" "
          "stroke-width=\"2\" stroke-dasharray=\"2 2\"/>",
          x, y, kBadLine);
    } else if (!is_end) {
      add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"9\" height=\"9\" rx=\"1.5\" fill=\"#ffffff\" "
          "stroke=\"{}\" stroke-width=\"1.8\"/>",
          x - 4.5, y - 4.5, paint.line);
    }
    draw_label(index, x + 13, y + 4, room_behind(index, row.from),
               row.shape == Shape::Wait ? kBadLine : kInk, "start");
  }

  void draw_clock(double x, double y, std::string_view color) {
    add("<circle cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"7\" fill=\"#ffffff\" stroke=\"{2}\" "
        "stroke-width=\"1.8\"/><path d=\"M{0:.1f} {1:.1f}v-4.5m0 4.5h3.5\" stroke=\"{2}\" "
        "stroke-width=\"1.5\"/>",
        x, y, color);
  }

  // Up to the next line that is drawn in this row.
  double room_behind(size_t row, size_t column) const {
    const size_t next = chart_.next_line(row, column);
    if (next < columns_x_.size()) return columns_x_[next] - columns_x_[column] - 34;
    return source_x_ - columns_x_[column] - 26;
  }

  void draw_arrow(size_t index) {
    const ChartRow& row = chart_.rows[index];
    const double y = y_of(index);
    const double from = columns_x_[row.from];
    const double direction = *row.to > row.from ? 1 : -1;
    const bool is_spawn = row.shape == Shape::Spawn;
    const bool is_born_here = is_spawn && chart_.columns[*row.to].begin == index;
    const double tip =
        columns_x_[*row.to] - direction * (is_born_here ? box_width(*row.to) / 2 + 1 : 2);
    const bool is_dashed = row.shape == Shape::Fire || row.shape == Shape::Arrival || is_spawn;
    const std::string_view color = paint_of(row.from).line;
    add("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"{}\" stroke-width=\"1.8\"{}/>"
        "<path d=\"M{:.1f} {:.1f}l{:.1f} -4.5v9z\" fill=\"{}\"/>",
        from, y, tip - direction * 8, color, is_dashed ? " stroke-dasharray=\"6 4\"" : "", tip, y,
        -direction * 9, color);
    if (row.shape == Shape::Fire) draw_clock(from, y, color);
    const bool is_message =
        finding_.trace[row.step].kind == machine::EventKind::Send || row.shape == Shape::Fire;
    const bool is_dead = !is_born_here && !chart_.columns[*row.to].lives_at(index);
    if (is_dead) {
      draw_cross(columns_x_[*row.to], y);
    } else if (is_message && !taken_[index]) {
      add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#ffffff\" stroke=\"{}\" "
          "stroke-width=\"1.8\"/>",
          columns_x_[*row.to], y, color);
    }
    draw_label(index, from + direction * 12, y - 5, std::abs(tip - from) - 28, color,
               direction > 0 ? "start" : "end");
  }

  const Finding& finding_;
  const SourceMap& sources_;
  Chart chart_;
  std::string_view title_;
  std::unordered_map<size_t, size_t> row_of_step_;
  std::vector<bool> taken_;  // of each row: what it sends is taken in a row below
  std::vector<double> columns_x_;
  double source_x_ = 0;  // the places
  double line_x_ = 0;    // the lines of the source
  double width_ = 0;
  std::string out_;
};

}  // namespace

std::string sequence_svg(const Finding& finding, const SourceMap& sources, std::string_view title) {
  return ChartSvg(finding, sources, title).text();
}

}  // namespace fathom::report
