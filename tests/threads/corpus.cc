#include "corpus.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "explore/check.h"
#include "machine_values.h"
#include "natives/families.h"
#include "script_corpus.h"
#include "tests_dir.h"
#include "values/lists.h"

namespace fathom {
namespace {

using machine::Machine;
using machine::Outcome;

// One in 20 of what there is: enough that ThreadSanitizer sees each kind of it. SAMPLE=N in the
// environment is one in N, SAMPLE=K/N the K-th such part, so that all can be run one after another
// where there is not enough memory for all at once.
Sample sample() {
  const char* text = std::getenv("SAMPLE");
  if (!text) return {.every = 20};
  char* end = nullptr;
  const size_t number = std::strtoull(text, &end, 10);
  if (*end != '/') return {.every = std::max<size_t>(1, number)};
  const size_t parts = std::max<size_t>(1, std::strtoull(end + 1, nullptr, 10));
  return {.every = parts, .first = std::clamp<size_t>(number, 1, parts) - 1};
}

std::string shown(const Outcome& outcome) {
  switch (outcome.kind) {
    case Outcome::Kind::Value:
      return machine::shown(outcome.value);
    case Outcome::Kind::Exception:
      return machine::shown(outcome.exception_class) + ":" + machine::shown(outcome.value) + " " +
             machine::shown(outcome.trace);
    case Outcome::Kind::Halt:
      return "halt";
    case Outcome::Kind::Unsupported:
    case Outcome::Kind::Limit:
    case Outcome::Kind::Deadlock:
      return outcome.message;
  }
  return "";
}

// A script, and the expression whose value is the text of a module with a function all/0, made
// of the script's own functions. `Some` takes a sample of a list.
struct Script {
  std::string_view name;
  std::string_view module;
};
constexpr Script kScripts[] = {
    {"processes_test",
     "script:module_text(\"corpus_processes_test\","
     " [T || {_, F} <- script:families(), T <- Some(F())])"},
    {"behaviours_test",
     "script:module_text(\"corpus_behaviours_test\","
     " [T || {_, F} <- script:families(), T <- Some(F())])"},
    {"bifs_library_test",
     "script:module_text(\"corpus_bifs_library_test\","
     " [T || {N, F} <- script:families(), N =/= big_inputs, T <- Some(F())])"},
    {"ets_test",
     "script:module_text(\"corpus_ets_test\","
     " [case N of sequences -> script:sequence_text(T);"
     "            _ -> \"e(fun() -> \" ++ T ++ \" end)\" end"
     "  || {N, F} <- script:families(), T <- Some(F())])"},
    {"bifs_erlang_test",
     "script:batch([C || {N, F} <- script:families(), N =/= times,"
     " C <- Some(lists:usort(F()))])"},
};

// That of the -module attribute.
std::string module_name(const std::string& text) {
  const size_t begin = text.find('(') + 1;
  return text.substr(begin, text.find(')') - begin);
}

}  // namespace

std::string value_text(Machine& m, const session::Expression& expression) {
  expression.load_into(m);
  const Outcome outcome = m.run(expression.module, expression.function, {});
  return shown(outcome) + m.output().text();
}

std::string evaluated(session::Session& session, std::string_view text,
                      const machine::Limits& limits) {
  const auto expression = session.read_expression(text);
  EXPECT_TRUE(expression) << text;
  return expression ? value_text(*session.make_machine(limits), *expression) : "";
}

DifferentialCorpus::DifferentialCorpus() {
  for (const Script& script : kScripts) {
    const std::string text = script_value(script.name, script.module, sample());
    const std::string name = module_name(text);
    tree_.add(name + ".erl", text);
    programs_.push_back({tree_ / (name + ".erl"),
                         fmt::format("logger:set_primary_config(level, none), {}:all()", name)});
  }
}

std::vector<DifferentialCorpus::Program> benchmark_programs() {
  // It looks through long mailboxes, which takes time and no calls.
  constexpr std::string_view kScanning = "selective";
  std::vector<DifferentialCorpus::Program> programs;
  for (const char* dir : {"programs", "processes"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(tests_dir().parent_path() / "bench" / dir)) {
      if (entry.path().extension() != ".erl" || entry.path().stem() == kScanning) continue;
      programs.push_back({entry.path().string(), entry.path().stem().string() + ":main()"});
    }
  }
  std::ranges::sort(programs, {}, &DifferentialCorpus::Program::path);
  return programs;
}

std::vector<std::string> checked_calls() {
  std::vector<std::string> calls;
  std::ifstream lines(tests_dir() / "check" / "expected.txt");
  size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with("#") || !sample().has(number++)) continue;
    calls.push_back(line.substr(0, line.find(')') + 1));
  }
  return calls;
}

std::string checked(session::Session& session, const session::Expression& call,
                    machine::ModuleSource& modules) {
  Machine m(modules, machine::native_table(), machine::Limits(), machine::kSearchMode);
  call.load_into(m);
  explore::CheckOptions options;
  options.search.max_depth = 10'000;
  options.max_interleavings = 30;
  options.keep_going = true;
  const explore::CheckResult result =
      explore::check(m, call.module, call.function, {}, "test", options);
  std::string text = fmt::format("{} {} {}\n", static_cast<int>(result.verdict),
                                 result.interleavings, result.events);
  for (const explore::Finding& finding : result.findings) {
    text += fmt::format("{} {} {}:{}\n", finding.process, finding.reason, finding.place.file,
                        finding.place.line);
    const Span span = finding.place.span;
    if (span.begin) {
      const LineColumn at = session.sources().line_column(span.begin);
      text += fmt::format("{}:{} {}\n", at.line, at.column, session.sources().slice(span));
    }
  }
  return text;
}

}  // namespace fathom
