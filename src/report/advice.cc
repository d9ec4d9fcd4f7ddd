#include "report/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fathom::report {

using explore::Finding;
using explore::TraceStep;
using machine::EventKind;

namespace {

// A time-out that has come first: how long it was, as in "after 100 ms: timed out".
std::string early_time_out(const Finding& finding) {
  constexpr std::string_view kAfter = "after ";
  constexpr std::string_view kUnit = " ms:";
  if (!finding.race) return "";
  for (const size_t i : {finding.race->first, finding.race->second}) {
    if (i >= finding.trace.size() || finding.trace[i].kind != EventKind::After) continue;
    const std::string_view text = finding.trace[i].text;
    const size_t end = text.find(kUnit);
    if (text.starts_with(kAfter) && end != text.npos) {
      return std::string(text.substr(kAfter.size(), end - kAfter.size()));
    }
  }
  return "";
}

bool races_with_timer(const Finding& finding) {
  if (!finding.race) return false;
  return std::ranges::any_of(std::array{finding.race->first, finding.race->second}, [&](size_t i) {
    return i < finding.trace.size() && finding.trace[i].kind == EventKind::Timer;
  });
}

const TraceStep* last_step(const Finding& finding, auto&& is_it) {
  const auto found = std::find_if(finding.trace.rbegin(), finding.trace.rend(), is_it);
  return found == finding.trace.rend() ? nullptr : &*found;
}

// A supervisor that ends with shutdown because of the last exit that it was told of.
std::string tired_supervisor(const Finding& finding) {
  if (finding.reason != "shutdown") return "";
  const std::string& who = finding.signal_from.empty() ? finding.process : finding.signal_from;
  const TraceStep* start = last_step(finding, [&](const TraceStep& step) {
    return step.kind == EventKind::Spawn && step.peer == who;
  });
  const TraceStep* told = last_step(finding, [&](const TraceStep& step) {
    return step.kind == EventKind::Receive && step.process == who;
  });
  const bool is_supervisor = start && (start->via.starts_with("supervisor:") ||
                                       start->text.find("supervisor") != std::string::npos);
  if (!is_supervisor || !told || !told->message.starts_with("{'EXIT',")) return "";
  return fmt::format(
      "{} is a supervisor that gave up: its children exited more often than its intensity and "
      "period allow, the last with {}",
      who, told->message);
}

}  // namespace

std::vector<std::string> advice_on(const Finding& finding) {
  std::vector<std::string> all = finding.advice;
  if (const std::string ms = early_time_out(finding); !ms.empty() && ms != "0") {
    all.push_back(
        fmt::format("if {0} ms are always enough, --patience {0} lets time-outs of {0} ms and more "
                    "fire only when no process can run",
                    ms));
  }
  if (races_with_timer(finding)) {
    all.emplace_back(
        "short timers may fire at any time; --patience N lets those of N ms and more fire only "
        "when no process can run, --timeouts virtual all of them in the order of time");
  }
  if (finding.kind == explore::FindingKind::Exit && finding.reason == "killed") {
    all.emplace_back("if the program kills it on purpose, --treat-as-normal killed says so");
  }
  if (std::string text = tired_supervisor(finding); !text.empty()) all.push_back(std::move(text));
  return all;
}

}  // namespace fathom::report
