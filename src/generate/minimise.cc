#include "generate/minimise.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "cover/minimize.h"

namespace fathom::generate {

namespace {

// Less is better: a value before an exception, small inputs before large ones.
auto rank_of(const TestCase& test) {
  size_t length = 0;
  for (const std::string& argument : test.arguments) length += argument.size();
  for (const std::string& message : test.messages) length += message.size();
  return std::tuple(test.outcome != TestCase::Outcome::Value, test.cost, length);
}

// Of those tests the fewest that cover what all of them do, the better ones of equals; they and
// what they cover are noted.
void add_fewest(const Suite& suite, std::vector<size_t> order, std::vector<bool>& is_kept,
                std::vector<bool>& is_covered) {
  std::ranges::stable_sort(
      order, [&](size_t a, size_t b) { return rank_of(suite.tests[a]) < rank_of(suite.tests[b]); });
  std::vector<std::vector<uint32_t>> covers;
  for (const size_t i : order) {
    std::vector<uint32_t>& left = covers.emplace_back();
    std::ranges::copy_if(suite.tests[i].covers, std::back_inserter(left),
                         [&](uint32_t item) { return !is_covered[item]; });
  }
  for (const uint32_t i : cover::minimize(covers, suite.items.size()).chosen) {
    is_kept[order[i]] = true;
    for (const uint32_t item : suite.tests[order[i]].covers) is_covered[item] = true;
  }
}

}  // namespace

void minimise(Suite& suite, const GenerateOptions& options) {
  std::vector<bool> is_kept(suite.tests.size(), options.criterion == Criterion::Paths);
  std::vector<bool> is_covered(suite.items.size());
  for (size_t i = 0; i < suite.tests.size(); ++i) {
    if (!suite.tests[i].is_finding) continue;
    is_kept[i] = true;
    for (const uint32_t item : suite.tests[i].covers) is_covered[item] = true;
  }
  for (const bool is_earlier : {true, false}) {
    std::vector<size_t> group;
    for (size_t i = 0; i < suite.tests.size(); ++i) {
      if (suite.tests[i].is_earlier == is_earlier) group.push_back(i);
    }
    add_fewest(suite, std::move(group), is_kept, is_covered);
  }
  if (!suite.tests.empty() && std::ranges::find(is_kept, true) == is_kept.end()) is_kept[0] = true;
  std::vector<uint32_t> count(suite.items.size());
  std::vector<TestCase> kept;
  for (size_t i = 0; i < suite.tests.size(); ++i) {
    if (!is_kept[i]) continue;
    kept.push_back(std::move(suite.tests[i]));
    for (const uint32_t item : kept.back().covers) ++count[item];
  }
  for (TestCase& test : kept) {
    std::ranges::copy_if(test.covers, std::back_inserter(test.only),
                         [&](uint32_t item) { return count[item] == 1; });
  }
  // Those that were there before stay where they are.
  const auto first_new = std::stable_partition(
      kept.begin(), kept.end(), [](const TestCase& test) { return test.is_earlier; });
  std::stable_sort(first_new, kept.end(),
                   [](const TestCase& a, const TestCase& b) { return rank_of(a) < rank_of(b); });
  suite.tests = std::move(kept);
}

}  // namespace fathom::generate
