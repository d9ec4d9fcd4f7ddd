#include "report/check_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "report/places.h"

namespace fathom::report {

using explore::Finding;
using explore::FindingKind;
using explore::TraceStep;
using machine::EventKind;

namespace {

using Kind = StepGroup::Kind;

constexpr size_t kAroundMark = 3;  // steps on each side of a marked one, in a long interleaving

// After the first turn of a loop.
size_t end_of_shown(const Finding& finding) {
  const size_t size = finding.trace.size();
  if (finding.loop_length == 0) return size;
  return std::min(size, finding.loop_begin + finding.loop_length);
}

bool has_failing_step(FindingKind kind) {
  return kind == FindingKind::Exit || kind == FindingKind::Assertion;
}

bool is_racing(const Finding& finding, size_t step) {
  return finding.race && (finding.race->first == step || finding.race->second == step);
}

// Of OTP's code: what the author's has asked it for.
bool is_asked_for(const TraceStep& step) {
  if (!step.caller.span.begin || is_start_up(step)) return false;
  return step.kind == EventKind::Send || step.kind == EventKind::Receive ||
         step.kind == EventKind::Spawn;
}

bool stands_alone(const Finding& finding, size_t step) {
  const EventKind kind = finding.trace[step].kind;
  const StepMark mark = step_mark(finding, step);
  return mark == StepMark::Race || is_bad(mark) || kind == EventKind::Exit ||
         kind == EventKind::ExitSignal || is_asked_for(finding.trace[step]);
}

// The process does the same again, at the same place.
bool is_again(const TraceStep& step, const TraceStep& before) {
  const Place& place = step_place(step);
  return step.kind == before.kind && step.process == before.process && place.span.begin &&
         place.span == step_place(before).span;
}

// Steps of their own that only repeat the one before them become one group.
std::vector<StepGroup> fold_repeats(const Finding& finding, std::vector<StepGroup> groups) {
  constexpr size_t kFew = 3;  // are shown each
  std::vector<StepGroup> folded;
  for (size_t i = 0; i < groups.size();) {
    size_t end = i + 1;
    while (end < groups.size() && groups[i].kind == Kind::Step && groups[end].kind == Kind::Step &&
           step_mark(finding, groups[end].begin) == StepMark::None &&
           is_again(finding.trace[groups[end].begin], finding.trace[groups[end].begin - 1])) {
      ++end;
    }
    folded.push_back(groups[i]);
    if (end - i > kFew) {
      folded.push_back({Kind::Again, groups[i + 1].begin, groups[end - 1].end});
    } else {
      folded.insert(folded.end(), groups.begin() + static_cast<ptrdiff_t>(i) + 1,
                    groups.begin() + static_cast<ptrdiff_t>(end));
    }
    i = end;
  }
  return folded;
}

// The marked steps, in the order of the interleaving. The loop is not among them.
std::vector<size_t> marked_steps(const Finding& finding) {
  std::vector<size_t> steps;
  for (size_t i = 0; i < finding.trace.size(); ++i) {
    const StepMark mark = step_mark(finding, i);
    if (mark == StepMark::Race || is_bad(mark)) steps.push_back(i);
  }
  return steps;
}

// The place after the first term in brackets. Only for those that hold nothing but pids, references
// and lists of them, where a bracket is a bracket.
size_t end_of_brackets(std::string_view text, size_t at) {
  for (size_t depth = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '{' || c == '[' || c == '<') ++depth;
    const bool is_end = c == '}' || c == ']' || c == '>';
    if (is_end && depth > 0 && --depth == 0) return at + 1;
  }
  return at;
}

}  // namespace

bool is_start_up(const TraceStep& step) {
  return step.is_library && step.kind != EventKind::Spawn && step.function.starts_with("proc_lib:");
}

StepMark step_mark(const Finding& finding, size_t step) {
  if (has_failing_step(finding.kind)) {
    const std::vector<std::string>& ended = finding.trace[step].ended;
    if (std::ranges::find(ended, finding.process) != ended.end()) return StepMark::Fail;
  } else if (step + 1 == finding.trace.size()) {
    return StepMark::Last;
  }
  if (is_racing(finding, step)) return StepMark::Race;
  const bool is_in_loop =
      finding.loop_length > 0 && step >= finding.loop_begin && step < end_of_shown(finding);
  return is_in_loop ? StepMark::Loop : StepMark::None;
}

std::string_view mark_word(StepMark mark) {
  switch (mark) {
    case StepMark::None:
      return "";
    case StepMark::Race:
      return "race";
    case StepMark::Fail:
      return "fail";
    case StepMark::Last:
      return "last";
    case StepMark::Loop:
      return "loop";
  }
  return "";
}

std::vector<StepGroup> group_steps(const Finding& finding, const StepOptions& options) {
  const size_t end = end_of_shown(finding);
  const std::vector<size_t> marked = marked_steps(finding);
  // A few steps more are shown rather than left out.
  const bool has_failed = std::ranges::any_of(
      marked, [&](size_t step) { return step_mark(finding, step) == StepMark::Fail; });
  const bool has_aftermath = options.brief && has_failed && marked.back() + kAroundMark + 1 < end;
  const size_t interesting = has_aftermath ? marked.back() + 1 : end;
  const auto is_folded = [&](size_t step) {
    return options.brief && finding.trace[step].is_library && !stands_alone(finding, step);
  };
  size_t singles = 0;
  for (size_t step = 0; step < interesting; ++step) singles += is_folded(step) ? 0 : 1;
  const bool is_long = singles > options.most;

  std::vector<StepGroup> groups;
  groups.reserve(std::min(end, options.most * 2) + 2);
  const auto add = [&](Kind kind, size_t step) {
    if (kind != Kind::Step && !groups.empty() && groups.back().kind == kind) {
      groups.back().end = step + 1;
    } else {
      groups.push_back({kind, step, step + 1});
    }
  };
  size_t before = 0;  // single steps
  auto next_mark = marked.begin();
  for (size_t step = 0; step < interesting; ++step) {
    while (next_mark != marked.end() && *next_mark + kAroundMark < step) ++next_mark;
    const bool is_near_mark = next_mark != marked.end() && *next_mark <= step + kAroundMark;
    const bool is_at_an_end =
        before < options.most / 3 || singles - before <= options.most - options.most / 3;
    const bool folded = is_folded(step);
    const bool is_shown = !is_long || is_at_an_end || is_near_mark;
    add(!is_shown ? Kind::Omitted : folded ? Kind::Library : Kind::Step, step);
    before += folded ? 0 : 1;
  }
  if (interesting < end) groups.push_back({Kind::Omitted, interesting, end});
  if (end < finding.trace.size()) groups.push_back({Kind::Repeats, end, finding.trace.size()});
  return options.brief ? fold_repeats(finding, std::move(groups)) : groups;
}

std::string step_text(const TraceStep& step) {
  const std::string message = message_text(step);
  if (message != step.message) {
    if (step.kind == EventKind::Receive) return "receive " + message;
    if (step.kind == EventKind::Send && !step.peer.empty()) {
      return fmt::format("{} to {}", message, step.peer);
    }
  }
  if (step.kind == EventKind::Spawn && !step.via.empty() && !step.peer.empty()) {
    return fmt::format("{} → {}", step.via, step.peer);
  }
  return step.result.empty() ? step.text : fmt::format("{} → {}", step.text, step.result);
}

const Place& step_place(const TraceStep& step) {
  return step.place.span.begin || !step.caller.span.begin ? step.place : step.caller;
}

std::string step_place_text(const TraceStep& step, const SourceMap& sources) {
  const Place& place = step_place(step);
  if (place.span.begin || step.function.empty()) return place_text(place, sources);
  if (place.line == 0) return "in " + step.function;
  return fmt::format("in {}, line {}", step.function, place.line);
}

std::string via_text(const TraceStep& step) {
  if (step.via.empty() || step_text(step).starts_with(step.via)) return "";
  return fmt::format("via {}", step.via);
}

std::string message_text(const TraceStep& step) {
  const std::string_view text = step.message;
  if (!step.is_library || !text.ends_with('}')) return step.message;
  const auto rest = [&](std::string_view word, size_t begin) {
    return fmt::format("{} {}", word, text.substr(begin, text.size() - begin - 1));
  };
  constexpr std::string_view kCast = "{'$gen_cast',";
  if (text.starts_with(kCast)) return rest("cast", kCast.size());
  // Then comes the process that has asked, with a tag: {P,[alias|#Ref<0.1.2.3>]}.
  constexpr std::string_view kCall = "{'$gen_call',";
  const bool is_call = text.starts_with(kCall);
  if (!is_call && !text.starts_with("{[alias|#Ref<") && !text.starts_with("{#Ref<")) {
    return step.message;
  }
  const size_t end = end_of_brackets(text, is_call ? kCall.size() : 1);
  if (end >= text.size() || text[end] != ',') return step.message;
  return rest(is_call ? "call" : "reply", end + 1);
}

namespace {

// "#Ref<0.256.4096.1>" in a text becomes "#Ref<1>".
class ShortReferences {
 public:
  void shorten(std::string& text) {
    constexpr std::string_view kBegin = "#Ref<";
    for (size_t at = 0; (at = text.find(kBegin, at)) != std::string::npos; at += kBegin.size()) {
      const size_t begin = at + kBegin.size();
      const size_t end = text.find('>', begin);
      if (end == std::string::npos) return;
      const std::string number = text.substr(begin, end - begin);
      if (number.find_first_not_of("0123456789.") != std::string::npos) continue;
      const auto found = numbers_.emplace(number, numbers_.size() + 1).first;
      text.replace(begin, end - begin, fmt::format("{}", found->second));
    }
  }

 private:
  std::unordered_map<std::string, size_t> numbers_;
};

}  // namespace

void shorten_references(Finding& finding) {
  ShortReferences references;
  for (TraceStep& step : finding.trace) {
    for (std::string* text : {&step.text, &step.result, &step.message}) references.shorten(*text);
  }
  references.shorten(finding.reason);
  for (machine::Frame& frame : finding.stack) references.shorten(frame.function);
  if (finding.race) references.shorten(finding.race->what);
  for (explore::WaitingProcess& process : finding.waiting) {
    references.shorten(process.request);
    for (std::string& message : process.mailbox) references.shorten(message);
  }
}

std::vector<std::pair<std::string, std::string>> registered_names(const Finding& finding) {
  constexpr std::string_view kRegister = "register(";
  std::vector<std::pair<std::string, std::string>> names;
  for (const TraceStep& step : finding.trace) {
    const std::string_view text = step.text;
    const size_t comma = text.rfind(", ");
    if (!text.starts_with(kRegister) || !text.ends_with(')') || comma == text.npos) continue;
    if (step.result != "true") continue;
    names.emplace_back(text.substr(comma + 2, text.size() - comma - 3),
                       text.substr(kRegister.size(), comma - kRegister.size()));
  }
  return names;
}

std::string finding_sentence(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::Exit:
      if (!finding.signal_from.empty() && finding.signal_from != finding.process) {
        return fmt::format("{} exits: {}, by a signal from {}", finding.process, finding.reason,
                           finding.signal_from);
      }
      return fmt::format("{} exits: {}", finding.process, finding.reason);
    case FindingKind::Assertion:
      return fmt::format("an assertion fails in {}: {}", finding.process, finding.reason);
    case FindingKind::Halt:
      return fmt::format("{} halts: {}", finding.process, finding.reason);
    case FindingKind::Deadlock:
    case FindingKind::Stuck:
    case FindingKind::Endless:
      break;
  }
  // The reason is a sentence, which may begin with that word.
  const std::string_view name = explore::finding_kind_name(finding.kind);
  if (finding.reason.starts_with(name)) return finding.reason;
  return fmt::format("{}: {}", name, finding.reason);
}

}  // namespace fathom::report
