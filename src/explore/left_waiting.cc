#include "explore/left_waiting.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "base/hash.h"
#include "explore/at_rest.h"
#include "explore/execution_report.h"

namespace fathom::explore {
namespace {

// Which processes wait where; 0: none does.
uint64_t waiting_key(machine::Machine& m) {
  uint64_t key = 0;
  m.processes().for_each([&](const machine::Process& p) {
    if (p.is_system) return;
    key = hash_combine(hash_combine(key, p.pid.local_number()), reinterpret_cast<uint64_t>(p.pc));
  });
  return key;
}

// "; P.1 waits for P.2, P.2 for P.1", or nothing.
std::string circle_text(machine::Machine& m) {
  const std::vector<const machine::Process*> circle = find_circle(m);
  std::string text;
  for (size_t i = 0; i < circle.size(); ++i) {
    const machine::Process& next = *circle[(i + 1) % circle.size()];
    text += fmt::format("{} {}{} for {}", i == 0 ? ";" : ",", machine::process_name(*circle[i]),
                        i == 0 ? " waits" : "", machine::process_name(next));
  }
  return text;
}

}  // namespace

void LeftWaiting::find(const EndedExecution& e) {
  machine::Machine& m = e.execution.machine();
  if (m.outcome) return;
  const uint64_t key = waiting_key(m);
  if (key == 0) return;
  const auto [it, is_new] = known_.try_emplace(key, std::nullopt);
  if (is_new) {
    it->second = add(e);
  } else if (it->second) {
    findings_.see_again(*it->second);
  }
}

void LeftWaiting::set_aside_idle(std::vector<WaitingProcess>& waiting) {
  for (const WaitingProcess& p : waiting) {
    if (!p.is_idle) continue;
    std::vector<std::string>& there = idle_[p.function];
    std::string name = p.name.empty() ? p.process : fmt::format("{} ({})", p.process, p.name);
    if (std::find(there.begin(), there.end(), name) == there.end()) {
      there.push_back(std::move(name));
    }
  }
  std::erase_if(waiting, [](const WaitingProcess& p) { return p.is_idle; });
}

std::optional<size_t> LeftWaiting::add(const EndedExecution& e) {
  std::vector<WaitingProcess> waiting = ExecutionReport(e.execution).waiting();
  const auto first = std::find_if(waiting.begin(), waiting.end(),
                                  [](const WaitingProcess& p) { return p.process == "P"; });
  const bool is_deadlock = first != waiting.end();
  if (!is_deadlock && options_.allow_leftover) return std::nullopt;
  if (!is_deadlock && !options_.strict_end) set_aside_idle(waiting);
  if (waiting.empty()) return std::nullopt;
  Finding finding;
  const WaitingProcess& shown = is_deadlock ? *first : waiting.front();
  finding.kind = is_deadlock ? FindingKind::Deadlock : FindingKind::Stuck;
  finding.process = shown.process;
  finding.place = shown.place.span.begin || !shown.caller.span.begin ? shown.place : shown.caller;
  const std::string what = awaited(shown);
  finding.reason = what.empty() ? fmt::format("{} waits for ever", shown.process)
                                : fmt::format("{} waits for {}", shown.process, what);
  finding.reason += circle_text(e.execution.machine());
  finding.waiting = std::move(waiting);
  return findings_.add(e, std::move(finding));
}

std::vector<std::string> LeftWaiting::idle_notes() const {
  constexpr size_t kMost = 3;
  std::vector<std::string> notes;
  for (const auto& [function, all] : idle_) {
    const auto named = std::span(all).first(std::min(all.size(), kMost));
    const std::string more =
        all.size() > kMost ? fmt::format(" and {} more", all.size() - kMost) : "";
    notes.push_back(fmt::format("{}{} {} idle in {} at the end", fmt::join(named, ", "), more,
                                all.size() == 1 ? "was" : "were", function));
  }
  return notes;
}

void LeftWaiting::clear() {
  known_.clear();
  idle_.clear();
}

}  // namespace fathom::explore
