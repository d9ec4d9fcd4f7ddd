#include "flow/engine.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::flow {

Engine::Engine(Code& code_source, const AnalysisOptions& chosen)
    : code(code_source), options(chosen) {
  escaped = solver.add_slots();
  Slot covered = escaped;
  if (options.knows_origins) {
    covered = solver.add_slots();
    solver.keep_all(escaped);
    on_each(escaped, [this, covered, own = own_nodes()](ObjectId id) {
      if (id != objects.unknown() && !is_own(objects[id], own)) solver.add(covered, id);
    });
  }
  solver.set_cover(objects.unknown(), covered);
  escaped_processes = solver.add_slots();
  outside_processes = solver.add_slots();
  solver.add(outside_processes, objects.made(ObjectKind::Pid, {.index = UINT32_MAX}));
  follow_escaped();
}

// Made by the author's code, or for it: a library that is called wraps what it is given
// (`{'$gen_cast', Request}`), and what is in there must not be lost with the wrapping.
bool Engine::is_own(const Object& object, const std::vector<NodeRange>& own) const {
  const auto is_in = [&](core::GlobalNodeId node) {
    return std::ranges::any_of(
        own, [&](const NodeRange& range) { return range.first <= node && node < range.end; });
  };
  if (object.node && is_in(*object.node)) return true;
  return object.context != kNoContext && is_in(contexts.outermost_call(object.context));
}

// Those of the author's modules.
std::vector<Engine::NodeRange> Engine::own_nodes() {
  std::vector<NodeRange> ranges;
  for (const Atom name : code.own_modules()) {
    for (const FunctionCode& f : code.functions(name)) {
      const auto first = static_cast<uint32_t>(f.module->global(core::NodeId{0}));
      const auto size = static_cast<uint32_t>(f.module->size());
      const NodeRange range{core::GlobalNodeId{first}, core::GlobalNodeId{first + size}};
      if (ranges.empty() || ranges.back().first != range.first) ranges.push_back(range);
    }
  }
  return ranges;
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

void Engine::pass_exceptions(Slot from, Slot to) {
  const size_t count = options.knows_origins ? kExceptionSlots : kExceptionClasses;
  for (size_t i = 0; i < count; ++i) solver.add_edge(from + i, to + i);
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
