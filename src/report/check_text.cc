#include "report/check_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "report/check_formats.h"
#include "report/check_steps.h"
#include "report/cover_report.h"
#include "report/places.h"
#include "report/sequence_chart.h"
#include "report/text.h"

namespace fathom::report {

using explore::CheckResult;
using explore::Finding;
using explore::TraceStep;
using explore::WaitingProcess;

namespace {

constexpr size_t kMaxReason = 2000;  // columns of a text that stands alone
constexpr size_t kMaxFrames = 6;
constexpr size_t kMaxOutputLines = 20;
constexpr size_t kMaxMessages = 10;      // of a mailbox
constexpr size_t kMaxHandledExits = 5;   // of a test
constexpr size_t kMaxLongErrors = 3;     // of a test; the others without their steps
constexpr size_t kMaxProcessWidth = 16;  // of its name, beside a step
constexpr size_t kMaxPlaceWidth = 40;

// The parts of an error's text.
class FindingText {
 public:
  FindingText(const Finding& finding, const SourceMap& sources, const CheckReportOptions& options)
      : finding_(finding), sources_(sources), options_(options), paint_(options.color) {}

  std::string take() { return std::move(out_); }

  // What, where, how often.
  void headline(uint64_t interleavings) {
    // Of processes that wait, each one's line is shown below.
    Place place = finding_.place;
    if (!finding_.waiting.empty()) place = {{}, place_text(finding_.place, sources_), 0};
    note(place, Severity::Error, finding_sentence(finding_));
    const size_t frames =
        options_.verbose ? finding_.stack.size() : std::min(finding_.stack.size(), kMaxFrames);
    for (size_t i = 0; i < frames; ++i) {
      const machine::Frame& frame = finding_.stack[i];
      out_ += "  in " + cut(frame.function, kMaxReason);
      if (!frame.file.empty()) out_ += fmt::format("  ({}:{})", frame.file, frame.line);
      out_ += '\n';
    }
    if (frames < finding_.stack.size()) {
      out_ += fmt::format("  … and {} more\n", finding_.stack.size() - frames);
    }
    if (finding_.count == interleavings && interleavings > 1) {
      out_ += fmt::format("  seen in every interleaving so far ({})\n", with_commas(interleavings));
      return;
    }
    out_ += fmt::format("  seen in {} of {}", with_commas(finding_.count),
                        counted(interleavings, "interleaving"));
    if (finding_.interleaving > 1) {
      out_ += fmt::format(", first in the {}", ordinal(finding_.interleaving));
    }
    out_ += '\n';
  }

  void race() {
    if (!finding_.race) return;
    const explore::Race& race = *finding_.race;
    heading(fmt::format("Race{}: the outcome depends on which of these comes first.",
                        race.what.empty() ? "" : " on " + cut(race.what, kMaxReason)));
    racing_step(race.first, "first here");
    racing_step(race.second, "second here");
  }

  void why() {
    if (finding_.why.empty()) return;
    heading("What of the program led to it:");
    append_lines(out_, "  ", finding_.why, SIZE_MAX);
  }

  void waiting() {
    if (finding_.waiting.empty()) return;
    heading("Who waits:");
    for (const WaitingProcess& process : finding_.waiting) {
      if (!process.is_idle) waits(process);
    }
    for (const WaitingProcess& process : finding_.waiting) {
      if (!process.is_idle) continue;
      out_ += fmt::format("  {} is idle, in {}\n", name_of(process), printable(process.function));
    }
  }

  void steps() {
    if (finding_.trace.empty()) return;
    heading(finding_.trace.size() == 1 ? "The step:" : "Step by step:");
    measure();
    StepOptions step_options;
    if (options_.verbose) step_options = {.brief = false, .most = SIZE_MAX / 2};
    for (const StepGroup& group : group_steps(finding_, step_options)) add_group(group);
  }

  void chart() {
    if (finding_.trace.empty()) return;
    heading("Messages:");
    out_ += sequence_text(finding_, {.width = options_.width, .color = options_.color});
  }

  // Another error of the same interleaving, which was shown.
  void same_as(size_t number) {
    heading(fmt::format("The interleaving is that of error {}.", number));
  }

  void has_steps() { out_ += "\n--verbose shows it step by step.\n"; }

  void output() {
    if (!finding_.output.empty()) {
      heading("Output:");
      append_lines(out_, "  ", finding_.output, options_.verbose ? SIZE_MAX : kMaxOutputLines);
    }
    if (!finding_.schedule_file.empty()) {
      out_ += fmt::format("\nTo replay it: --replay {}\n", finding_.schedule_file);
    }
  }

 private:
  void heading(std::string_view text) { out_ += fmt::format("\n{}\n", paint_(Color::Bold, text)); }

  // A message about a place, with its line and a caret.
  void note(const Place& place, Severity severity, std::string_view message) {
    out_ += render(diagnostic_at(place, severity, cut(message, kMaxReason)), sources_,
                   {.color = options_.color});
  }

  void racing_step(size_t number, std::string_view which) {
    if (number >= finding_.trace.size()) return;
    const TraceStep& step = finding_.trace[number];
    std::string text =
        fmt::format("{}, step {}: {}: {}", which, number + 1, step.process, step_text(step));
    const Place& place = step_place(step);
    const bool has_text = static_cast<bool>(place.span.begin);
    const std::string where = has_text ? "" : step_place_text(step, sources_);
    if (!where.empty()) text += "  " + where;
    note(has_text ? place : Place(), Severity::Note, text);
  }

  static std::string name_of(const WaitingProcess& process) {
    if (process.name.empty()) return printable(process.process);
    return printable(fmt::format("{} ({})", process.process, process.name));
  }

  void waits(const WaitingProcess& process) {
    std::string text = name_of(process) + " waits";
    if (!process.function.empty()) text += " in " + process.function;
    if (!process.awaits.empty()) text += " for " + process.awaits;
    note(process.place, Severity::Note, text);
    if (process.mailbox.empty()) {
      out_ += "  its mailbox is empty\n";
      return;
    }
    const size_t count = process.mailbox.size();
    out_ += fmt::format("  {} {} arrived that it does not take:\n", counted(count, "message"),
                        count == 1 ? "has" : "have");
    const size_t shown = options_.verbose ? count : std::min(count, kMaxMessages);
    for (size_t i = 0; i < shown; ++i) {
      out_ += fmt::format("    {}\n", cut(process.mailbox[i], kMaxReason));
    }
    if (shown < count) out_ += fmt::format("    … and {} more\n", count - shown);
  }

  void measure() {
    for (const TraceStep& step : finding_.trace) {
      process_width_ = std::max(process_width_, display_width(printable(step.process)));
      if (!step_place(step).span.begin) continue;
      place_width_ = std::max(place_width_, display_width(step_place_text(step, sources_)));
    }
    process_width_ = std::min(process_width_, kMaxProcessWidth);
    place_width_ = std::min(place_width_, kMaxPlaceWidth);
    number_width_ = fmt::format("{}", finding_.trace.size()).size();
  }

  // "race  12  P.1  "
  std::string margin(std::string_view mark, size_t number, std::string_view process) const {
    return fmt::format("{:<5}{:>{}}  {}  ", mark, number, number_width_,
                       padded(cut(process, process_width_), process_width_));
  }

  size_t text_width() const {
    const size_t used = 5 + number_width_ + 2 + process_width_ + 2;
    return options_.width > used + kMaxPlaceWidth ? options_.width - used : kMaxPlaceWidth;
  }

  void add_group(const StepGroup& group) {
    switch (group.kind) {
      case StepGroup::Kind::Step:
        return add_step(group.begin);
      case StepGroup::Kind::Library:
        return add_summary(group, "OTP's code: " + library_text(group));
      case StepGroup::Kind::Omitted:
        return add_summary(
            group,
            fmt::format("{} left out; --verbose shows all",
                        group.size() == 1 ? "1 step is" : counted(group.size(), "step") + " are"));
      case StepGroup::Kind::Repeats:
        return add_summary(group, fmt::format("and so on: the {} above again, {} times",
                                              counted(finding_.loop_length, "step"),
                                              with_commas(group.size() / finding_.loop_length)));
    }
  }

  void add_step(size_t number) {
    const TraceStep& step = finding_.trace[number];
    const StepMark mark = step_mark(finding_, number);
    std::string text = cut(step_text(step), options_.verbose ? kMaxReason : text_width());
    if (step.cause != explore::kNoStep) {
      text += paint_(Color::Dim, fmt::format("  (from step {})", step.cause + 1));
    }
    const std::string others = ended_with(step);
    if (!others.empty()) {
      const std::string what = others == step.process ? "then ends" : "ends " + others;
      text += paint_(Color::Dim, fmt::format("  [{}]", cut(what, kMaxPlaceWidth)));
    }
    const std::string begin = margin(mark_word(mark), number + 1, step.process);
    const Color color = mark_color(mark);
    out_ += paint_(color, begin) + text + '\n';
    const std::string place = printable(step_place_text(step, sources_));
    if (place.empty()) return;
    std::string below = padded(place, place_width_);
    const size_t room =
        std::max(text_width(), place_width_ + 2 + kMaxPlaceWidth) - place_width_ - 2;
    const std::string line = source_excerpt(step_place(step), sources_, room);
    below = line.empty() ? place : fmt::format("{}  {}", below, line);
    out_ += std::string(display_width(begin), ' ') + paint_(Color::Dim, below) + '\n';
  }

  // The names of the processes that a step ends; an end itself says who it is.
  static std::string ended_with(const TraceStep& step) {
    std::string names;
    for (const std::string& name : step.ended) {
      if (step.kind == machine::EventKind::Exit && name == step.process) continue;
      names += (names.empty() ? "" : ", ") + name;
    }
    return names;
  }

  void add_summary(const StepGroup& group, std::string_view text) {
    const std::string range = group.size() == 1 ? "" : fmt::format("to {}, ", group.end);
    out_ += margin("", group.begin + 1, "…") +
            paint_(Color::Dim, cut(range + std::string(text), text_width())) + '\n';
  }

  // "P monitor, call get; P.1 receive ×2, reply 1"
  std::string library_text(const StepGroup& group) const {
    std::string text;
    std::string_view process;
    for (size_t i = group.begin; i < group.end;) {
      const TraceStep& step = finding_.trace[i];
      const std::string word = library_word(step);
      if (step.process == process) {
        text += ", ";
      } else {
        text += fmt::format("{}{} ", text.empty() ? "" : "; ", step.process);
      }
      process = step.process;
      size_t count = 0;
      for (; i < group.end && finding_.trace[i].process == process; ++i, ++count) {
        if (library_word(finding_.trace[i]) != word) break;
      }
      text += count == 1 ? word : fmt::format("{} ×{}", word, count);
    }
    return text;
  }

  // Of a message only if it means something to a reader.
  static std::string library_word(const TraceStep& step) {
    const std::string message = message_text(step);
    const bool is_telling = step.kind == machine::EventKind::Send && message != step.message;
    return is_telling ? message : std::string(machine::event_word(step.kind));
  }

  const Finding& finding_;
  const SourceMap& sources_;
  const CheckReportOptions& options_;
  Painter paint_;
  std::string out_;
  size_t process_width_ = 1;
  size_t place_width_ = 0;
  size_t number_width_ = 1;
};

class CheckText : public CheckReport {
 public:
  CheckText(Sink sink, const SourceMap& sources, const CheckReportOptions& options)
      : sink_(std::move(sink)), sources_(sources), options_(options), paint_(options.color) {}

  void add(CheckResult&& result) override {
    std::string out = paint_(verdict_color(result.verdict), verdict_text(result)) + "\n";
    for (const std::string& reason : result.reasons) {
      out += fmt::format("  because: {}\n", printable(reason));
    }
    for (const std::string& assumption : result.assumptions) {
      if (said_.insert(assumption).second) {
        out += fmt::format("  assuming: {}\n", printable(assumption));
      }
    }
    for (const std::string& note : result.notes) {
      out += fmt::format("  note: {}\n", printable(note));
    }
    append_handled(out, result);
    append_racing(out, result);
    for (size_t i = 0; i < result.findings.size(); ++i) {
      if (result.findings.size() > 1) {
        out += '\n' +
               paint_(Color::Bold, fmt::format("Error {} of {}", i + 1, result.findings.size()));
      }
      out += '\n';
      append_error(out, result, i);
    }
    if (!result.findings.empty()) out += '\n';
    sink_(out);
    rows_.push_back({row_of(result), result.verdict});
  }

  void finish(const CheckSummary& summary) override {
    for (const std::string& reason : summary.reasons) {
      sink_(fmt::format("unknown: {}\n", printable(reason)));
    }
    if (rows_.size() > 1) sink_(table(summary));
    if (summary.coverage) {
      sink_(cover_text(*summary.coverage, {options_.color, options_.verbose}));
    }
  }

 private:
  static constexpr size_t kColumns = 6;
  using Row = std::array<std::string, kColumns>;

  // "note: racing operations: 2 of 3 pairs seen in both orders"
  void append_racing(std::string& out, const CheckResult& result) const {
    if (!result.racing || result.racing->empty()) return;
    const auto both = std::ranges::count_if(*result.racing, &explore::RacingPlaces::in_both_orders);
    out += fmt::format("  note: racing operations: {} of {} {} seen in both orders\n", both,
                       result.racing->size(), result.racing->size() == 1 ? "pair" : "pairs");
    if (!options_.verbose) return;
    for (const explore::RacingPlaces& pair : *result.racing) {
      if (pair.in_both_orders) continue;
      out += fmt::format("    in one order: {} and {}\n", place_text(pair.first, sources_),
                         place_text(pair.second, sources_));
    }
  }

  // "note: m.erl:7: P.1 exits: oops; P.2 is told"
  void append_handled(std::string& out, const CheckResult& result) const {
    const auto& all = result.handled_exits;
    const size_t shown = options_.verbose ? all.size() : std::min(all.size(), kMaxHandledExits);
    for (const explore::HandledExit& handled : std::span(all).first(shown)) {
      const std::string place = place_text(handled.place, sources_);
      out += fmt::format("  note: {}{} exits: {}; {} {} told\n",
                         place.empty() ? "" : printable(place) + ": ", printable(handled.process),
                         cut(handled.reason, kMaxReason),
                         printable(fmt::format("{}", fmt::join(handled.told, ", "))),
                         handled.told.size() == 1 ? "is" : "are");
    }
    if (shown < all.size()) {
      out += fmt::format("  note: {} of which others are told; --verbose shows all\n",
                         counted(all.size() - shown, "more exit"));
    }
  }

  void append_error(std::string& out, const CheckResult& result, size_t index) const {
    const Finding& finding = result.findings[index];
    const auto same = std::ranges::find_if(result.findings, [&](const Finding& other) {
      return other.schedule.steps == finding.schedule.steps;
    });
    const auto earlier = static_cast<size_t>(same - result.findings.begin());
    const bool is_long = options_.verbose || index < kMaxLongErrors;
    if (is_long && (earlier == index || finding.schedule.steps.empty())) {
      out += finding_text(finding, result.interleavings, sources_, options_);
      return;
    }
    FindingText text(finding, sources_, options_);
    text.headline(result.interleavings);
    text.race();
    text.why();
    text.waiting();
    if (earlier != index) {
      text.same_as(earlier + 1);
    } else {
      text.has_steps();
    }
    out += text.take();
  }

  static Row row_of(const CheckResult& result) {
    std::set<std::string_view> kinds;
    for (const Finding& finding : result.findings)
      kinds.insert(explore::finding_kind_name(finding.kind));
    return {printable(result.test),
            std::string(verdict_name(result.verdict)),
            with_commas(result.interleavings),
            with_commas(result.events),
            fmt::format("{:.2f}", result.seconds),
            fmt::format("{}", fmt::join(kinds, ", "))};
  }

  std::string table(const CheckSummary& summary) const {
    const Row head = {"test", "verdict", "interleavings", "events", "seconds", ""};
    std::array<size_t, kColumns> widths = {};
    for (size_t i = 0; i < kColumns; ++i) {
      widths[i] = display_width(head[i]);
      for (const auto& [row, verdict] : rows_)
        widths[i] = std::max(widths[i], display_width(row[i]));
    }
    const auto line = [&](const Row& row, Color color) {
      std::string text = padded(row[0], widths[0]);
      text += "  " + paint_(color, padded(row[1], widths[1]));
      for (size_t i = 2; i < 5; ++i) text += "  " + padded_left(row[i], widths[i]);
      if (!row[5].empty()) text += "  " + row[5];
      return text + '\n';
    };
    std::string out = '\n' + line(head, Color::None);
    for (const auto& [row, verdict] : rows_) out += line(row, verdict_color(verdict));
    std::string sum = counted(summary.total(), "test");
    if (summary.clean > 0) sum += fmt::format(", {} clean", summary.clean);
    if (summary.bug > 0) sum += fmt::format(", {} with a bug", summary.bug);
    if (summary.unknown > 0) sum += fmt::format(", {} unknown", summary.unknown);
    sum += fmt::format(" in {:.2f} s", summary.seconds);
    return out + paint_(verdict_color(summary.verdict()), sum) + '\n';
  }

  Sink sink_;
  const SourceMap& sources_;
  CheckReportOptions options_;
  Painter paint_;
  struct Result {
    Row row;
    Verdict verdict;
  };
  std::vector<Result> rows_;
  std::set<std::string> said_;  // assumptions, each of which is printed once
};

}  // namespace

std::string verdict_text(const CheckResult& result) {
  std::string text = fmt::format("{}: ", verdict_name(result.verdict));
  if (!result.findings.empty()) text += counted(result.findings.size(), "error") + " in ";
  text += fmt::format("{} of {}, ", counted(result.interleavings, "interleaving"),
                      printable(result.test));
  text += result.complete ? "complete" : "not complete";
  if (!result.bound.empty()) text += fmt::format(" (bound: {})", printable(result.bound));
  text += fmt::format("; {} in {:.2f} s", counted(result.events, "event"), result.seconds);
  if (result.blocked > 0) {
    text += fmt::format(", {} cut short {}", with_commas(result.blocked),
                        result.bound.empty() ? "by sleep sets" : "at states explored before");
  }
  return text;
}

std::string finding_text(const Finding& finding, uint64_t interleavings, const SourceMap& sources,
                         const CheckReportOptions& options) {
  FindingText text(finding, sources, options);
  text.headline(interleavings);
  text.race();
  text.why();
  text.waiting();
  text.steps();
  text.chart();
  text.output();
  return text.take();
}

std::unique_ptr<CheckReport> make_check_text(Sink sink, const SourceMap& sources,
                                             const CheckReportOptions& options) {
  return std::make_unique<CheckText>(std::move(sink), sources, options);
}

}  // namespace fathom::report
