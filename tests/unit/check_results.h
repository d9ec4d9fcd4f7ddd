// Results of checks, made by hand, for tests of reports.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/source.h"
#include "explore/findings.h"

namespace fathom::report {

// A source text, and the places of expressions in it.
class SampleText {
 public:
  SampleText(std::string name, std::string text) : name_(std::move(name)) {
    file_ = *sources_.add(name_, std::move(text));
  }

  const SourceMap& sources() const { return sources_; }

  // Where the words stand first.
  Place at(std::string_view words) const {
    const auto offset = static_cast<uint32_t>(sources_.text(file_).find(words));
    Place place;
    place.span.begin = sources_.start(file_).plus(offset);
    place.span.end = place.span.begin.plus(static_cast<uint32_t>(words.size()));
    place.file = name_;
    place.line = sources_.line_column(place.span.begin).line;
    return place;
  }

 private:
  SourceMap sources_;
  std::string name_;
  FileId file_;
};

inline constexpr std::string_view kCounter = R"(-module(counter).
-export([test/0]).

test() ->
    spawn(fun() -> register(counter, self()), loop(0) end),
    counter ! {add, 2, self()},
    receive {total, 2} -> ok end.

loop(N) ->
    receive {add, K, From} -> From ! {total, N + K}, loop(N + K) end.
)";

inline SampleText counter_text() { return {"counter.erl", std::string(kCounter)}; }

inline explore::TraceStep step_of(std::string process, machine::EventKind kind, std::string text,
                                  Place place) {
  explore::TraceStep step;
  step.process = std::move(process);
  step.kind = kind;
  step.text = std::move(text);
  step.place = std::move(place);
  return step;
}

// Of P's children.
inline std::string child_name(size_t number) { return "P." + std::to_string(number); }

inline explore::Step step_of(std::string_view process, machine::EventKind kind,
                             std::string comment = "") {
  return {{.process = explore::ProcessName(process)}, kind, std::move(comment), 0};
}

// P sends before P.1 has the name.
inline explore::Finding name_race(const SampleText& text) {
  using machine::EventKind;
  explore::Finding finding;
  finding.kind = explore::FindingKind::Exit;
  finding.process = "P";
  finding.reason = "badarg";
  finding.place = text.at("counter ! {add, 2, self()}");
  finding.stack = {{"counter:test/0", "counter.erl", 6}};
  finding.trace = {
      step_of("P", EventKind::Spawn, "spawn(counter,'-test/0-fun-0-',[])", text.at("spawn(")),
      step_of("P", EventKind::Send, "counter ! {add,2,P}", finding.place),
      step_of("P.1", EventKind::Register, "register(counter,P.1)", text.at("register(counter")),
      step_of("P", EventKind::Exit, "exit(badarg)", {}),
  };
  finding.trace[0].result = "P.1";
  finding.trace[0].peer = "P.1";
  finding.trace[1].message = "{add,2,P}";
  finding.trace[1].result = "raises error: badarg";
  finding.trace[2].result = "true";
  finding.trace[3].ended = {"P"};
  finding.race = explore::Race{1, 2, "the name counter"};
  finding.schedule.steps = {step_of("P", machine::EventKind::Spawn, "counter.erl:5"),
                            step_of("P", machine::EventKind::Send),
                            step_of("P.1", machine::EventKind::Register),
                            step_of("P", machine::EventKind::Exit)};
  finding.schedule.has_end = true;
  finding.interleaving = 2;
  return finding;
}

// What comes right goes wrong later: P waits for another answer than the one that comes.
inline explore::Finding wrong_answer(const SampleText& text) {
  using machine::EventKind;
  explore::Finding finding;
  finding.kind = explore::FindingKind::Deadlock;
  finding.process = "P";
  finding.reason = "every process waits for a message that nobody can send";
  finding.place = text.at("receive {total, 2} -> ok end");
  finding.trace = {
      step_of("P", EventKind::Spawn, "spawn(counter,'-test/0-fun-0-',[])", text.at("spawn(")),
      step_of("P.1", EventKind::Register, "register(counter,P.1)", text.at("register(counter")),
      step_of("P", EventKind::Send, "counter ! {add,2,P}", text.at("counter ! {add")),
      step_of("P.1", EventKind::Receive, "receive {add,2,P}", text.at("receive {add")),
      step_of("P.1", EventKind::Send, "P ! {total,3}", text.at("From ! {total")),
  };
  finding.trace[0].peer = finding.trace[0].result = "P.1";
  finding.trace[2].peer = "P.1";
  finding.trace[2].message = finding.trace[3].message = "{add,2,P}";
  finding.trace[3].cause = 2;
  finding.trace[4].peer = "P";
  finding.trace[4].message = "{total,3}";
  finding.waiting = {
      {"P", "", "counter:test/0", finding.place, "{total,2}", {"{total,3}"}, false},
      {"P.1", "counter", "counter:loop/1", text.at("receive {add"), "{add,_,_}", {}, false},
      {"P.2", "logger", "gen_server:loop/7", {}, "", {}, true}};
  return finding;
}

inline explore::CheckResult result_of(Verdict verdict) {
  explore::CheckResult result;
  result.test = "counter:test()";
  result.verdict = verdict;
  result.complete = verdict != Verdict::Unknown;
  result.algorithm = "optimal";
  result.interleavings = 3;
  result.events = 14;
  result.seconds = 0.25;
  return result;
}

}  // namespace fathom::report
