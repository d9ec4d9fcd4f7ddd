#include "reduce/projected.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>

namespace fathom::reduce {
namespace {

using explore::kNoStep;
using explore::TraceStep;
using machine::EventKind;

class Projecting {
 public:
  Projecting(const explore::Finding& original, const slice::Slice& slice, const SourceMap& sources,
             ProjectionGuess guess)
      : original_(original), slice_(slice), sources_(sources), guess_(guess) {
    names_["P"] = "P";
  }

  Projection made();

 private:
  bool is_kept(size_t step);
  bool is_kept(const Place& place) const;
  bool is_kept(const slice::SlicedModule& m, Loc at) const;
  bool is_line_kept(const slice::SlicedModule& m, uint32_t line) const;
  bool is_end_of_failure(const TraceStep& step) const;
  // The process is started: what it is called in the slice.
  void start(const TraceStep& spawn);
  // None: its process is not in the slice.
  std::optional<explore::Choice> renamed(const explore::Choice& choice) const;
  const std::string* name(const std::string& process) const {
    const auto found = names_.find(process);
    return found == names_.end() ? nullptr : &found->second;
  }

  const explore::Finding& original_;
  const slice::Slice& slice_;
  const SourceMap& sources_;
  const ProjectionGuess guess_;
  std::unordered_map<std::string, std::string> names_;  // of processes, in the slice
  std::unordered_map<std::string, uint32_t> children_;  // by name in the slice
  std::unordered_set<std::string> passing_;             // by name in the original: see is_kept
  Projection result_;
};

bool Projecting::is_kept(const Place& place) const {
  for (const slice::SlicedModule& m : slice_.modules) {
    // Of calls into OTP's code the line alone is known.
    if (!place.span.begin) {
      if (std::filesystem::path(place.file).filename() !=
          std::filesystem::path(m.module->unit().path).filename()) {
        continue;
      }
      return is_line_kept(m, place.line);
    }
    if (sources_.file_of(place.span.begin) != *m.module->unit().file) continue;
    if (place.span.begin == place.span.end) return is_line_kept(m, place.line);
    return is_kept(m, place.span.begin);
  }
  return false;
}

bool Projecting::is_kept(const slice::SlicedModule& m, Loc at) const {
  const uint32_t offset = at.index() - sources_.start(*m.module->unit().file).index();
  return std::any_of(m.kept.begin(), m.kept.end(), [&](const slice::TextRange& r) {
    return r.begin <= offset && offset < r.end;
  });
}

// Whether a call of another module's function is left in the line.
bool Projecting::is_line_kept(const slice::SlicedModule& m, uint32_t line) const {
  const Unit& unit = m.module->unit();
  const Ast& ast = unit.ast;
  for (uint32_t i = 0; i < ast.size(); ++i) {
    const core::AstId id{i};
    if (!ast.is(id, NodeKind::Call)) continue;
    if (!ast.is(ast.get<node::Call>(id).function, NodeKind::Remote)) continue;
    const auto span = unit.used_span(id);
    if (!span || sources_.file_of(span->begin) != *unit.file) continue;
    if (sources_.line_column(span->begin).line == line && is_kept(m, span->begin)) return true;
  }
  return false;
}

bool Projecting::is_kept(size_t i) {
  const TraceStep& step = original_.trace[i];
  if (!name(step.process)) return false;
  // It gives up a table or a name, if it has made that.
  if (step.kind == EventKind::Exiting) return guess_.keeps_exiting;
  const Place& place = step.is_library ? step.caller : step.place;
  if (place.span.begin || place.line > 0) return is_kept(place);
  if (!step.is_library) return true;  // it has none: an exit, a timer
  // A loop of OTP's, which serves one message after the other.
  if (step.kind == EventKind::Receive) {
    if (step.cause != kNoStep && result_.steps[step.cause] == kNoStep) {
      passing_.insert(step.process);
    } else {
      passing_.erase(step.process);
    }
  }
  return guess_.keeps_library && !passing_.contains(step.process);
}

void Projecting::start(const TraceStep& spawn) {
  const std::string& parent = *name(spawn.process);
  names_[spawn.peer] = parent + "." + std::to_string(++children_[parent]);
}

std::optional<explore::Choice> Projecting::renamed(const explore::Choice& choice) const {
  explore::Choice result = choice;
  const std::string* const process = name(choice.process.text());
  if (!process) return std::nullopt;
  result.process = explore::ProcessName(*process);
  if (choice.to.empty()) return result;
  const std::string* const to = name(choice.to.text());
  if (!to) return std::nullopt;
  result.to = explore::ProcessName(*to);
  return result;
}

// Where the process that fails begins to end it has failed; what comes after is left to itself,
// since a slice may have fewer tables and names to give up.
bool Projecting::is_end_of_failure(const TraceStep& step) const {
  return step.process == original_.process &&
         (step.kind == EventKind::Exiting || step.kind == EventKind::Exit);
}

Projection Projecting::made() {
  const explore::Schedule& schedule = original_.schedule;
  result_.schedule = schedule;
  result_.schedule.steps.clear();
  result_.schedule.has_end = false;  // the slice may go on
  result_.steps.assign(original_.trace.size(), kNoStep);
  size_t event = 0;
  size_t kept = 0;
  for (size_t i = 0; i < schedule.steps.size() && event < original_.trace.size(); ++i) {
    explore::Step step = schedule.steps[i];
    if (is_end_of_failure(original_.trace[event])) break;
    const bool stays = is_kept(event);
    const auto choice = renamed(step.choice);
    if (stays && choice) {
      step.choice = *choice;
      result_.schedule.steps.push_back(step);
    }
    if (step.is_half()) continue;
    if (stays && choice) {
      result_.steps[event] = kept++;
      if (step.kind == EventKind::Spawn) start(original_.trace[event]);
    }
    ++event;
  }
  return std::move(result_);
}

}  // namespace

Projection projected(const explore::Finding& original, const slice::Slice& slice,
                     const SourceMap& sources, ProjectionGuess guess) {
  return Projecting(original, slice, sources, guess).made();
}

}  // namespace fathom::reduce
