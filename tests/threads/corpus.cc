#include "corpus.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "explore/check.h"
#include "machine_values.h"
#include "natives/families.h"
#include "tests_dir.h"
#include "values/lists.h"

namespace fathom {
namespace {

using machine::Machine;
using machine::Outcome;

// One in so many of what there is: enough that ThreadSanitizer sees each kind of it.
constexpr size_t kSample = 20;

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

std::string file_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
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

// As a module that exports all of its functions.
std::string script_module(std::string_view name) {
  std::string text = file_text(tests_dir() / "differential" / (std::string(name) + ".escript"));
  text.erase(0, text.find('\n'));  // #!/usr/bin/env escript
  return "-module(script). -compile([export_all, nowarn_export_all])." + text;
}

std::string module_of(const Script& script) {
  TempTree tree;
  tree.add("script.erl", script_module(script.name));
  session::SessionOptions options{.project = ProjectOptions::from_environment(),
                                  .paths = {tree / "script.erl"}};
  options.project.include_dirs = {(tests_dir() / "differential").string()};
  session::Session session(options);
  const auto expression = session.read_expression(fmt::format(
      "rand:seed(exsss, 1), Some = fun(L) -> [X || {{I, X}} <- lists:zip(lists:seq(1, length(L)),"
      " L), I rem {} =:= 1] end, unicode:characters_to_binary({})",
      kSample, script.module));
  EXPECT_TRUE(expression) << script.name;
  if (!expression) return {};
  const auto m = session.make_machine({});
  expression->load_into(*m);
  const Outcome outcome = m->run(expression->module, expression->function, {});
  EXPECT_TRUE(outcome.kind == Outcome::Kind::Value && outcome.value.is_binary())
      << script.name << ": " << shown(outcome);
  if (outcome.kind != Outcome::Kind::Value || !outcome.value.is_binary()) return {};
  return std::string(machine::BytesOf(outcome.value).text());
}

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
    const std::string text = module_of(script);
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
    if (line.empty() || line.starts_with("#") || number++ % kSample != 0) continue;
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
