#include "reduce/trace_edits.h"

#include <unordered_map>

namespace fathom::reduce {

using explore::kNoStep;
using explore::TraceStep;

std::optional<explore::Race> moved_race(const explore::Race& race,
                                        const std::vector<TraceStep>& from,
                                        const std::vector<TraceStep>& to) {
  explore::Race moved{kNoStep, kNoStep, race.what};
  size_t at = 0;
  for (size_t i = 0; i < from.size(); ++i) {
    const auto is_same = [&](const TraceStep& step) {
      return step.process == from[i].process && step.kind == from[i].kind;
    };
    while (at < to.size() && !is_same(to[at])) ++at;
    if (at == to.size()) return std::nullopt;
    if (i == race.first) moved.first = at;
    if (i == race.second) moved.second = at;
    ++at;
  }
  if (moved.first == kNoStep || moved.second == kNoStep) return std::nullopt;
  return moved;
}

void drop_plain_ends(explore::Finding& finding) {
  std::vector<TraceStep>& trace = finding.trace;
  std::vector<bool> is_cause(trace.size());
  for (const TraceStep& step : trace) {
    if (step.cause != kNoStep) is_cause[step.cause] = true;
  }
  std::vector<size_t> moved(trace.size(), kNoStep);
  std::unordered_map<std::string, size_t> last;  // of each process
  size_t kept = 0;
  for (size_t i = 0; i < trace.size(); ++i) {
    const bool is_race = finding.race && (finding.race->first == i || finding.race->second == i);
    const bool is_plain =
        trace[i].kind == machine::EventKind::Exit && trace[i].text == "ends" && !is_cause[i];
    const auto before = last.find(trace[i].process);
    if (is_plain && !is_race && before != last.end()) {
      trace[before->second].ended.push_back(trace[i].process);
      continue;
    }
    moved[i] = kept;
    last[trace[i].process] = kept;
    if (kept != i) trace[kept] = std::move(trace[i]);
    ++kept;
  }
  trace.resize(kept);
  for (TraceStep& step : trace) {
    if (step.cause != kNoStep) step.cause = moved[step.cause];
  }
  if (!finding.race) return;
  finding.race->first = moved[finding.race->first];
  finding.race->second = moved[finding.race->second];
}

}  // namespace fathom::reduce
