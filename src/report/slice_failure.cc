// Slices of executions that went wrong.
#include <fmt/format.h>

#include "base/json.h"
#include "report/check_steps.h"
#include "report/places.h"
#include "report/slice_report.h"

namespace fathom::report {
namespace {

using explore::Finding;
using explore::TraceStep;
using reduce::Dependences;

std::string_view name_of(Dependences dependences) {
  switch (dependences) {
    case Dependences::Execution:
      return "execution";
    case Dependences::Messages:
      return "messages";
    case Dependences::Program:
      return "program";
  }
  return "";
}

std::string race_sentence(const Finding& finding) {
  return fmt::format("The order of steps {} and {} makes the difference{}.",
                     finding.race->first + 1, finding.race->second + 1,
                     finding.race->what.empty() ? "" : ": they race on " + finding.race->what);
}

std::vector<std::string> steps_of(const FailureResult& result) {
  std::vector<std::string> lines;
  for (const TraceStep& step : result.failure.reproduced.trace) {
    const std::string where = step_place_text(step, result.sources);
    lines.push_back(fmt::format("{}: {}{}", step.process, step_text(step),
                                where.empty() ? "" : "  (" + where + ")"));
  }
  return lines;
}

void write_step(JsonWriter& json, const TraceStep& step, const SourceMap& sources) {
  json.begin_object(JsonWriter::Shape::Inline);
  json.field("process", step.process);
  json.field("text", step.text);
  write_location(json, step_place(step), sources);
  json.end_object();
}

}  // namespace

std::string failure_slice_text(const FailureResult& result) {
  const Finding& finding = result.failure.reproduced;
  const slice::Slice& slice = result.failure.slice;
  std::string out = slice_text(slice);
  out += fmt::format("\n%% {} still fails: {}\n", result.call, finding_sentence(finding));
  const std::vector<std::string> steps = steps_of(result);
  out += fmt::format("%% {} of {} nodes are left, and {} of {} steps:\n", slice.nodes_kept,
                     slice.nodes_total, steps.size(), result.failure.original.trace.size());
  for (size_t i = 0; i < steps.size(); ++i) out += fmt::format("%% {:>3}  {}\n", i + 1, steps[i]);
  if (finding.race) out += "%% " + race_sentence(finding) + "\n";
  if (!result.failure.is_in_same_order && !result.failure.minimal) {
    out +=
        "%% The slice does not fail in the order of the original's steps; this is another one.\n";
  }
  return out;
}

SlicePage failure_page(const FailureResult& result) {
  const Finding& finding = result.failure.reproduced;
  return {.slice = result.failure.slice,
          .reasons = result.failure.reasons,
          .sources = result.sources,
          .criteria = {"the error"},
          .question = fmt::format("What led to the error of {}", result.call),
          .conclusion = finding_sentence(finding) + (finding.race ? ". " : "") +
                        (finding.race ? race_sentence(finding) : ""),
          .steps = steps_of(result)};
}

std::string failure_slice_json(const FailureResult& result) {
  const Finding& finding = result.failure.reproduced;
  const slice::Slice& slice = result.failure.slice;
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.field("command", "slice");
  json.field("verdict", "bug");
  json.field("call", result.call);
  json.key("error");
  json.begin_object();
  json.field("kind", explore::finding_kind_name(finding.kind));
  json.field("process", finding.process);
  json.field("reason", finding.reason);
  write_location(json, finding.place, result.sources);
  json.end_object();
  json.field("dependences", name_of(result.failure.dependences));
  json.field("same_order", result.failure.is_in_same_order);
  json.field("nodes_total", slice.nodes_total);
  json.field("nodes_kept", slice.nodes_kept);
  json.field("steps_total", result.failure.original.trace.size());
  json.key("steps");
  json.begin_array();
  for (const TraceStep& step : finding.trace) write_step(json, step, result.sources);
  json.end_array();
  if (finding.race) {
    json.key("race");
    json.begin_object();
    json.field("first", finding.race->first);
    json.field("second", finding.race->second);
    json.field("what", finding.race->what);
    json.end_object();
  }
  write_modules(json, slice);
  json.field("seconds", result.seconds);
  json.end_object();
  json.finish();
  return out;
}

}  // namespace fathom::report
