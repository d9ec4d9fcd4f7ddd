#include "generate/flow_targets.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/places.h"
#include "flow/analysis.h"
#include "session/program_code.h"

namespace fathom::generate {

FlowTargets::FlowTargets(session::Session& session, const GenerateOptions& options,
                         const std::set<Atom>& own)
    : flows_(found_items(session, options, own)),
      runs_(session, {.labels = true}, options.calls * 10) {}

cover::FlowItems FlowTargets::found_items(session::Session& session, const GenerateOptions& options,
                                          const std::set<Atom>& own) {
  std::vector<const core::Module*> modules;
  for (const Atom name : own) {
    const auto found = session.library().find(name);
    if (found && *found) modules.push_back((*found)->core.get());
  }
  session::ProgramCode code(session.library(), {own.begin(), own.end()});
  flow::Analysis analysis(code, {.knows_origins = true});
  analysis.add_entry({options.module, options.function, options.arity}, false);
  analysis.run();
  cover::FlowItems flows(std::move(modules), cover::of(cover::Criterion::DataFlow),
                         cover::Scope::Global);
  flows.find(analysis, nullptr);
  return flows;
}

std::vector<Item> FlowTargets::items() const {
  std::vector<Item> result;
  for (const cover::FlowItem& flow : flows_.all()) {
    const core::Module& from = flows_.module_of(flow.from);
    const core::Module& to = flows_.module_of(flow.to);
    Item item;
    item.node = static_cast<uint32_t>(flow.from);
    item.place = core::place_of(from, core::NodeId{item.node - from.base()});
    item.to = core::place_of(to, core::NodeId{static_cast<uint32_t>(flow.to) - to.base()});
    item.kind = Item::Kind::Flow;
    item.what = flows_.describe(flow).what;
    result.push_back(std::move(item));
  }
  return result;
}

std::vector<uint32_t> FlowTargets::covered(const Call& call) {
  machine::UseRecorder& uses = runs_.machine().uses();
  uses.clear();
  if (!runs_.run(call)) return {};
  std::vector<machine::LabelUse> seen;
  uses.for_each([&](const machine::LabelUse& use) { seen.push_back(use); });
  return covered(seen);
}

std::vector<uint32_t> FlowTargets::covered(std::span<const machine::LabelUse> uses) const {
  std::vector<uint32_t> result;
  const auto& all = flows_.all();
  for (const machine::LabelUse& use : uses) {
    for (const cover::FlowItem& flow : flows_.seen(use)) {
      const auto at = std::ranges::lower_bound(all, flow);
      if (at != all.end() && *at == flow) result.push_back(static_cast<uint32_t>(at - all.begin()));
    }
  }
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace fathom::generate
