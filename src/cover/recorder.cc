#include "cover/recorder.h"

#include <algorithm>
#include <tuple>

namespace fathom::cover {

void Recorder::add(const core::Module& module, std::string path) {
  if (by_module_.contains(&module)) return;
  Covered& covered = modules_.emplace_back();
  covered.module = &module;
  covered.path = std::move(path);
  covered.plan = make_plan(module, criteria_);
  covered.counters.resize(covered.plan.counters);
  covered.before.resize(covered.plan.counters);
  const auto counter = [&](uint32_t index) {
    return index == kNoCounter ? nullptr : &covered.counters[index];
  };
  std::vector<machine::Probe> probes;
  probes.reserve(covered.plan.probes.size());
  for (const PlannedProbe& p : covered.plan.probes) {
    probes.push_back({p.region, p.index, counter(p.counter), p.kind, p.condition, p.decision,
                      p.is_first, p.digit});
  }
  std::vector<machine::GuardProbe> guards;
  guards.reserve(covered.plan.guards.size());
  for (const PlannedGuard& g : covered.plan.guards) {
    guards.push_back(
        {g.clause, g.alternative, counter(g.when_true), counter(g.when_false), counter(g.vectors)});
  }
  covered.probes = machine::Probes(std::move(probes), std::move(guards), covered.plan.slots);
  by_module_.emplace(&module, &covered);
}

const machine::Probes* Recorder::find(const core::Module& module) {
  const auto it = by_module_.find(&module);
  return it == by_module_.end() ? nullptr : &it->second->probes;
}

std::vector<const core::Module*> Recorder::modules() const {
  std::vector<const core::Module*> all;
  for (const Covered& covered : modules_) all.push_back(covered.module);
  return all;
}

// ---- Flows ------------------------------------------------------------------

void Recorder::add_flow(Covered& covered, const FlowItem& flow, ItemState state) {
  Item item = flows_->describe(flow);
  item.state = state;
  by_flow_.emplace(flow, std::pair(&covered, covered.flows.size()));
  covered.plan.items.push_back({.item = std::move(item),
                                .counters = {},
                                .flow = static_cast<uint32_t>(covered.flows.size())});
  covered.flows.push_back(0);
  covered.flows_before.push_back(0);
}

// All that counts it lies where control never comes. Patterns and guards are not entered.
void Recorder::find_unreachable(Covered& covered) const {
  const core::Module& m = *covered.module;
  std::unordered_set<uint32_t> tests;
  for (uint32_t i = 0; i < m.size(); ++i) {
    if (m[core::NodeId{i}].kind != core::Kind::Clause) continue;
    const auto clause = m.get<core::node::Clause>(core::NodeId{i});
    tests.insert(static_cast<uint32_t>(clause.patterns));
    for (const core::RegionId guard : m.regions(clause.guards)) {
      tests.insert(static_cast<uint32_t>(guard));
    }
  }
  std::vector<bool> is_dead(covered.plan.counters);
  for (const PlannedProbe& probe : covered.plan.probes) {
    if (probe.kind != machine::Probe::Kind::Count || probe.counter == kNoCounter) continue;
    is_dead[probe.counter] = !tests.contains(static_cast<uint32_t>(probe.region)) &&
                             !flows_->is_reached(m, probe.region);
  }
  for (PlannedItem& planned : covered.plan.items) {
    if (planned.counters.empty()) continue;
    const bool is_unreachable =
        std::ranges::all_of(planned.counters, [&](uint32_t c) { return is_dead[c]; });
    if (is_unreachable) planned.item.state = ItemState::Unreachable;
  }
}

void Recorder::add_flows(FlowItems flows) {
  flows_ = std::make_unique<FlowItems>(std::move(flows));
  for (Covered& covered : modules_) {
    find_unreachable(covered);
    const size_t first = covered.plan.items.size();
    for (const FlowItem& flow : flows_->all()) {
      if (&flows_->module_of(flow.from) != covered.module) continue;
      add_flow(covered, flow, ItemState::Counted);
    }
    std::ranges::stable_sort(covered.plan.items.begin() + static_cast<std::ptrdiff_t>(first),
                             covered.plan.items.end(), {}, [](const PlannedItem& p) {
                               return std::tie(p.item.kind, p.item.place, p.item.to_module,
                                               p.item.to, p.item.what);
                             });
    for (const FlowItems::Unknown& unknown : flows_->unknowns()) {
      if (&flows_->module_of(unknown.node) != covered.module) continue;
      PlannedItem planned;
      planned.item = flows_->describe_unknown(unknown);
      covered.plan.items.push_back(std::move(planned));
    }
  }
}

void Recorder::see(machine::UseRecorder& uses) {
  if (!flows_) return;
  std::vector<FlowItem> unexpected;
  uses.for_each([&](const machine::LabelUse& use) {
    for (const FlowItem& flow : flows_->seen(use)) {
      const auto at = by_flow_.find(flow);
      if (at == by_flow_.end()) {
        unexpected.push_back(flow);
      } else {
        ++at->second.first->flows[at->second.second];
      }
    }
  });
  uses.clear();
  // In an order that does not depend on a hash.
  std::ranges::sort(unexpected);
  for (const FlowItem& flow : unexpected) {
    if (!by_flow_.contains(flow)) {
      add_flow(*by_module_.at(&flows_->module_of(flow.from)), flow, ItemState::Unknown);
    }
    const auto& [covered, number] = by_flow_.at(flow);
    ++covered->flows[number];
  }
}

// ---- Results ----------------------------------------------------------------

uint64_t Recorder::count_of(const PlannedItem& item, const Covered& covered) {
  if (item.flow) return covered.flows[*item.flow];
  const std::vector<uint64_t>& counters = covered.counters;
  uint64_t most = 0;
  uint64_t sum = 0;
  for (const uint32_t c : item.counters) {
    most = std::max(most, counters[c]);
    sum += counters[c];
  }
  return item.item.kind == ItemKind::Function ? sum : most;
}

// Since the last test.
bool Recorder::was_covered(const PlannedItem& item, const Covered& covered) {
  if (item.flow) return covered.flows[*item.flow] != covered.flows_before[*item.flow];
  return std::ranges::any_of(item.counters,
                             [&](uint32_t c) { return covered.counters[c] != covered.before[c]; });
}

void Recorder::end_test(const std::string& name) {
  const auto [it, is_new] = by_test_.try_emplace(name, tests_.size());
  if (is_new) tests_.push_back({name, {}});
  TestCoverage& test = tests_[it->second];
  test.items.resize(modules_.size());
  for (size_t m = 0; m < modules_.size(); ++m) {
    Covered& covered = modules_[m];
    std::vector<uint32_t> items;
    for (uint32_t i = 0; i < covered.plan.items.size(); ++i) {
      if (was_covered(covered.plan.items[i], covered)) items.push_back(i);
    }
    std::vector<uint32_t> both;
    std::ranges::set_union(test.items[m], items, std::back_inserter(both));
    test.items[m] = std::move(both);
    covered.before = covered.counters;
    covered.flows_before = covered.flows;
  }
}

void Recorder::add_decisions(const Covered& covered, ModuleCoverage& module) {
  for (const PlannedDecision& d : covered.plan.decisions) {
    DecisionCoverage& seen = module.decisions.emplace_back();
    seen.formula = d.formula;
    seen.items.resize(d.conditions);
    for (uint32_t v = 0; v < vector_count(d.conditions); ++v) {
      if (covered.counters[d.counter + v] > 0) seen.vectors.push_back(v);
    }
  }
  for (uint32_t i = 0; i < covered.plan.items.size(); ++i) {
    const auto& of = covered.plan.items[i].of;
    if (of) module.decisions[of->decision].items[of->condition] = i;
  }
  module.judge_decisions();
}

Coverage Recorder::coverage() const {
  Coverage result;
  result.criteria = criteria_;
  for (const Covered& covered : modules_) {
    ModuleCoverage module;
    module.name = covered.module->name().text();
    module.path = covered.path;
    module.hash = source_hash(covered.module->unit());
    module.items.reserve(covered.plan.items.size());
    for (const PlannedItem& planned : covered.plan.items) {
      Item item = planned.item;
      item.count = count_of(planned, covered);
      module.items.push_back(std::move(item));
    }
    add_decisions(covered, module);
    result.modules.push_back(std::move(module));
  }
  result.tests = tests_;
  for (TestCoverage& test : result.tests) test.items.resize(result.modules.size());
  return result;
}

}  // namespace fathom::cover
