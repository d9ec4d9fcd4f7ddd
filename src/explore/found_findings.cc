#include "explore/found_findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "explore/execution_report.h"

namespace fathom::explore {
namespace {

// What makes two findings the same.
std::string key_of(const Finding& finding) {
  // Where a signal meets a process makes no difference.
  const Place place = finding.signal_from.empty() ? finding.place : Place();
  return fmt::format("{} {} {} {}:{}", static_cast<int>(finding.kind), finding.process,
                     finding.reason, place.file, place.line);
}

std::vector<EventId> events_of(const Trace& trace) {
  std::vector<EventId> ids;
  ids.reserve(trace.size());
  for (EventIndex i{}; i < trace.end(); ++i) ids.push_back(trace[i].id);
  return ids;
}

// The object on which the two conflict in this interleaving; empty: it does not have both.
std::string contended_object(const EndedExecution& e, const Reversal& reversal) {
  const Trace& trace = e.trace();
  EventIndex first = kNoEvent;
  EventIndex second = kNoEvent;
  for (EventIndex i{}; i < trace.end(); ++i) {
    if (trace[i].id == reversal.first) first = i;
    if (trace[i].id == reversal.second) second = i;
  }
  if (!exists(first) || !exists(second)) return "";
  return ExecutionReport(e.execution)
      .contended_object(std::min(first, second), std::max(first, second));
}

}  // namespace

bool FoundFindings::is_wanted(const Finding& finding) const {
  const auto& ignored = options_.ignored;
  if (std::find(ignored.begin(), ignored.end(), finding.kind) != ignored.end()) return false;
  if (options_.assertions_only && finding.kind == FindingKind::Exit) return false;
  return !options_.first_process_only || finding.process == "P" || finding.ends_test ||
         finding.kind == FindingKind::Halt || finding.kind == FindingKind::Endless ||
         finding.kind == FindingKind::Deadlock;
}

std::optional<size_t> FoundFindings::add(const EndedExecution& e, Finding finding) {
  if (!is_wanted(finding)) return std::nullopt;
  std::string key = key_of(finding);
  for (size_t i = 0; i < known_.size(); ++i) {
    if (known_[i].key != key) continue;
    see_again(i);
    return i;
  }
  const ExecutionReport report(e.execution);
  finding.trace = report.steps();
  finding.schedule = report.schedule();
  finding.schedule.fault = fault_of(finding);
  finding.schedule.has_end = e.ending != Ending::Cut;
  finding.output = e.execution.machine().output().text();
  finding.interleaving = e.number;
  known_.push_back({std::move(key), events_of(e.trace()), current_, current_, current_ > 1});
  findings_.push_back(std::move(finding));
  return known_.size() - 1;
}

void FoundFindings::see_again(size_t finding) {
  known_[finding].last_in = current_;
  ++findings_[finding].count;
}

bool FoundFindings::is_in_current() const {
  return std::any_of(known_.begin(), known_.end(),
                     [&](const Known& known) { return known.last_in == current_; });
}

// ---- The race that makes the difference -------------------------------------

// An interleaving with a finding and the first one after it without the finding, or vice versa,
// differ in the race that was reversed last.
void FoundFindings::find_races(const EndedExecution& e) {
  for (size_t i = 0; i < findings_.size(); ++i) {
    Known& known = known_[i];
    const bool is_new = known.first_in == current_;
    const bool is_avoided = known.last_in != current_;
    known.is_avoided = known.is_avoided || is_avoided;
    const bool differs = is_new ? current_ > 1 : is_avoided;
    if (differs && e.reversal && !findings_[i].race) find_race(e, known, findings_[i]);
  }
}

// The steps that are shown are those of the interleaving with the finding; that which is compared
// with it here may be another one.
void FoundFindings::find_race(const EndedExecution& e, const Known& known, Finding& finding) {
  const std::vector<EventId>& ids = known.events;
  const auto first = std::find(ids.begin(), ids.end(), e.reversal->first);
  const auto second = std::find(ids.begin(), ids.end(), e.reversal->second);
  if (first == ids.end() || second == ids.end()) return;
  finding.race = Race{static_cast<size_t>(std::min(first, second) - ids.begin()),
                      static_cast<size_t>(std::max(first, second) - ids.begin()),
                      contended_object(e, *e.reversal)};
}

bool FoundFindings::needs_contrast() const {
  constexpr uint64_t kMost = 1000;  // interleavings without a difference
  const Finding& finding = findings_.front();
  if (finding.race || known_.front().is_avoided) return false;
  return finding.kind != FindingKind::Endless && finding.count < kMost;
}

void FoundFindings::clear() {
  findings_.clear();
  known_.clear();
  current_ = 0;
}

}  // namespace fathom::explore
