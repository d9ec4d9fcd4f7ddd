#include "cover/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "cover/decisions.h"

namespace fathom::cover {
namespace {

ModuleCoverage* find(Coverage& coverage, const std::string& name) {
  const auto it = std::ranges::find(coverage.modules, name, &ModuleCoverage::name);
  return it == coverage.modules.end() ? nullptr : &*it;
}

std::span<const Item> known_items(const ModuleCoverage& module) {
  const auto end = std::ranges::find(module.items, ItemState::Unknown, &Item::state);
  return {module.items.begin(), end};
}

bool have_same_items(const ModuleCoverage& a, const ModuleCoverage& b) {
  return a.decisions.size() == b.decisions.size() &&
         std::ranges::equal(known_items(a), known_items(b),
                            [](const Item& x, const Item& y) { return x.is_same(y); });
}

// Adds the counts of items; what is unknown and not there is added. The new number of each.
std::vector<uint32_t> add_items(ModuleCoverage& into, const std::vector<Item>& items) {
  std::vector<uint32_t> numbers;
  for (size_t i = 0; i < items.size(); ++i) {
    size_t at = i;
    if (items[i].state == ItemState::Unknown) {
      const auto same = std::ranges::find_if(into.items, [&](const Item& known) {
        return known.state == ItemState::Unknown && known.is_same(items[i]);
      });
      at = static_cast<size_t>(same - into.items.begin());
      if (same == into.items.end()) {
        into.items.push_back(items[i]);
        into.items.back().count = 0;
      }
    }
    Item& known = into.items[at];
    known.count += items[i].count;
    // Without the analysis nothing is proved.
    if (known.state != items[i].state) known.state = ItemState::Counted;
    numbers.push_back(static_cast<uint32_t>(at));
  }
  return numbers;
}

// Tests of the same name are one test that was run twice.
void add_test(Coverage& into, TestCoverage test) {
  const auto known = std::ranges::find(into.tests, test.name, &TestCoverage::name);
  if (known == into.tests.end()) {
    into.tests.push_back(std::move(test));
    return;
  }
  known->items.resize(into.modules.size());
  for (size_t m = 0; m < test.items.size(); ++m) {
    std::vector<uint32_t> both;
    std::ranges::set_union(known->items[m], test.items[m], std::back_inserter(both));
    known->items[m] = std::move(both);
  }
}

}  // namespace

void ModuleCoverage::judge_decisions() {
  for (const DecisionCoverage& d : decisions) {
    const std::vector<bool> shown = shown_by(d.formula, d.items.size(), d.vectors);
    for (size_t i = 0; i < shown.size(); ++i) items[d.items[i]].count = shown[i] ? 1 : 0;
  }
}

Totals totals(const ModuleCoverage& module, Criterion criterion) {
  Totals sum;
  for (const Item& item : module.items) {
    if (!criteria_of(item.kind).has(criterion)) continue;
    if (!item.is_counted()) {
      ++(item.state == ItemState::Unreachable ? sum.unreachable : sum.unknown);
      continue;
    }
    ++sum.total;
    if (item.count > 0) ++sum.covered;
  }
  return sum;
}

Totals totals(const Coverage& coverage, Criterion criterion) {
  Totals sum;
  for (const ModuleCoverage& module : coverage.modules) sum.add(totals(module, criterion));
  return sum;
}

Result<void> merge(Coverage& into, const Coverage& from) {
  for (const ModuleCoverage& module : from.modules) {
    const ModuleCoverage* known = find(into, module.name);
    if (!known) continue;
    if (known->hash != module.hash) {
      return Error{fmt::format("the source of {} has changed between the two: {} and {}",
                               module.name, known->path, module.path)};
    }
    if (!have_same_items(*known, module)) {
      return Error{fmt::format("{} was measured by other criteria", module.name)};
    }
  }
  std::vector<size_t> index;                   // of the modules of `from`
  std::vector<std::vector<uint32_t>> numbers;  // of their items, where they differ
  for (const ModuleCoverage& module : from.modules) {
    ModuleCoverage* known = find(into, module.name);
    if (!known) {
      into.modules.push_back(module);
      index.push_back(into.modules.size() - 1);
      numbers.emplace_back();
      continue;
    }
    index.push_back(static_cast<size_t>(known - into.modules.data()));
    numbers.push_back(add_items(*known, module.items));
    for (size_t d = 0; d < module.decisions.size(); ++d) {
      std::vector<uint32_t> both;
      std::ranges::set_union(known->decisions[d].vectors, module.decisions[d].vectors,
                             std::back_inserter(both));
      known->decisions[d].vectors = std::move(both);
    }
    known->judge_decisions();
  }
  into.criteria = into.criteria | from.criteria;
  for (TestCoverage& test : into.tests) test.items.resize(into.modules.size());
  for (const TestCoverage& test : from.tests) {
    TestCoverage moved{test.name, std::vector<std::vector<uint32_t>>(into.modules.size())};
    for (size_t m = 0; m < test.items.size(); ++m) {
      std::vector<uint32_t>& items = moved.items[index[m]];
      items = test.items[m];
      if (numbers[m].empty()) continue;
      for (uint32_t& item : items) item = numbers[m][item];
      std::ranges::sort(items);
    }
    add_test(into, std::move(moved));
  }
  return {};
}

}  // namespace fathom::cover
