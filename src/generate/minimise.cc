#include "generate/minimise.h"

#include <algorithm>
#include <numeric>

namespace fathom::generate {

void minimise(Suite& suite, const GenerateOptions& options) {
  std::vector<uint32_t> count(suite.items.size());
  for (const TestCase& test : suite.tests) {
    for (const uint32_t item : test.covers) ++count[item];
  }
  std::vector<size_t> order(suite.tests.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto length = [&](size_t i) {
    size_t sum = 0;
    for (const std::string& argument : suite.tests[i].arguments) sum += argument.size();
    return sum;
  };
  const auto raises = [&](size_t i) { return suite.tests[i].outcome != TestCase::Outcome::Value; };
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    return std::tuple(raises(a), suite.tests[a].cost, length(a)) >
           std::tuple(raises(b), suite.tests[b].cost, length(b));
  });
  std::vector<bool> is_dropped(suite.tests.size());
  size_t left = suite.tests.size();
  for (const size_t i : order) {
    const TestCase& test = suite.tests[i];
    if (options.criterion == Criterion::Paths || test.is_finding || left == 1) continue;
    const bool is_needed =
        std::ranges::any_of(test.covers, [&](uint32_t item) { return count[item] == 1; });
    if (is_needed) continue;
    for (const uint32_t item : test.covers) --count[item];
    is_dropped[i] = true;
    --left;
  }
  std::vector<TestCase> kept;
  for (size_t i = 0; i < suite.tests.size(); ++i) {
    if (is_dropped[i]) continue;
    kept.push_back(std::move(suite.tests[i]));
    for (const uint32_t item : kept.back().covers) {
      if (count[item] == 1) kept.back().only.push_back(item);
    }
  }
  suite.tests = std::move(kept);
}

}  // namespace fathom::generate
