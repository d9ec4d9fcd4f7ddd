#include "cover/recorder.h"

#include <algorithm>

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

uint64_t Recorder::count_of(const PlannedItem& item, const std::vector<uint64_t>& counters) {
  uint64_t most = 0;
  uint64_t sum = 0;
  for (const uint32_t c : item.counters) {
    most = std::max(most, counters[c]);
    sum += counters[c];
  }
  return item.item.kind == ItemKind::Function ? sum : most;
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
      const bool is_hit = std::ranges::any_of(covered.plan.items[i].counters, [&](uint32_t c) {
        return covered.counters[c] != covered.before[c];
      });
      if (is_hit) items.push_back(i);
    }
    std::vector<uint32_t> both;
    std::ranges::set_union(test.items[m], items, std::back_inserter(both));
    test.items[m] = std::move(both);
    covered.before = covered.counters;
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
      item.count = count_of(planned, covered.counters);
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
