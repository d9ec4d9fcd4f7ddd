#include "explore/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/budget.h"
#include "explore/endless.h"
#include "machine/outcome_text.h"
#include "values/compare.h"

namespace fathom::explore {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool is_out_of_budget() { return Budget::current() && Budget::current()->is_spent(); }

}  // namespace

Checker::Checker(machine::Machine& m, std::string name, const CheckOptions& options)
    : machine_(m),
      options_(options),
      start_(now()),
      findings_(options),
      exits_(options),
      waiting_(options, findings_) {
  result_.test = std::move(name);
  machine::identifiers_were_ordered = false;
}

// ---- Executions -------------------------------------------------------------

bool Checker::add(const Search& search, Ending ending) {
  if (ending == Ending::Restart) {
    restart();
    return true;
  }
  const EndedExecution e{search.execution(), ending, search.statistics().interleavings,
                         search.fresh_from(), search.last_reversal()};
  const bool wants_more = add(e);
  report_progress(search);
  return wants_more;
}

void Checker::add_replayed(const EndedExecution& e, const Schedule::Fault& fault) {
  add(e);
  was_stopped_ = true;
  result_.interleavings = 1;
  result_.events = e.trace().size();
  const auto& found = findings_.all();
  const bool has_come = std::any_of(found.begin(), found.end(), [&](const Finding& finding) {
    return fault_of(finding) == fault;
  });
  if (has_come) {
    add_note("the error of the schedule has come again");
  } else if (!fault.kind.empty()) {
    add_reason(fmt::format("the error of the schedule ({} of {}) has not come again", fault.kind,
                           fault.process));
  } else if (found.empty()) {
    add_reason("a replay is one interleaving, and this one has no error");
  }
}

bool Checker::add(const EndedExecution& e) {
  const bool is_blocked = e.ending == Ending::Blocked;
  if (!is_blocked) findings_.begin_interleaving();
  find_findings(e);
  if (!is_blocked) findings_.find_races(e);
  if (options_.wants_race_orders) race_orders_.see(e);
  if (options_.wants_tree) tree_.add(e, !is_blocked && findings_.is_in_current());
  was_stopped_ = true;
  if (!wants_more()) return false;
  if (e.number >= options_.max_interleavings) {
    add_reason(fmt::format("stopped after {} interleavings (--max-interleavings)", e.number));
    return false;
  }
  if (is_out_of_budget()) {
    add_reason(Budget::current()->reason());
    return false;
  }
  was_stopped_ = false;
  return true;
}

// A blocked execution has no end to examine: an equivalent one was explored.
void Checker::find_findings(const EndedExecution& e) {
  exits_.note(e);
  if (e.ending == Ending::Blocked) return;
  for (Finding& finding : exits_.find(e)) findings_.add(e, std::move(finding));
  if (e.ending == Ending::Complete) waiting_.find(e);
  if (e.ending == Ending::Cut) {
    findings_.add(e, endless_finding(e));
    add_reason(
        fmt::format("an interleaving was cut after {} events (--max-depth)", e.trace().size()));
  }
  if (e.ending == Ending::Failed && !is_out_of_budget()) {
    add_reason(machine::outcome_text(*machine_.outcome));
  }
}

bool Checker::wants_more() const {
  return findings_.all().empty() || options_.keep_going || findings_.needs_contrast();
}

void Checker::restart() {
  std::string test = std::move(result_.test);
  result_ = {};
  result_.test = std::move(test);
  findings_.clear();
  exits_.clear();
  waiting_.clear();
  tree_.clear();
  race_orders_.clear();
}

void Checker::report_progress(const Search& search) {
  constexpr double kPause = 0.2;
  if (!options_.progress) return;
  const double time = now() - start_;
  if (time - last_progress_ < kPause) return;
  last_progress_ = time;
  const auto count = static_cast<double>(search.statistics().interleavings);
  options_.progress({search.statistics().interleavings, search.statistics().events,
                     findings_.all().size(), search.pending(), count / search.explored_part(),
                     time});
}

// ---- The result -------------------------------------------------------------

void Checker::add_reason(std::string reason) {
  constexpr size_t kMost = 20;
  auto& reasons = result_.reasons;
  if (reasons.size() >= kMost) return;
  if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
    reasons.push_back(std::move(reason));
  }
}

void Checker::add_search(const Search& search) {
  if (search.explorer().has_polled) {
    result_.assumptions.emplace_back("a polling process lets the others run between polls");
  }
  if (search.is_out_of_budget()) {
    was_stopped_ = true;
    add_reason(Budget::current()->reason());
  }
  result_.interleavings += search.statistics().interleavings;
  result_.blocked += search.statistics().blocked;
  result_.events += search.statistics().events;
  if (search.explorer().impossible > 0) {
    add_reason(
        fmt::format("{} interleavings that should have been possible were not: this is an "
                    "error in Fathom",
                    search.explorer().impossible));
  }
}

void Checker::add_assumptions() {
  const int64_t patience = options_.search.patience;
  if (patience == 0) {
    result_.assumptions.emplace_back("time-outs fire in the order of time");
  } else if (patience < INT64_MAX) {
    result_.assumptions.push_back(fmt::format(
        "time-outs of {} ms or more fire only when no process can run", patience / 1'000'000));
  }
  if (!machine_.mode().delays_delivery) {
    result_.assumptions.emplace_back(
        "messages, links and monitors arrive as soon as they are sent");
  }
  if (machine::identifiers_were_ordered) {
    machine_.inputs().look_at(machine::Input::IdentifierOrder);
  }
  machine_.inputs().for_each_assumption(
      [&](std::string_view text) { result_.assumptions.emplace_back(text); });
  if (machine_.clock().was_read()) {
    result_.assumptions.emplace_back("the virtual clock does not advance while a process can run");
  }
}

CheckResult Checker::finish() {
  constexpr std::string_view kNames[] = {"optimal", "source", "none"};
  for (std::string& note : waiting_.idle_notes()) add_note(std::move(note));
  result_.handled_exits = exits_.take_handled();
  result_.findings = findings_.take();
  result_.tree = tree_.take();
  result_.tree_is_cut = tree_.is_cut();
  if (options_.wants_race_orders) result_.racing = race_orders_.take();
  result_.algorithm = kNames[static_cast<size_t>(options_.search.algorithm)];
  result_.seconds = now() - start_;
  result_.complete = !was_stopped_ && result_.reasons.empty();
  const bool is_bug =
      std::any_of(result_.findings.begin(), result_.findings.end(),
                  [](const Finding& finding) { return finding.kind != FindingKind::Endless; });
  result_.verdict = is_bug ? Verdict::Bug : result_.complete ? Verdict::Clean : Verdict::Unknown;
  add_assumptions();
  return std::move(result_);
}

}  // namespace fathom::explore
