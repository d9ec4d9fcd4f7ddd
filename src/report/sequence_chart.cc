#include "report/sequence_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "report/check_steps.h"

namespace fathom::report {

using explore::Finding;
using explore::TraceStep;
using machine::EventKind;

namespace {

using Shape = ChartRow::Shape;

// What a reader looks for in a chart, even if OTP's code does it.
bool is_about_messages(EventKind kind) {
  return kind == EventKind::Send || kind == EventKind::Receive || kind == EventKind::Spawn ||
         kind == EventKind::Exit || kind == EventKind::ExitSignal || kind == EventKind::Timer ||
         kind == EventKind::Arrival;
}

// Other steps may cause signals as well (a service that they start), but are not signals.
bool is_signal(EventKind kind) {
  return is_about_messages(kind) || kind == EventKind::Link || kind == EventKind::Unlink ||
         kind == EventKind::Monitor || kind == EventKind::Demonitor;
}

Shape shape_of(const TraceStep& step) {
  if (step.kind == EventKind::Receive) return Shape::Receive;
  if (step.kind == EventKind::Timer) return Shape::Fire;
  if (step.peer.empty() || !is_signal(step.kind)) return Shape::Local;
  if (step.kind == EventKind::Spawn) return Shape::Spawn;
  return step.kind == EventKind::Arrival ? Shape::Arrival : Shape::Message;
}

std::string label_of(const TraceStep& step) {
  const std::string message = message_text(step);
  switch (step.kind) {
    case EventKind::Receive: {
      const std::string& what = message.empty() ? step.text : message;
      if (step.cause == explore::kNoStep) return what;
      return fmt::format("from {}: {}", step.cause + 1, what);
    }
    case EventKind::Send:
    case EventKind::Arrival:
    case EventKind::Timer:
      if (message.empty() || step.peer.empty()) return step_text(step);
      return step.peer == step.process ? fmt::format("to itself: {}", message) : message;
    case EventKind::Spawn:
      if (step.peer.empty()) return step_text(step);
      return step.via.empty() ? "spawn" : step.via;
    default:
      return step_text(step);
  }
}

// A row whose columns are names yet.
struct NamedRow {
  ChartRow row;
  std::string_view from;
  std::string_view to;
};

NamedRow row_of(const Finding& finding, size_t number) {
  const TraceStep& step = finding.trace[number];
  NamedRow named;
  named.row.shape = shape_of(step);
  named.row.step = number;
  named.row.label = label_of(step);
  named.from = step.process;
  const bool is_arrow = step.kind != EventKind::Receive && is_signal(step.kind);
  if (is_arrow && step.peer != step.process) named.to = step.peer;
  return named;
}

std::vector<NamedRow> rows_of(const Finding& finding) {
  std::vector<NamedRow> rows;
  for (const StepGroup& group : group_steps(finding, {})) {
    const auto add_gap = [&](std::string label) {
      NamedRow gap;
      gap.row = {Shape::Gap, group.begin, 0, std::nullopt, std::move(label)};
      rows.push_back(std::move(gap));
    };
    switch (group.kind) {
      case StepGroup::Kind::Step:
        rows.push_back(row_of(finding, group.begin));
        break;
      case StepGroup::Kind::Library:
        for (size_t i = group.begin; i < group.end; ++i) {
          const TraceStep& step = finding.trace[i];
          if (is_about_messages(step.kind) && !is_start_up(step))
            rows.push_back(row_of(finding, i));
        }
        break;
      case StepGroup::Kind::Again:
      case StepGroup::Kind::Omitted:
        add_gap(fmt::format("{} more", group.size()));
        break;
      case StepGroup::Kind::Repeats:
        add_gap("and so on");
        break;
    }
  }
  for (const explore::WaitingProcess& process : finding.waiting) {
    if (process.is_idle) continue;
    NamedRow wait;
    wait.row.shape = Shape::Wait;
    wait.row.step = finding.trace.size();
    const std::string what = awaited(process);
    wait.row.label = what.empty() ? "waits" : "waits for " + what;
    wait.from = process.process;
    rows.push_back(std::move(wait));
  }
  return rows;
}

// The names that are kept, in the order in which they appear.
std::vector<std::string_view> columns_of(const Finding& finding, const std::vector<NamedRow>& rows,
                                         size_t most) {
  std::vector<std::string_view> names;
  std::unordered_set<std::string_view> known;
  const auto add = [&](std::string_view name) {
    if (!name.empty() && known.insert(name).second) names.push_back(name);
  };
  for (const NamedRow& named : rows) {
    add(named.from);
    add(named.to);
  }
  // All that was done is left out.
  if (names.empty() && !finding.trace.empty()) add(finding.trace.front().process);
  if (names.size() <= most) return names;

  std::unordered_set<std::string_view> kept;
  const size_t room = most > 1 ? most - 1 : 1;  // beside the shared one
  const auto keep = [&](std::string_view name) {
    if (kept.size() < room && known.contains(name)) kept.insert(name);
  };
  if (finding.race) {
    for (const size_t step : {finding.race->first, finding.race->second}) {
      if (step >= finding.trace.size()) continue;
      keep(finding.trace[step].process);
      keep(finding.trace[step].peer);
    }
  }
  keep(finding.process);
  for (const explore::WaitingProcess& process : finding.waiting) keep(process.process);
  for (const std::string_view name : names) keep(name);
  std::erase_if(names, [&](std::string_view name) { return !kept.contains(name); });
  return names;
}

// Where a step stands, or would stand.
size_t row_at(const std::vector<ChartRow>& rows, size_t step) {
  const auto next = std::upper_bound(rows.begin(), rows.end(), step,
                                     [](size_t s, const ChartRow& row) { return s < row.step; });
  return next == rows.begin() ? 0 : static_cast<size_t>(next - rows.begin()) - 1;
}

}  // namespace

size_t Chart::next_line(size_t row, size_t column) const {
  size_t next = column + 1;
  while (next < columns.size() && !columns[next].lives_at(row) && columns[next].end != row) ++next;
  return next;
}

Chart make_chart(const Finding& finding, size_t max_columns) {
  std::vector<NamedRow> rows = rows_of(finding);
  const std::vector<std::string_view> names = columns_of(finding, rows, max_columns);
  Chart chart;
  std::unordered_map<std::string_view, size_t> columns;
  chart.columns.reserve(names.size() + 1);
  for (const std::string_view name : names) {
    columns.emplace(name, chart.columns.size());
    chart.columns.push_back({std::string(name), std::nullopt, std::nullopt, false});
  }
  std::unordered_set<std::string_view> others;
  const auto column_of = [&](std::string_view name) {
    const auto found = columns.find(name);
    if (found != columns.end()) return found->second;
    others.insert(name);
    return names.size();
  };
  chart.rows.reserve(rows.size());
  size_t folded = 0;  // rows since the last one that was kept
  for (NamedRow& named : rows) {
    ChartRow& row = named.row;
    if (row.shape != Shape::Gap) {
      row.from = column_of(named.from);
      if (!named.to.empty()) row.to = column_of(named.to);
      // A column that processes share does not tell which of them it is.
      if (row.to == names.size()) row.label = fmt::format("to {}: {}", named.to, row.label);
      if (row.from == names.size()) row.label = fmt::format("{} {}", named.from, row.label);
      if (row.to == row.from) row.to = std::nullopt;
    }
    // What those do among themselves is least of interest.
    const bool is_folded = row.is_step() && row.from == names.size() && !row.to &&
                           step_mark(finding, row.step) == StepMark::None;
    folded = is_folded ? folded + 1 : 0;
    if (folded < 2) {
      chart.rows.push_back(std::move(row));
    } else {
      chart.rows.back() = {Shape::Gap, chart.rows.back().step, 0, std::nullopt,
                           fmt::format("{} more", folded)};
    }
  }
  if (!others.empty()) {
    chart.columns.push_back(
        {fmt::format("{} more", others.size()), std::nullopt, std::nullopt, true});
  }
  for (size_t i = 0; i < finding.trace.size() && !chart.rows.empty(); ++i) {
    const TraceStep& step = finding.trace[i];
    const auto born = columns.find(step.peer);
    if (step.kind == EventKind::Spawn && born != columns.end()) {
      chart.columns[born->second].begin = row_at(chart.rows, i);
    }
    for (const std::string& name : step.ended) {
      const auto dead = columns.find(name);
      if (dead != columns.end()) chart.columns[dead->second].end = row_at(chart.rows, i);
    }
  }
  return chart;
}

}  // namespace fathom::report
