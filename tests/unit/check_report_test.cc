// Tests of how the results of checks are told.
#include "report/check_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "check_results.h"
#include "report/advice.h"
#include "report/check_steps.h"
#include "report/places.h"

namespace fathom::report::check_report_test {
namespace {

using explore::CheckResult;
using explore::FindingKind;
using machine::EventKind;
using nlohmann::json;

std::string report_of(std::string_view format, std::vector<CheckResult> results,
                      const SourceMap& sources, const CheckReportOptions& options = {}) {
  std::string out;
  const auto report = make_check_report(
      format, [&](std::string_view text) { out += text; }, sources, options);
  CheckSummary summary;
  summary.seconds = 1.5;
  for (CheckResult& result : results) {
    summary.add(result);
    report->add(std::move(result));
  }
  report->finish(summary);
  return out;
}

CheckResult with_finding(explore::Finding finding) {
  CheckResult result = result_of(Verdict::Bug);
  result.findings.push_back(std::move(finding));
  return result;
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

TEST(CheckText, ShowsARaceOnOneScreen) {
  const SampleText text = counter_text();
  EXPECT_EQ(report_of("text", {with_finding(name_race(text))}, text.sources()),
            R"(bug: 1 error in 3 interleavings of counter:test(), complete; 14 events in 0.25 s

counter.erl:6:5: error: P exits: badarg
      counter ! {add, 2, self()},
      ^~~~~~~~~~~~~~~~~~~~~~~~~~
  in counter:test/0  (counter.erl:6)
  seen in 1 of 3 interleavings, first in the 2nd

Race on the name counter: the outcome depends on which of these comes first.
counter.erl:6:5: note: first here, step 2: P: counter ! {add,2,P} → raises error: badarg
      counter ! {add, 2, self()},
      ^~~~~~~~~~~~~~~~~~~~~~~~~~
counter.erl:5:20: note: second here, step 3: P.1: register(counter,P.1) → true
      spawn(fun() -> register(counter, self()), loop(0) end),
                     ^~~~~~~~~~~~~~~~

Step by step, in counter.erl:
     1  P    spawn(counter,'-test/0-fun-0-',[]) → P.1    5:5   spawn(fun() -> register(counter, sel…
race 2  P    counter ! {add,2,P} → raises error: badarg  6:5   counter ! {add, 2, self()},
race 3  P.1  register(counter,P.1) → true                5:20  spawn(fun() -> register(counter, sel…
fail 4  P    exit(badarg)

Messages:
        P                                             P.1
     1  ├─ spawn ────────────────────────────────────→○
race 2  ├ counter ! {add,2,P} → raises error: badarg  │
race 3  │                                             ├ register(counter,P.1) → true
fail 4  ✗ exit(badarg)                                │

)");
}

TEST(CheckText, SaysWhoWaitsForWhat) {
  const SampleText text = counter_text();
  const std::string out = report_of("text", {with_finding(wrong_answer(text))}, text.sources());
  EXPECT_TRUE(has(out, R"(
counter.erl:7:5: error: deadlock: every process waits for a message that nobody can send
  seen in 1 of 3 interleavings

Who waits:
counter.erl:7:5: note: P waits in counter:test/0 for {total,2}
      receive {total, 2} -> ok end.
      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
  1 message has arrived that it does not take:
    {total,3}
counter.erl:10:5: note: P.1 (counter) waits in counter:loop/1 for {add,_,_}
      receive {add, K, From} -> From ! {total, N + K}, loop(N + K) end.
      ^~~~~~~~~~~~
  its mailbox is empty
  P.2 (logger) is idle, in gen_server:loop/7
)")) << out;
  EXPECT_TRUE(has(out, "     4  P.1  receive {add,2,P}  (from step 3)  ")) << out;
}

TEST(CheckText, ShowsWhatRepeatsOnce) {
  const SampleText text = counter_text();
  explore::Finding finding = wrong_answer(text);
  finding.kind = FindingKind::Endless;
  finding.reason = "no end after 105 steps";
  finding.waiting.clear();
  for (int i = 0; i < 50; ++i) {
    finding.trace.push_back(finding.trace[3]);
    finding.trace.push_back(finding.trace[4]);
  }
  finding.loop_begin = 3;
  finding.loop_length = 2;
  const std::string out = report_of("text", {with_finding(std::move(finding))}, text.sources());
  EXPECT_TRUE(has(out, "warning: endless: no end after 105 steps\n")) << out;
  EXPECT_TRUE(has(out, "loop   4  P.1  receive {add,2,P}")) << out;
  EXPECT_TRUE(has(out, "loop   5  P.1  P ! {total,3}")) << out;
  EXPECT_TRUE(has(out, "\n       6  …    to 105, and so on: the 2 steps above again, 50 times\n"))
      << out;
  EXPECT_TRUE(has(out, "┊ and so on")) << out;
}

TEST(CheckText, TellsACleanTestInOneLineWithItsAssumptions) {
  CheckResult result = result_of(Verdict::Clean);
  result.assumptions = {"time-outs of 1 s and more only when nothing else can run"};
  result.notes = {"P.1 (gen_server counter) was still idle at the end"};
  result.bound = "2 preemptions";
  result.blocked = 1200;
  EXPECT_EQ(report_of("text", {result}, SourceMap()),
            "clean: 3 interleavings of counter:test(), complete (bound: 2 preemptions); "
            "14 events in 0.25 s, 1,200 cut short at states explored before\n"
            "  assuming: time-outs of 1 s and more only when nothing else can run\n"
            "  note: P.1 (gen_server counter) was still idle at the end\n");
}

TEST(CheckText, SaysWhyItDoesNotKnow) {
  CheckResult result = result_of(Verdict::Unknown);
  result.interleavings = 1;
  result.reasons = {"the time limit of 60 s is over", "crypto:hash/2 is not modelled"};
  EXPECT_EQ(report_of("text", {result}, SourceMap()),
            "unknown: 1 interleaving of counter:test(), not complete; 14 events in 0.25 s\n"
            "  because: the time limit of 60 s is over\n"
            "  because: crypto:hash/2 is not modelled\n");
}

TEST(CheckText, SumsUpSeveralTestsInATable) {
  const SampleText text = counter_text();
  CheckResult clean = result_of(Verdict::Clean);
  clean.assumptions = {"no time passes"};
  clean.interleavings = 12345;
  CheckResult again = clean;
  again.test = "counter:a_longer_test()";
  CheckResult bug = with_finding(name_race(text));
  bug.findings.push_back(wrong_answer(text));
  const std::string out = report_of("text", {clean, again, bug}, text.sources());
  EXPECT_TRUE(out.ends_with(R"(
test                     verdict  interleavings  events  seconds
counter:test()           clean           12,345      14     0.25
counter:a_longer_test()  clean           12,345      14     0.25
counter:test()           bug                  3      14     0.25  deadlock, exit
3 tests, 2 clean, 1 with a bug in 1.50 s
)")) << out;
  EXPECT_EQ(out.find("no time passes"), out.rfind("no time passes"))
      << "an assumption is told once";
  EXPECT_TRUE(has(out, "\nError 2 of 2\n")) << out;
}

TEST(CheckText, PaintsOnlyWhenAsked) {
  const SampleText text = counter_text();
  EXPECT_FALSE(has(report_of("text", {with_finding(name_race(text))}, text.sources()), "\033"));
  const std::string out =
      report_of("text", {with_finding(name_race(text))}, text.sources(), {.color = true});
  EXPECT_TRUE(out.starts_with("\033[1;31mbug: ")) << out;
  EXPECT_TRUE(has(out, "\033[1;33mrace 2  P    \033[0mcounter ! {add,2,P}")) << out;
}

explore::Finding library_finding() {
  using enum EventKind;
  explore::Finding finding;
  finding.kind = FindingKind::Deadlock;
  finding.trace = {step_of("P", Flag, "process_flag(trap_exit,true)", {}),
                   step_of("P", Monitor, "monitor(process,P.1)", {}),
                   step_of("P", Send, "", {}),
                   step_of("P.1", Receive, "", {}),
                   step_of("P.1", Send, "", {}),
                   step_of("P", Receive, "", {}),
                   step_of("P", EtsRead, "", {}),
                   step_of("P", EtsRead, "", {}),
                   step_of("P", Demonitor, "demonitor(#Ref<0.1.2.3>)", {})};
  for (size_t i = 1; i < finding.trace.size(); ++i) finding.trace[i].is_library = true;
  finding.trace[2].message = "{'$gen_call',{P,[alias|#Ref<0.1.2.3>]},{get,\"}\"}}";
  finding.trace[3].message = finding.trace[2].message;
  finding.trace[6].ended = {"<0.12.0>"};  // a service
  finding.trace[4].message = finding.trace[5].message = "{[alias|#Ref<0.1.2.3>],{ok,1}}";
  return finding;
}

TEST(CheckText, FoldsWhatOtpDoes) {
  const SourceMap sources;
  const std::string out = report_of("text", {with_finding(library_finding())}, sources);
  EXPECT_TRUE(has(out, R"(
     1  P    process_flag(trap_exit,true)
     2  …    to 8, OTP's code: 7 steps of P, P.1
last 9  P    demonitor(#Ref<1>)
)")) << out;
  const std::string wide =
      report_of("text", {with_finding(library_finding())}, sources, {.width = 200});
  EXPECT_TRUE(
      has(wide,
          "to 8, OTP's code: P call {get,\"}\"}; P.1 receive call {get,\"}\"}, reply {ok,1}; P "
          "receive reply {ok,1}\n"))
      << wide;
  explore::Finding finding = library_finding();
  finding.trace[2].peer = "P.1";
  finding.trace[2].function = "gen:do_call/4";
  finding.trace[2].place = {{}, "gen.beam", 256};
  const std::string all =
      report_of("text", {with_finding(std::move(finding))}, sources, {.verbose = true});
  EXPECT_TRUE(has(all, "call {get,\"}\"} to P.1  in gen:do_call/4, line 256\n")) << all;
  EXPECT_TRUE(has(all, "\n     2  P    monitor(process,P.1)\n     3  P  ")) << all;
}

TEST(CheckText, PointsToWhoCallsOtp) {
  const SampleText text("t.erl", "get(S) ->\n    gen_server:call(S, get).\n");
  explore::Finding finding = library_finding();
  finding.race = explore::Race{2, 4, ""};
  finding.trace[2].place = {{}, "gen.beam", 256};
  finding.trace[2].caller = text.at("gen_server:call(S, get)");
  finding.trace[2].via = "gen_server:call/2";
  finding.trace[2].peer = "P.1";
  const std::string out = report_of("text", {with_finding(finding)}, text.sources());
  EXPECT_TRUE(has(out, R"(
t.erl:2:5: note: first here, step 3: P: call {get,"}"} to P.1  via gen_server:call/2
      gen_server:call(S, get).
      ^~~~~~~~~~~~~~~~~~~~~~~
)")) << out;
  EXPECT_TRUE(has(out, "race 3  P    call {get,\"}\"} to P.1  2:5  gen_server:call(S, get).\n"))
      << out;
  const json document = json::parse(report_of("json", {with_finding(finding)}, text.sources()));
  const json& step = document["errors"][0]["trace"][2];
  EXPECT_EQ(step["location"], json::parse(R"({"file": "gen.beam", "line": 256})"));
  EXPECT_EQ(step["caller"]["line"], 2);
  EXPECT_EQ(step["via"], "gen_server:call/2");
  EXPECT_TRUE(has(report_of("sarif", {with_finding(finding)}, text.sources()),
                  "call {{get,\\\"}}\\\"}} to P.1  via gen_server:call/2"));
}

// ---- Advice -------------------------------------------------------------------

explore::Finding exit_with(std::string reason) {
  explore::Finding finding;
  finding.process = "P";
  finding.reason = std::move(reason);
  return finding;
}

TEST(CheckAdvice, NamesThePatienceForATimeOutThatComesFirst) {
  explore::Finding finding = exit_with("late");
  finding.trace = {step_of("P", EventKind::After, "after 100 ms: timed out", {}),
                   step_of("P.1", EventKind::Send, "P ! x", {})};
  EXPECT_TRUE(advice_on(finding).empty());
  finding.race = explore::Race{0, 1, "the mailbox of P"};
  ASSERT_EQ(advice_on(finding).size(), 1U);
  EXPECT_TRUE(has(advice_on(finding)[0], "--patience 100 "));
  finding.trace[0].text = "after 0 ms: timed out";
  EXPECT_TRUE(advice_on(finding).empty());
  finding.trace[0].kind = EventKind::Timer;
  EXPECT_TRUE(has(advice_on(finding).at(0), "--patience N"));
}

TEST(CheckAdvice, NamesWhatToDoAboutAKill) {
  EXPECT_TRUE(has(advice_on(exit_with("killed")).at(0), "--treat-as-normal killed"));
  EXPECT_TRUE(advice_on(exit_with("oops")).empty());
}

TEST(CheckAdvice, KnowsASupervisorThatGaveUp) {
  explore::Finding finding = exit_with("shutdown");
  finding.signal_from = "P.1";
  finding.trace = {step_of("P", EventKind::Spawn, "spawn_opt(proc_lib, …)", {}),
                   step_of("P.1", EventKind::Receive, "", {})};
  finding.trace[0].peer = "P.1";
  finding.trace[0].via = "supervisor:start_link/2";
  finding.trace[1].message = "{'EXIT',P.1.3,oops}";
  EXPECT_TRUE(has(advice_on(finding).at(0), "P.1 is a supervisor that gave up"));
  EXPECT_TRUE(has(report_of("text", {with_finding(finding)}, SourceMap()),
                  "error: P exits: shutdown, by a signal from P.1\n  help: P.1 is a supervisor"));
  finding.trace[1].message = "{'$gen_call',x}";
  EXPECT_TRUE(advice_on(finding).empty());
}

TEST(CheckText, LongNamesOfTestsDoNotWidenTheTable) {
  CheckResult first = result_of(Verdict::Clean);
  CheckResult second = first;
  second.test = "m:f_test_() \"" + std::string(300, 'v') + "\"";
  const std::string out = report_of("text", {first, second}, SourceMap());
  EXPECT_TRUE(has(out, "\ncounter:test()" + std::string(46, ' ') + "  clean ")) << out;
}

TEST(CheckText, SaysWhoseAnswerIsAwaited) {
  explore::Finding finding;
  finding.kind = FindingKind::Deadlock;
  finding.waiting.resize(1);
  finding.waiting[0].process = "P";
  finding.waiting[0].awaits = "{Mref, Reply}";
  EXPECT_EQ(awaited(finding.waiting[0]), "{Mref, Reply}");
  finding.waiting[0].answerer = "P.1";
  EXPECT_EQ(awaited(finding.waiting[0]), "the answer of P.1");
  finding.waiting[0].request = "get";
  EXPECT_TRUE(has(report_of("text", {with_finding(finding)}, SourceMap()),
                  "P waits for the answer of P.1 to get\n"));
}

TEST(CheckText, FoldsStepsThatRepeat) {
  const SampleText text = counter_text();
  explore::Finding finding = name_race(text);
  const explore::TraceStep again = finding.trace[2];
  finding.race.reset();
  finding.trace.insert(finding.trace.begin() + 2, 9, again);
  const std::string out = report_of("text", {with_finding(finding)}, text.sources());
  EXPECT_TRUE(has(out, "      3  P.1  register(counter,P.1) → true")) << out;
  EXPECT_TRUE(has(out, "      4  …    to 12, the same, 9 times more\n")) << out;
}

TEST(CheckText, SaysWhoEndsWithAnother) {
  explore::Finding finding;
  finding.process = "P";
  finding.trace = {step_of("P", EventKind::Exit, "ends with oops", {})};
  finding.trace[0].ended = {"P", "P.1", "P.2"};
  const std::string out = report_of("text", {with_finding(finding)}, SourceMap());
  EXPECT_TRUE(has(out, "\nThe step:\nfail 1  P  ends with oops  [ends P.1, P.2]\n")) << out;
}

TEST(CheckSteps, WhatComesAfterTheErrorIsLeftOut) {
  explore::Finding finding;
  finding.process = "P.1";
  finding.trace.assign(20, step_of("P", EventKind::Send, "P ! x", {}));
  finding.trace[4].ended = {"P.1"};
  EXPECT_EQ(step_mark(finding, 4), StepMark::Fail);
  EXPECT_EQ(step_mark(finding, 19), StepMark::None);
  const auto shown = [&](bool brief) {
    size_t count = 0;
    for (const StepGroup& group : group_steps(finding, {.brief = brief, .most = 120})) {
      if (group.kind == StepGroup::Kind::Step) count += group.size();
    }
    return count;
  };
  EXPECT_EQ(shown(true), 5U);
  EXPECT_EQ(shown(false), 20U);
  finding.race = explore::Race{2, 9, ""};
  EXPECT_EQ(shown(true), 10U) << "a racing step may come after the error";
  finding.kind = FindingKind::Deadlock;
  EXPECT_EQ(step_mark(finding, 19), StepMark::Last);
  EXPECT_EQ(shown(true), 20U);
}

TEST(CheckSteps, MessagesOfBehavioursSayWhatTheyMean) {
  const auto text = [](std::string message, bool is_library) {
    explore::TraceStep step;
    step.message = std::move(message);
    step.is_library = is_library;
    return message_text(step);
  };
  EXPECT_EQ(text("{'$gen_call',{P.1,[alias|#Ref<0.1.2.3>]},get}", true), "call get");
  EXPECT_EQ(text("{'$gen_call',{P.1,#Ref<0.1.2.3>},{set,[1]}}", true), "call {set,[1]}");
  EXPECT_EQ(text("{'$gen_cast',{set,[1]}}", true), "cast {set,[1]}");
  EXPECT_EQ(text("{#Ref<0.1.2.3>,ok}", true), "reply ok");
  for (const std::string_view other :
       {"{'$gen_call',{P.1,[alias|#Ref<0.1", "{'$gen_call',x}", "{ack,P.1,{ok,P.1}}", "{}", "",
        "{#Ref<0.1.2.3>}", "{'$gen_call',}}}}}"}) {
    EXPECT_EQ(text(std::string(other), true), other);
  }
  EXPECT_EQ(text("{'$gen_cast',x}", false), "{'$gen_cast',x}") << "the program's own message";
}

TEST(CheckText, AnInterleavingWithTwoErrorsIsShownOnce) {
  const SampleText text = counter_text();
  CheckResult result = with_finding(name_race(text));
  result.findings.push_back(name_race(text));
  result.findings[1].kind = FindingKind::Stuck;
  result.findings[1].reason = "P.1 waits for {add,_,_}";
  const std::string out = report_of("text", {result}, text.sources());
  EXPECT_EQ(out.find("Step by step"), out.rfind("Step by step")) << out;
  EXPECT_TRUE(out.ends_with("\nThe interleaving is that of error 1.\n\n")) << out;
}

TEST(CheckSteps, ALongInterleavingKeepsItsEndsAndTheRace) {
  explore::Finding finding;
  finding.trace.assign(1000, step_of("P", EventKind::Send, "P ! x", {}));
  finding.race = explore::Race{500, 700, "the mailbox of P"};
  std::vector<size_t> shown;
  size_t at = 0;
  for (const StepGroup& group : group_steps(finding, {.brief = true, .most = 30})) {
    EXPECT_EQ(group.begin, at) << "every step is in one group";
    at = group.end;
    if (group.kind == StepGroup::Kind::Step) shown.push_back(group.begin);
  }
  EXPECT_EQ(at, 1000U);
  EXPECT_EQ(shown.size(), 30U + 2 * 7);
  for (const size_t step : {0U, 9U, 497U, 500U, 503U, 700U, 980U, 999U}) {
    EXPECT_TRUE(std::ranges::find(shown, step) != shown.end()) << step;
  }
}

TEST(CheckJson, HasErrorsTracesAndRaces) {
  const SampleText text = counter_text();
  CheckResult clean = result_of(Verdict::Clean);
  clean.test = "counter:other()";
  const json document =
      json::parse(report_of("json", {with_finding(name_race(text)), clean}, text.sources()));
  EXPECT_EQ(document["command"], "check");
  EXPECT_EQ(document["verdict"], "bug");
  EXPECT_EQ(document["complete"], true);
  EXPECT_EQ(document["interleavings"], 6);
  EXPECT_EQ(document["events"], 28);
  EXPECT_EQ(document["seconds"], 1.5);
  ASSERT_EQ(document["tests"].size(), 2U);
  EXPECT_EQ(document["tests"][0]["errors"], 1);
  EXPECT_EQ(document["tests"][1]["verdict"], "clean");

  ASSERT_EQ(document["errors"].size(), 1U);
  const json& finding = document["errors"][0];
  EXPECT_EQ(finding["test"], "counter:test()");
  EXPECT_EQ(finding["kind"], "exit");
  EXPECT_EQ(finding["process"], "P");
  EXPECT_EQ(finding["reason"], "badarg");
  EXPECT_EQ(finding["location"], json::parse(R"({"file": "counter.erl", "line": 6, "column": 5,
                            "end_line": 6, "end_column": 31})"));
  EXPECT_EQ(finding["race"], json::parse("[2, 3]"));
  ASSERT_EQ(finding["trace"].size(), 4U);
  EXPECT_EQ(finding["trace"][1]["text"], "counter ! {add,2,P}");
  EXPECT_EQ(finding["trace"][1]["event"], "send");
  EXPECT_EQ(finding["trace"][3]["ended"], json::parse(R"(["P"])"));
  const auto schedule = explore::parse_schedule(std::string(finding["schedule"]));
  ASSERT_TRUE(schedule.ok()) << "the text can be saved and replayed";
  EXPECT_EQ(schedule->steps, name_race(text).schedule.steps);

  ASSERT_EQ(document["races"].size(), 1U);
  const json& race = document["races"][0];
  EXPECT_EQ(race["what"], "the name counter");
  EXPECT_EQ(race["first"]["step"], 2);
  EXPECT_EQ(race["second"]["process"], "P.1");
}

TEST(CheckJson, SaysWhoWaits) {
  const SampleText text = counter_text();
  const json document =
      json::parse(report_of("json", {with_finding(wrong_answer(text))}, text.sources()));
  const json& waiting = document["errors"][0]["waiting"];
  ASSERT_EQ(waiting.size(), 3U);
  EXPECT_EQ(waiting[0]["awaits"], "{total,2}");
  EXPECT_EQ(waiting[0]["mailbox"], json::parse(R"(["{total,3}"])"));
  EXPECT_EQ(waiting[1]["name"], "counter");
  EXPECT_EQ(waiting[2]["idle"], true);
  EXPECT_EQ(document["errors"][0]["trace"][3]["cause"], 3);
}

// The standard, sections 3.36 to 3.38.
TEST(CheckSarif, IsACodeFlowWithAThreadFlowForEachProcess) {
  const SampleText text = counter_text();
  const json document = json::parse(
      report_of("sarif", {with_finding(name_race(text))}, text.sources(), {.version = "1.2.3"}));
  EXPECT_EQ(document["version"], "2.1.0");
  ASSERT_EQ(document["runs"].size(), 1U);
  const json& run = document["runs"][0];
  const json& driver = run["tool"]["driver"];
  EXPECT_EQ(driver["name"], "fathom");
  EXPECT_EQ(driver["version"], "1.2.3");
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], true);
  EXPECT_EQ(run["columnKind"], "unicodeCodePoints");

  ASSERT_EQ(run["results"].size(), 1U);
  const json& result = run["results"][0];
  EXPECT_EQ(driver["rules"][size_t(result["ruleIndex"])]["id"], result["ruleId"]);
  const json& place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "counter.erl");
  EXPECT_EQ(place["region"], json::parse(R"({"startLine": 6, "startColumn": 5,
                                             "endLine": 6, "endColumn": 31})"));
  ASSERT_EQ(result["relatedLocations"].size(), 2U);
  EXPECT_EQ(result["relatedLocations"][0]["message"]["text"],
            "P: counter ! {{add,2,P}} → raises error: badarg");

  const json& threads = result["codeFlows"][0]["threadFlows"];
  ASSERT_EQ(threads.size(), 2U);
  EXPECT_EQ(threads[0]["id"], "P");
  EXPECT_EQ(threads[0]["locations"].size(), 3U);
  EXPECT_EQ(threads[1]["id"], "P.1");
  ASSERT_EQ(threads[1]["locations"].size(), 1U);
  EXPECT_EQ(threads[1]["locations"][0]["executionOrder"], 3);
  EXPECT_EQ(threads[1]["locations"][0]["importance"], "essential");
  EXPECT_FALSE(threads[0]["locations"][2]["location"].contains("physicalLocation"))
      << "of the last step no place is known";
}

TEST(CheckSarif, EscapesPathsAndTellsWhatIsMissing) {
  const SampleText text("a dir/naïve.erl", "f() -> ok.\n");
  CheckResult result = result_of(Verdict::Unknown);
  result.reasons = {"the time limit of 60 s is over"};
  explore::Finding finding;
  finding.place = text.at("ok");
  result.findings.push_back(finding);
  const json document = json::parse(report_of("sarif", {result}, text.sources()));
  const json& run = document["runs"][0];
  EXPECT_EQ(run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "a%20dir/na%C3%AFve.erl");
  EXPECT_FALSE(run["results"][0].contains("codeFlows")) << "a flow without steps is not allowed";
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"],
            "counter:test(): the time limit of 60 s is over");
}

TEST(CheckJunit, IsATestCaseForEachTest) {
  const SampleText text = counter_text();
  explore::Finding finding;
  finding.process = "P";
  finding.reason = "{badmatch,<<1>>}";
  finding.place = text.at("counter !");
  finding.output = "hello";
  CheckResult unknown = result_of(Verdict::Unknown);
  unknown.reasons = {"too long"};
  CheckResult quoted = result_of(Verdict::Clean);
  quoted.test = "'a:b':f_test()";
  EXPECT_EQ(report_of("junit", {with_finding(finding), unknown, quoted}, text.sources()),
            R"xml(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="fathom" tests="3" failures="1" errors="1" skipped="0" time="1.500">
  <testsuite name="counter" tests="2" failures="1" errors="1" skipped="0" time="0.500">
    <testcase classname="counter" name="test()" file="counter.erl" line="6" time="0.250">
      <failure type="exit" message="P exits: {badmatch,&lt;&lt;1&gt;&gt;}">bug: 1 error in 3 interleavings of counter:test(), complete; 14 events in 0.25 s

counter.erl:6:5: error: P exits: {badmatch,&lt;&lt;1&gt;&gt;}
      counter ! {add, 2, self()},
      ^~~~~~~~~
  seen in 1 of 3 interleavings

</failure>
      <system-out>hello</system-out>
    </testcase>
    <testcase classname="counter" name="test()" time="0.250">
      <error type="unknown" message="too long">unknown: 3 interleavings of counter:test(), not complete; 14 events in 0.25 s
  because: too long
</error>
    </testcase>
  </testsuite>
  <testsuite name="'a:b'" tests="1" failures="0" errors="0" skipped="0" time="0.250">
    <testcase classname="'a:b'" name="f_test()" time="0.250"/>
  </testsuite>
</testsuites>
)xml");
}

TEST(Places, OfAHeaderAreInTheHeader) {
  const SampleText header("h.hrl", "f() -> ok.\n");
  Place place = header.at("ok");
  place.file = "m.erl";
  EXPECT_EQ(place_text(place, header.sources()), "h.hrl:1:8");
  EXPECT_EQ(place_text({{}, "m.erl", 7}, header.sources()), "m.erl:7");
  EXPECT_EQ(place_text({}, header.sources()), "");
}

TEST(SourceExcerpt, HoldsThePlace) {
  const std::string words = "aaaaaaaaaa bbbbbbbbbb cccccccccc dddddddddd";
  const SampleText text("t.erl", "  " + words + "\n");
  const auto excerpt = [&](std::string_view at, size_t width) {
    return source_excerpt(text.at(at), text.sources(), width);
  };
  EXPECT_EQ(excerpt("aaaaaaaaaa", 100), words);
  EXPECT_EQ(excerpt("dddddddddd", 43), words);
  EXPECT_EQ(excerpt("aaaaaaaaaa", 24), "aaaaaaaaaa bbbbbbbbbb c…");
  EXPECT_EQ(excerpt("cccccccccc", 24), "…bbbbbbb cccccccccc ddd…");
  EXPECT_EQ(source_excerpt({}, text.sources(), 24), "");
}

TEST(CheckText, TellsOnlyTheFirstErrorsAtLength) {
  const SampleText text = counter_text();
  CheckResult result = result_of(Verdict::Bug);
  for (int i = 0; i < 5; ++i) {
    result.findings.push_back(name_race(text));
    result.findings.back().schedule.steps.pop_back();
    result.findings.back().schedule.steps.push_back(
        step_of(child_name(i), machine::EventKind::Exit));
  }
  const auto count = [](std::string_view out, std::string_view part) {
    size_t found = 0;
    for (size_t at = 0; (at = out.find(part, at)) != std::string_view::npos; ++at) ++found;
    return found;
  };
  const std::string some = report_of("text", {result}, text.sources());
  EXPECT_EQ(count(some, "Race on the name counter"), 5U) << some;
  EXPECT_EQ(count(some, "Step by step, in counter.erl:"), 1U) << some;
  EXPECT_EQ(count(some, "--verbose shows it step by step."), 4U) << some;
  const std::string all = report_of("text", {result}, text.sources(), {.verbose = true});
  EXPECT_EQ(count(all, "Step by step, in counter.erl:"), 5U) << all;
}

TEST(CheckText, SaysThatItHappensAlways) {
  explore::Finding finding;
  finding.count = 3;
  const std::string out = report_of("text", {with_finding(finding)}, SourceMap());
  EXPECT_TRUE(has(out, "  seen in each of the 3 interleavings\n")) << out;
}

TEST(CheckSummary, KnowsNothingWhereNothingWasChecked) {
  CheckSummary summary;
  EXPECT_EQ(summary.verdict(), Verdict::Unknown);
  summary.add(result_of(Verdict::Clean));
  EXPECT_EQ(summary.verdict(), Verdict::Clean);
  summary.reasons = {"m.erl could not be read"};
  EXPECT_EQ(summary.verdict(), Verdict::Unknown);
  summary.add(result_of(Verdict::Bug));
  EXPECT_EQ(summary.verdict(), Verdict::Bug);
}

// Whatever a program puts into its terms: no format may break, or drive the terminal.
explore::Finding hostile_finding() {
  explore::Finding finding;
  finding.process = "P";
  const std::string nasty = "\"\033[2J\r\n\x01\xFF ]]> <b> & \xE2\x80\xAE \\ 日本 {0}\"";
  finding.reason = nasty + std::string(3'000'000, 'x');
  finding.output = "plain";
  for (size_t i = 0; i < 1000; ++i) {
    explore::TraceStep step = step_of(child_name(i % 50), EventKind::Send, nasty, {});
    step.message = nasty + std::string(i, 'y');
    step.peer = child_name((i + 7) % 50);
    finding.trace.push_back(std::move(step));
  }
  finding.race = explore::Race{3, explore::kNoStep, nasty};
  return finding;
}

TEST(CheckReport, HostileTermsBreakNothing) {
  const SourceMap sources;
  const std::string text = report_of("text", {with_finding(hostile_finding())}, sources);
  EXPECT_EQ(find_invalid_utf8(text), std::nullopt);
  for (const std::string_view bad : {"\033", "\r", "\x01", "\u202E"}) {
    EXPECT_FALSE(has(text, bad)) << bad;
  }
  EXPECT_LT(text.size(), 200'000U);
  EXPECT_LT(report_of("junit", {with_finding(hostile_finding())}, sources).size(), 4'000'000U);

  const json document = json::parse(report_of("json", {with_finding(hostile_finding())}, sources));
  EXPECT_EQ(document["errors"][0]["trace"].size(), 1000U);
  const json sarif = json::parse(report_of("sarif", {with_finding(hostile_finding())}, sources));
  EXPECT_EQ(sarif["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"].size(), 50U);
}

// ---- Handled exits --------------------------------------------------------------

CheckResult with_handled_exits(size_t count) {
  const SampleText text = counter_text();
  CheckResult result;
  result.test = "counter:test()";
  result.verdict = Verdict::Clean;
  result.complete = true;
  for (size_t i = 1; i <= count; ++i) {
    result.handled_exits.push_back(
        {fmt::format("P.{}", i), "oops", text.at("counter ! {add"), {"P"}, 2});
  }
  return result;
}

TEST(CheckReport, HandledExitsAreNotes) {
  const SampleText text = counter_text();
  EXPECT_TRUE(has(report_of("text", {with_handled_exits(1)}, text.sources()),
                  "  note: counter.erl:6:5: P.1 exits: oops; P is told\n"));
  const std::string many = report_of("text", {with_handled_exits(8)}, text.sources());
  EXPECT_TRUE(has(many, ": P.1, P.2, P.3 and 5 more exit: oops; P is told\n")) << many;
  EXPECT_TRUE(has(report_of("text", {with_handled_exits(8)}, text.sources(), {.verbose = true}),
                  "P.7, P.8 exit: oops"));
  CheckResult different = with_handled_exits(8);
  for (explore::HandledExit& handled : different.handled_exits) handled.reason += handled.process;
  EXPECT_TRUE(has(report_of("text", {different}, text.sources()),
                  "  note: 3 more exits of which others are told; --verbose shows all\n"));
}

TEST(CheckReport, HandledExitsAreInJson) {
  const SampleText text = counter_text();
  const json document = json::parse(report_of("json", {with_handled_exits(1)}, text.sources()));
  const json& handled = document["tests"][0]["handled_exits"];
  ASSERT_EQ(handled.size(), 1U);
  EXPECT_EQ(handled[0]["process"], "P.1");
  EXPECT_EQ(handled[0]["reason"], "oops");
  EXPECT_EQ(handled[0]["told"], json::array({"P"}));
  EXPECT_EQ(handled[0]["count"], 2);
  EXPECT_EQ(handled[0]["location"]["line"], 6);
}

}  // namespace
}  // namespace fathom::report::check_report_test
