#include "flow/engine.h"

#include <fmt/format.h>

namespace fathom::flow {

Engine::Engine(Code& code_source, const AnalysisOptions& chosen)
    : code(code_source), options(chosen) {
  escaped = solver.add_slots();
  if (!options.knows_origins) solver.set_cover(objects.unknown(), escaped);
  escaped_processes = solver.add_slots();
  outside_processes = solver.add_slots();
  solver.add(outside_processes, objects.made(ObjectKind::Pid, {.index = UINT32_MAX}));
  follow_escaped();
}

void Engine::run() {
  do {
    solver.run();
  } while (generator.generate_entered());
}

// What has come to unknown code it may take apart, call, send to, and keep for later.
void Engine::follow_escaped() {
  on_each(escaped, [this](ObjectId id) {
    const Object object = objects[id];
    switch (object.kind) {
      case ObjectKind::Fun:
      case ObjectKind::ExternalFun:
        return calls.from_outside(id);
      case ObjectKind::Atom:
        effects.name_escapes(object.atom);
        return calls.named_outside(object.atom);
      case ObjectKind::Pid:
        return process_escapes(id);
      case ObjectKind::Reference:
        // A table: the outside may read it, and write to it.
        solver.add_edge(objects.part(id, kTableContents), escaped);
        solver.add(objects.part(id, kTableContents), objects.unknown());
        return on_each(objects.part(id, kAliasOwner), [this](ObjectId owner) {
          if (objects[owner].kind == ObjectKind::Pid) process_escapes(owner);
        });
      case ObjectKind::Tuple:
      case ObjectKind::Cons:
      case ObjectKind::Map:
        for (size_t i = 0; i < object.count; ++i) solver.add_edge(object.parts + i, escaped);
        return;
      default:
        return;
    }
  });
}

void Engine::process_escapes(ObjectId process) {
  solver.add(escaped_processes, process);
  solver.add(objects.part(process, kMailbox), objects.unknown());
  solver.add(objects.part(process, kExitReasons), objects.unknown());
  solver.add_edge(objects.part(process, kExitReasons), escaped);
}

void Engine::note_unknown(core::GlobalNodeId node, std::string what) {
  if (!noted_.insert(fmt::format("{} {}", static_cast<uint32_t>(node), what)).second) return;
  facts.unknowns.push_back({node, std::move(what)});
}

}  // namespace fathom::flow
