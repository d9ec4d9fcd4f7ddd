// fathom run: what an expression evaluates to.
#include <fmt/format.h>

#include <chrono>

#include "base/stack.h"
#include "base/term_print.h"
#include "command.h"
#include "machine/convert.h"
#include "machine/library.h"

namespace fathom {
namespace {

using machine::Machine;
using machine::Outcome;

struct RunOptions : CommonOptions {
  std::vector<std::string> paths;
  std::string expression;
  bool stats = false;
  double time_limit = 0;
  uint64_t memory_limit = 4096;
  uint64_t reduction_limit = UINT64_MAX;
};

constexpr std::string_view kModule = "fathom_expression";

// A module with the expression as the body of its only function.
std::string expression_module(const std::string& expression) {
  std::string text = expression;
  while (!text.empty() &&
         (std::isspace(static_cast<unsigned char>(text.back())) || text.back() == '.')) {
    text.pop_back();
  }
  return fmt::format("-module({}). -export([value/0]). value() ->\n{}\n.\n", kModule, text);
}

std::string shown(machine::Value value) {
  TermArena arena;
  return printed(machine::to_term(value, arena));
}

std::string frame_text(machine::Value frame) {
  if (!frame.is_tuple(4)) return shown(frame);
  const machine::Value arguments = frame.element(2);
  std::string text = fmt::format("{}:{}", shown(frame.element(0)), shown(frame.element(1)));
  if (arguments.is_small()) {
    text += fmt::format("/{}", arguments.small());
  } else {
    std::string list;
    for (machine::Value rest = arguments; rest.is_cons(); rest = rest.tail()) {
      if (!list.empty()) list += ", ";
      list += shown(rest.head());
    }
    text += fmt::format("({})", list);
  }
  std::string file;
  int64_t line = 0;
  for (machine::Value rest = frame.element(3); rest.is_cons(); rest = rest.tail()) {
    const machine::Value item = rest.head();
    if (!item.is_tuple(2)) continue;
    if (item.element(0).is_atom(atoms::file)) {
      TermArena arena;
      file = string_text(machine::to_term(item.element(1), arena)).value_or("");
    } else if (item.element(1).is_small()) {
      line = item.element(1).small();
    }
  }
  if (!file.empty()) text += fmt::format("  ({}:{})", file, line);
  return text;
}

int report(const Outcome& outcome, Output& out, Messages& messages) {
  switch (outcome.kind) {
    case Outcome::Kind::Value:
      out.write(shown(outcome.value) + "\n");
      return kClean;
    case Outcome::Kind::Exception: {
      std::string text =
          fmt::format("uncaught {}: {}", shown(outcome.exception_class), shown(outcome.value));
      for (machine::Value rest = outcome.trace; rest.is_cons(); rest = rest.tail()) {
        text += "\n  in " + frame_text(rest.head());
      }
      messages.error(text);
      return kFindings;
    }
    case Outcome::Kind::Halt:
      return outcome.exit_code;
    case Outcome::Kind::Unsupported:
    case Outcome::Kind::Limit:
      messages.error(outcome.message);
      return kCouldNotRun;
  }
  return kCouldNotRun;
}

int run(const RunOptions& options) {
  Messages messages(options);
  Reader reader;
  Project project(options.project_options());
  Diagnostics diagnostics;
  for (const std::string& path : options.paths) project.add(path, diagnostics);
  machine::Library library(reader, project);
  Output out;
  if (auto opened = out.open(options.output); !opened) {
    messages.error(opened.error().message);
    return kCouldNotRun;
  }
  auto expression =
      library.from_text("expression", expression_module(options.expression), diagnostics);
  messages.print(diagnostics, reader.sources());
  if (!expression || diagnostics.has_errors()) return kCouldNotRun;

  machine::Limits limits;
  limits.seconds = options.time_limit;
  limits.memory = options.memory_limit << 20;
  limits.reductions = options.reduction_limit;
  Machine m(library, limits);
  const auto start = std::chrono::steady_clock::now();
  m.code().load(std::move(expression->unit), std::move(expression->core));
  const Outcome outcome = m.run(Atom::intern(kModule), Atom::intern("value"), {});
  messages.print(library.diagnostics, reader.sources());
  out.write(m.output());
  const int code = report(outcome, out, messages);
  if (options.stats) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    const machine::Statistics& s = m.statistics();
    fmt::print(
        stderr,
        "reductions   {}\ncollections  {} ({} full)\nheap MB      {:.1f}\nseconds      {:.3f}\n",
        s.reductions, s.collections, s.full_collections,
        static_cast<double>(s.peak_heap) / (1 << 20), seconds.count());
  }
  if (auto closed = out.close(); !closed) {
    messages.error(closed.error().message);
    return kCouldNotRun;
  }
  return code;
}

}  // namespace

void add_run_command(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("run", "Evaluate an expression");
  auto options = std::make_shared<RunOptions>();
  options->add_to(*command, {"text"});
  command->add_option("-e,--eval", options->expression, "The expression, as in the shell: m:f(1)")
      ->required();
  command->add_flag("--stats", options->stats, "Count reductions, collections, memory");
  command->add_option("--time-limit", options->time_limit, "Seconds; none by default");
  command->add_option("--memory-limit", options->memory_limit, "Megabytes");
  command->add_option("--reduction-limit", options->reduction_limit, "Calls");
  command->add_option("PATH", options->paths, "Files (.erl, .beam), directories, rebar3 projects");
  command->callback([options, exit_code] { *exit_code = run(*options); });
}

}  // namespace fathom
