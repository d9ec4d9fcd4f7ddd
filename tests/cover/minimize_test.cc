// Suite minimisation against brute force.
#include "cover/minimize.h"

#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <random>

#include "samples.h"

namespace fathom::cover {
namespace {

using Suite = std::vector<std::vector<uint32_t>>;

uint64_t union_of(const Suite& suite, uint32_t subset) {
  uint64_t covered = 0;
  for (size_t t = 0; t < suite.size(); ++t) {
    if ((subset >> t & 1) == 0) continue;
    for (const uint32_t i : suite[t]) covered |= uint64_t{1} << i;
  }
  return covered;
}

// Every subset.
int smallest(const Suite& suite) {
  const uint64_t all = union_of(suite, UINT32_MAX);
  int best = static_cast<int>(suite.size());
  for (uint32_t subset = 0; subset < uint32_t{1} << suite.size(); ++subset) {
    if (std::popcount(subset) < best && union_of(suite, subset) == all) {
      best = std::popcount(subset);
    }
  }
  return best;
}

Suite random_suite(std::mt19937& random, size_t tests, uint32_t items, double density) {
  Suite suite(tests);
  std::bernoulli_distribution covers(density);
  for (auto& test : suite) {
    for (uint32_t i = 0; i < items; ++i) {
      if (covers(random)) test.push_back(i);
    }
  }
  return suite;
}

TEST(Minimize, FindsASmallestSuite) {
  std::mt19937 random(20);
  const int count = takes_samples() ? 50 : 1500;
  for (int n = 0; n < count; ++n) {
    const size_t tests = 1 + random() % 11;
    const uint32_t items = 1 + random() % 40;
    const Suite suite = random_suite(random, tests, items, 0.05 + (random() % 50) / 100.0);
    const Minimized m = minimize(suite, items);
    uint32_t chosen = 0;
    for (const uint32_t t : m.chosen) chosen |= uint32_t{1} << t;
    ASSERT_EQ(union_of(suite, chosen), union_of(suite, UINT32_MAX)) << n;
    ASSERT_TRUE(m.is_smallest) << n;
    ASSERT_EQ(static_cast<int>(m.chosen.size()), smallest(suite)) << n;
    for (size_t t = 0; t < tests; ++t) {
      const uint64_t others = union_of(suite, ~(uint32_t{1} << t));
      const uint64_t own = union_of(suite, uint32_t{1} << t);
      ASSERT_EQ(m.alone[t], static_cast<size_t>(std::popcount(own & ~others))) << n;
    }
  }
}

TEST(Minimize, NothingToCover) {
  EXPECT_TRUE(minimize({}, 0).chosen.empty());
  EXPECT_TRUE(minimize({{}, {}}, 7).chosen.empty());
  EXPECT_EQ(minimize({{1}, {1}}, 2).chosen.size(), 1u);
}

// 1,000 tests and 10,000 items, of suites of different kinds.
TEST(Minimize, IsQuick) {
  std::mt19937 random(7);
  for (const double density : {0.001, 0.01, 0.3}) {
    const Suite suite = random_suite(random, 1000, 10'000, density);
    const auto start = std::chrono::steady_clock::now();
    const Minimized m = minimize(suite, 10'000);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    RecordProperty("seconds", std::to_string(seconds.count()));
    EXPECT_GT(m.chosen.size(), 0u);
    std::printf("density %.3f: %zu of 1000 tests, %s, %.2f s\n", density, m.chosen.size(),
                m.is_smallest ? "smallest" : "not proved", seconds.count());
    if (!takes_samples()) {
      EXPECT_LT(seconds.count(), 5) << density;
    }
  }
}

}  // namespace
}  // namespace fathom::cover
