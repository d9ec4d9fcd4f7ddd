// Numbers of pids by lineage (pid_numbers.h).
#include "machine/pid_numbers.h"

#include <gtest/gtest.h>

#include <set>
#include <span>
#include <vector>

#include "base/hash.h"

namespace fathom::machine::pid_numbers_test {
namespace {

// Of the process with these ordinals from the first one on.
uint64_t number_of(PidNumbers& pids, std::span<const uint64_t> ordinals) {
  uint64_t number = pids.of_child(0, 1).number;
  for (const uint64_t ordinal : ordinals) number = pids.of_child(number, ordinal).number;
  return number;
}

TEST(PidNumbers, AreInTheOrderOfTheNames) {
  const std::vector<std::vector<uint64_t>> in_order = {{},       {1},    {1, 1}, {1, 1, 1}, {1, 2},
                                                       {1, 400}, {2},    {2, 1}, {3},       {6},
                                                       {7},      {7, 7}, {14},   {15},      {1000}};
  PidNumbers pids;
  uint64_t last = 0;
  for (const std::vector<uint64_t>& ordinals : in_order) {
    const uint64_t number = number_of(pids, ordinals);
    EXPECT_LT(last, number);
    last = number;
  }
}

// Whatever was met before, and however deep: random lineages, in two orders.
TEST(PidNumbers, DependOnTheLineageAlone) {
  std::set<std::vector<uint64_t>> lineages;
  uint64_t state = 1;
  for (int i = 0; i < 500; ++i) {
    std::vector<uint64_t> ordinals(next_random(state) % 30);
    for (uint64_t& ordinal : ordinals) ordinal = 1 + next_random(state) % 5;
    lineages.insert(ordinals);
  }
  PidNumbers forwards;
  PidNumbers backwards;
  std::set<uint64_t> numbers;
  for (const auto& lineage : lineages) numbers.insert(number_of(forwards, lineage));
  EXPECT_EQ(numbers.size(), lineages.size());
  for (auto it = lineages.rbegin(); it != lineages.rend(); ++it) {
    EXPECT_EQ(number_of(backwards, *it), number_of(forwards, *it));
  }
}

// Of schedules: names of processes that there are not yet.
TEST(PidNumbers, AreKnownBeforeTheProcessesAreMet) {
  for (const std::vector<uint64_t>& ordinals : std::vector<std::vector<uint64_t>>{
           {}, {1}, {2, 1}, {3, 200, 7}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {1'000'000, 5}}) {
    PidNumbers pids;
    std::vector<uint64_t> lineage = {1};
    lineage.insert(lineage.end(), ordinals.begin(), ordinals.end());
    EXPECT_EQ(PidNumbers::number_of(lineage), number_of(pids, ordinals));
  }
}

// Pids have numbers of 28 bits, some of which are those of services.
TEST(PidNumbers, AreNotThoseOfServices) {
  constexpr uint64_t kServices = uint64_t{1} << 27;
  PidNumbers pids;
  uint64_t number = pids.of_child(0, 1).number;
  EXPECT_EQ(number, 1);
  EXPECT_EQ(pids.of_child(0, 2).number, 2);
  for (int i = 0; i < 1000; ++i) {
    number = pids.of_child(number, 1).number;
    EXPECT_TRUE(number < kServices || number >= kServices + 1024);
    EXPECT_LT(number, uint64_t{1} << 28);
  }
}

}  // namespace
}  // namespace fathom::machine::pid_numbers_test
