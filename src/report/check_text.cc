#include "report/check_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "report/advice.h"
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

constexpr size_t kMaxReason = 2000;   // columns of a text that stands alone
constexpr size_t kMaxSentence = 500;  // the same, if not all is to be shown
constexpr size_t kMaxTestName = 60;   // in the table
constexpr size_t kMaxTerm = 160;      // of a message or a reason among others, then
constexpr size_t kMaxFrames = 6;
constexpr size_t kMaxOutputLines = 20;
constexpr size_t kMaxMessages = 10;      // of a mailbox
constexpr size_t kMaxHandledExits = 5;   // of a test
constexpr size_t kMaxNamed = 3;          // processes that exit alike
constexpr size_t kMaxLongErrors = 1;     // of a test; the others without their steps
constexpr size_t kMaxProcessWidth = 16;  // of its name, beside a step
constexpr size_t kMaxPlaceWidth = 40;
constexpr size_t kMinExcerpt = 20;  // of a line of source code
constexpr size_t kMaxWord = 30;     // of what OTP's code does
constexpr size_t kMaxLines = 40;    // of an error, if not all is to be shown

size_t line_count(std::string_view text) {
  return static_cast<size_t>(std::ranges::count(text, '\n'));
}

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
    // One that was cut may end later.
    const bool is_cut = finding_.kind == explore::FindingKind::Endless;
    note(place, is_cut ? Severity::Warning : Severity::Error, finding_sentence(finding_));
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
    for (const std::string& advice : advice_on(finding_)) {
      out_ += fmt::format("  {} {}\n", paint_(Color::Bold, "help:"), cut(advice, kMaxReason));
    }
    if (finding_.count == interleavings && interleavings > 1) {
      out_ += fmt::format("  seen in each of the {} interleavings\n", with_commas(interleavings));
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

  // As many as there is room for, with one line for has_more.
  void steps() {
    if (finding_.trace.empty()) return;
    const std::string before = std::move(out_);
    const size_t used = line_count(before) + 1;
    const size_t room = used < kMaxLines ? kMaxLines - used : 0;
    for (const size_t most :
         {size_t{120}, size_t{16}, size_t{12}, size_t{9}, size_t{6}, size_t{4}, size_t{2}}) {
      out_.clear();
      add_steps(options_.verbose ? StepOptions{.brief = false, .most = SIZE_MAX / 2}
                                 : StepOptions{.most = most});
      if (options_.verbose || line_count(out_) <= room) break;
      has_cut_ = true;
    }
    out_.insert(0, before);
  }

  // If there is room for it.
  void chart() {
    if (finding_.trace.empty()) return;
    const std::string text =
        sequence_text(finding_, {.width = options_.width, .color = options_.color});
    constexpr size_t kHeading = 2;
    if (!options_.verbose && line_count(out_) + kHeading + line_count(text) > kMaxLines) {
      has_cut_ = true;
      return;
    }
    heading("Messages:");
    out_ += text;
  }

  void has_more() {
    if (has_cut_) out_ += "--verbose shows every step, and the messages as a chart.\n";
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
    const size_t most = options_.verbose ? kMaxReason : kMaxSentence;
    out_ += render(diagnostic_at(place, severity, cut(message, most)), sources_,
                   {.color = options_.color});
  }

  void racing_step(size_t number, std::string_view which) {
    if (number >= finding_.trace.size()) return;
    const TraceStep& step = finding_.trace[number];
    std::string text =
        fmt::format("{}, step {}: {}: {}", which, number + 1, step.process, step_text(step));
    const Place& place = step_place(step);
    const bool has_text = static_cast<bool>(place.span.begin);
    const std::string where = has_text ? via_text(step) : step_place_text(step, sources_);
    if (!where.empty()) text += "  " + where;
    note(has_text ? place : Place(), Severity::Note, text);
  }

  static std::string name_of(const WaitingProcess& process) {
    if (process.name.empty()) return printable(process.process);
    return printable(fmt::format("{} ({})", process.process, process.name));
  }

  void waits(const WaitingProcess& process) {
    const bool is_called = !process.place.span.begin && process.caller.span.begin;
    std::string text = name_of(process) + " waits";
    if (!is_called && !process.function.empty()) text += " in " + process.function;
    if (const std::string what = awaited(process); !what.empty()) text += " for " + what;
    if (is_called) text += ", via " + process.via;
    note(is_called ? process.caller : process.place, Severity::Note, text);
    if (process.mailbox.empty()) {
      out_ += "  its mailbox is empty\n";
      return;
    }
    const size_t count = process.mailbox.size();
    out_ += fmt::format("  {} {} arrived that it does not take:\n", counted(count, "message"),
                        count == 1 ? "has" : "have");
    const size_t shown = options_.verbose ? count : std::min(count, kMaxMessages);
    for (size_t i = 0; i < shown; ++i) {
      out_ += fmt::format("    {}\n",
                          cut(process.mailbox[i], options_.verbose ? kMaxReason : kMaxTerm));
    }
    if (shown < count) out_ += fmt::format("    … and {} more\n", count - shown);
  }

  void add_steps(const StepOptions& step_options) {
    const std::vector<StepGroup> groups = group_steps(finding_, step_options);
    measure(groups);
    std::string title = finding_.trace.size() == 1 ? "The step" : "Step by step";
    if (!only_file_.empty()) title += ", in " + printable(only_file_);
    heading(title + ":");
    add_names(groups);
    for (const StepGroup& group : groups) add_group(group);
  }

  // "P.1 is seats": the registered names of processes that are shown.
  void add_names(const std::vector<StepGroup>& groups) {
    std::set<std::string_view> shown;
    for (const StepGroup& group : groups) {
      if (group.kind == StepGroup::Kind::Step) shown.insert(finding_.trace[group.begin].process);
    }
    std::vector<std::string> names;
    for (const auto& [process, name] : registered_names(finding_)) {
      if (!shown.contains(process)) continue;
      names.push_back(fmt::format("{} is {}", printable(process), printable(name)));
    }
    if (names.empty()) return;
    const size_t margin = 5 + number_width_ + 2;
    out_ += std::string(margin, ' ') +
            paint_(Color::Dim, cut(fmt::format("{}", fmt::join(names, ", ")),
                                   options_.verbose ? kMaxReason : options_.width - margin)) +
            '\n';
  }

  // The widths of the columns, and whether all of it is in one file.
  void measure(const std::vector<StepGroup>& groups) {
    std::set<std::string> files;
    const auto for_each_shown = [&](auto&& look_at) {
      for (const StepGroup& group : groups) {
        if (group.kind == StepGroup::Kind::Step) look_at(group.begin);
      }
    };
    for (const TraceStep& step : finding_.trace) {
      process_width_ = std::max(process_width_, display_width(printable(step.process)));
    }
    process_width_ = std::min(process_width_, kMaxProcessWidth);
    number_width_ = fmt::format("{}", finding_.trace.size()).size();
    for_each_shown([&](size_t i) {
      const Place& place = step_place(finding_.trace[i]);
      if (place.span.begin) files.insert(place_file(place, sources_));
    });
    only_file_ = files.size() == 1 ? *files.begin() : "";
    place_width_ = step_width_ = 0;
    for_each_shown([&](size_t i) {
      if (step_place(finding_.trace[i]).span.begin) {
        place_width_ = std::max(place_width_, display_width(place_of(finding_.trace[i])));
      }
      if (!place_of(finding_.trace[i]).empty()) {
        step_width_ = std::max(step_width_, display_width(whole_text(i)));
      }
    });
    place_width_ = std::min(place_width_, kMaxPlaceWidth);
    step_width_ = std::min(step_width_, text_width() / 2);
  }

  // "12:5" where one file is known to be meant.
  std::string place_of(const TraceStep& step) const {
    const Place& place = step_place(step);
    if (!place.span.begin) return printable(step_place_text(step, sources_));
    if (only_file_.empty()) {
      const std::string text = printable(step_place_text(step, sources_));
      return options_.verbose ? text : text.substr(text.find_last_of('/') + 1);
    }
    const LineColumn at = sources_.line_column(place.span.begin);
    return fmt::format("{}:{}", at.line, at.column);
  }

  // What the step is, where its message came from, whom it ends.
  std::string whole_text(size_t number) const {
    const TraceStep& step = finding_.trace[number];
    std::string more;
    if (step.cause != explore::kNoStep) more += fmt::format("  (from step {})", step.cause + 1);
    if (const std::string others = ended_with(step); !others.empty()) {
      more += fmt::format(
          "  [{}]", cut(others == step.process ? "then ends" : "ends " + others, kMaxPlaceWidth));
    }
    if (options_.verbose) return cut(step_text(step), kMaxReason) + more;
    const size_t room = place_of(step).empty() ? text_width() : text_width() / 2;
    const size_t left = room > display_width(more) ? room - display_width(more) : 1;
    return cut(step_text(step), std::max(left, room / 2)) + more;
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
      case StepGroup::Kind::Library: {
        const std::string text = library_text(group);
        if (!text.empty()) add_library(group, text);
        return;
      }
      case StepGroup::Kind::Again:
        return add_summary(group, fmt::format("the same, {} times more", group.size()));
      case StepGroup::Kind::Omitted:
        return add_summary(
            group,
            fmt::format("{} left out",
                        group.size() == 1 ? "1 step is" : counted(group.size(), "step") + " are"));
      case StepGroup::Kind::Repeats:
        return add_summary(group, fmt::format("and so on: the {} above again, {} times",
                                              counted(finding_.loop_length, "step"),
                                              with_commas(group.size() / finding_.loop_length)));
    }
  }

  // The step, and where: on the same line if there is room.
  void add_step(size_t number) {
    const TraceStep& step = finding_.trace[number];
    const StepMark mark = step_mark(finding_, number);
    const std::string text = whole_text(number);
    const std::string begin = margin(mark_word(mark), number + 1, step.process);
    out_ += paint_(mark_color(mark), begin);
    const std::string place = place_of(step);
    if (place.empty()) {
      out_ += text + '\n';
      return;
    }
    if (display_width(text) > step_width_) {
      out_ += text + '\n' + std::string(display_width(begin) + step_width_, ' ');
    } else {
      out_ += padded(text, step_width_);
    }
    const size_t used = step_width_ + 2 + place_width_ + 2;
    const size_t room = std::max(text_width(), used + kMinExcerpt) - used;
    const std::string line = source_excerpt(step_place(step), sources_, room);
    const std::string where =
        line.empty() ? place : fmt::format("{}  {}", padded(place, place_width_), line);
    out_ += "  " + paint_(Color::Dim, where) + '\n';
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

  // What OTP's code does, or only who does how much of it where that is too long.
  void add_library(const StepGroup& group, const std::string& text) {
    if (options_.verbose || display_width(text) + kMaxWord <= text_width()) {
      return add_summary(group, "OTP's code: " + text);
    }
    std::set<std::string> processes;
    for (size_t i = group.begin; i < group.end; ++i) {
      processes.insert(printable(finding_.trace[i].process));
    }
    add_summary(group, fmt::format("OTP's code: {} of {}", counted(group.size(), "step"),
                                   fmt::join(processes, ", ")));
  }

  // "P.1 receive call get, reply 1; P.2 receive ×2": what a reader may want to know of it.
  std::string library_text(const StepGroup& group) const {
    std::string text;
    std::string_view process;
    std::string_view last;
    size_t count = 0;
    std::vector<std::string> words;
    for (size_t i = group.begin; i < group.end; ++i)
      words.push_back(library_word(finding_.trace[i]));
    const auto end_of_row = [&] {
      if (count > 1) text += fmt::format(" ×{}", count);
      count = 0;
    };
    for (size_t i = group.begin; i < group.end; ++i) {
      const TraceStep& step = finding_.trace[i];
      const std::string& word = words[i - group.begin];
      if (word.empty()) continue;
      if (step.process == process && word == last) {
        ++count;
        continue;
      }
      end_of_row();
      if (step.process != process) {
        text += fmt::format("{}{} ", text.empty() ? "" : "; ", printable(step.process));
      } else {
        text += ", ";
      }
      text += word;
      process = step.process;
      last = word;
      count = 1;
    }
    end_of_row();
    return text;
  }

  // Empty: it is of no interest. Of a message only if it means something to a reader.
  std::string library_word(const TraceStep& step) const {
    using enum machine::EventKind;
    if (options_.verbose) return std::string(machine::event_word(step.kind));
    if (is_start_up(step)) return "";
    if (step.kind != Send && step.kind != Receive && step.kind != Spawn && step.kind != After) {
      return "";
    }
    const std::string message = message_text(step);
    const std::string_view word = machine::event_word(step.kind);
    if (message == step.message) return std::string(word);
    return step.kind == Send ? cut(message, kMaxWord)
                             : cut(fmt::format("{} {}", word, message), kMaxWord);
  }

  const Finding& finding_;
  const SourceMap& sources_;
  const CheckReportOptions& options_;
  Painter paint_;
  std::string out_;
  size_t process_width_ = 1;
  size_t place_width_ = 0;
  size_t step_width_ = 0;
  size_t number_width_ = 1;
  std::string only_file_;  // in which all steps are that are shown; empty: there are several
  bool has_cut_ = false;   // something was left out for want of room
};

class CheckText : public CheckReport {
 public:
  CheckText(Sink sink, const SourceMap& sources, const CheckReportOptions& options)
      : sink_(std::move(sink)), sources_(sources), options_(options), paint_(options.color) {}

  void add(CheckResult&& result) override {
    for (Finding& finding : result.findings) shorten_references(finding);
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
    struct Exits {
      std::string end;  // "exits: oops; P.2 is told"
      std::string place;
      std::vector<std::string> processes;  // that do so
    };
    std::vector<Exits> rows;
    for (const explore::HandledExit& handled : result.handled_exits) {
      Exits row = {fmt::format("{}; {} {} told",
                               cut(handled.reason, options_.verbose ? kMaxReason : kMaxTerm),
                               printable(fmt::format("{}", fmt::join(handled.told, ", "))),
                               handled.told.size() == 1 ? "is" : "are"),
                   printable(place_text(handled.place, sources_)),
                   {}};
      auto same = std::ranges::find_if(
          rows, [&](const Exits& r) { return r.end == row.end && r.place == row.place; });
      if (same == rows.end()) same = rows.insert(rows.end(), std::move(row));
      same->processes.push_back(printable(handled.process));
    }
    const size_t shown = options_.verbose ? rows.size() : std::min(rows.size(), kMaxHandledExits);
    for (const Exits& row : std::span(rows).first(shown)) {
      const size_t all = row.processes.size();
      const size_t named = options_.verbose ? all : std::min(all, kMaxNamed);
      out += fmt::format("  note: {}{}{} {}: {}\n", row.place.empty() ? "" : row.place + ": ",
                         fmt::join(std::span(row.processes).first(named), ", "),
                         named < all ? fmt::format(" and {} more", all - named) : "",
                         all == 1 ? "exits" : "exit", row.end);
    }
    if (shown < rows.size()) {
      out += fmt::format("  note: {} of which others are told; --verbose shows all\n",
                         counted(rows.size() - shown, "more exit"));
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

  Row row_of(const CheckResult& result) const {
    std::set<std::string_view> kinds;
    for (const Finding& finding : result.findings)
      kinds.insert(explore::finding_kind_name(finding.kind));
    return {cut(result.test, options_.verbose ? kMaxReason : kMaxTestName),
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
  if (result.verdict == Verdict::Bug) text += counted(result.findings.size(), "error") + " in ";
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
  text.has_more();
  text.output();
  return text.take();
}

std::unique_ptr<CheckReport> make_check_text(Sink sink, const SourceMap& sources,
                                             const CheckReportOptions& options) {
  return std::make_unique<CheckText>(std::move(sink), sources, options);
}

}  // namespace fathom::report
