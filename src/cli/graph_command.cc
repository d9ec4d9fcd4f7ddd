// fathom graph: the concurrent flow graph.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "command.h"
#include "command_budget.h"
#include "flow/analysis.h"
#include "session/program_code.h"

namespace fathom {
namespace {

struct GraphOptions : CommonOptions {
  std::vector<std::string> paths;
  double time_limit = 0;
  uint64_t memory_limit = 4096;
};

std::string name_of(const flow::Instance& i) {
  return fmt::format("{}:{}/{}{}", i.code.module->name().text(), i.function().name.text(),
                     i.function().arity - i.function().captures,
                     static_cast<uint32_t>(i.context) ? fmt::format("@{}", static_cast<uint32_t>(i.context)) : "");
}

int graph(const GraphOptions& options) {
  Messages messages(options);
  CommandBudget budget({options.time_limit, options.memory_limit << 20});
  session::SessionOptions session_options = options.session_options();
  session_options.paths = options.paths;
  session_options.libraries = session::Reading::Whole;
  session::Session session(session_options);
  std::vector<Atom> own;
  for (const SourceModule& module : session.project().modules()) {
    own.push_back(Atom::intern(std::filesystem::path(module.path).stem().string()));
  }
  if (!messages.print_new(session)) return kCouldNotRun;
  session::ProgramCode code(session.library(), own);
  flow::Analysis analysis(code);
  const auto start = std::chrono::steady_clock::now();
  for (const Atom m : own) {
    const auto found = session.library().find(m);
    if (!found || !*found) continue;
    for (const core::Function& f : (*found)->core->functions) {
      if (f.exported && f.name.text() != "module_info") analysis.add_entry({m, f.name, f.arity}, true);
    }
  }
  analysis.run();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const flow::Facts& facts = analysis.facts();
  for (const flow::CallEdge& e : facts.calls) {
    const flow::Site& s = facts[e.site];
    const Place place = session.library().program().place_of(s.global);
    fmt::print("{} {} -> {}  {}:{}\n", e.kind == flow::CallKind::Spawn ? "spawn" : e.kind == flow::CallKind::HigherOrder ? "hocall" : "call",
               name_of(facts[s.instance]), name_of(facts[e.callee]), place.file, place.line);
  }
  for (const flow::Send& send : facts.sends) {
    const flow::Site& s = facts[send.site];
    for (const flow::DispatchFacts& d : facts.dispatches) {
      if (!flow::exists(d.message)) continue;
      if (!analysis.values(send.receivers).intersects(analysis.values(facts[d.instance].self))) continue;
      for (size_t c = 0; c < d.clauses.size(); ++c) {
        if (analysis.values(send.message).intersects(analysis.values(d.clauses[c].taken))) {
          fmt::print("message {}:{} -> {} clause {}\n", name_of(facts[s.instance]),
                     session.library().program().place_of(s.global).line, name_of(facts[d.instance]), c + 1);
        }
      }
    }
  }
  for (const flow::UnknownFact& u : facts.unknowns) {
    const Place place = session.library().program().place_of(u.node);
    fmt::print("unknown {}:{} {}\n", place.file, place.line, u.what);
  }
  fmt::print(stderr, "{} instances, {} contexts, {} objects, {} slots, {} edges, {} merged, {:.3f} s\n", facts.instances.size(),
             analysis.contexts().size(), analysis.objects().size(), analysis.solver().slot_count(), analysis.solver().edge_count(),
             analysis.solver().merged_count(), seconds);
  return kClean;
}

}  // namespace

void add_graph_command(CommandLine& command_line) {
  Command command = command_line.add_command("graph", "Show the concurrent flow graph");
  auto options = std::make_shared<GraphOptions>();
  options->add_to(command, {"text"});
  command.add_option("PATH", options->paths, "Files, directories or projects");
  command.when_chosen([options] { return graph(*options); });
}

}  // namespace fathom
