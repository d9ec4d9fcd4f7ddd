// Tests of base/budget.h.
#include "base/budget.h"

#include <gtest/gtest.h>

#include <thread>

namespace fathom::budget_test {
namespace {

constexpr size_t kMegabyte = size_t{1} << 20;

// Whether so much work is too much for the budget of this thread.
bool is_too_much(int64_t work) {
  try {
    for (int64_t i = 0; i < work; ++i) spend();
  } catch (const BudgetSpent&) {
    return true;
  }
  return false;
}

TEST(Budget, WithoutLimitsIsNeverSpent) {
  Budget budget({});
  const BudgetScope scope(budget);
  EXPECT_FALSE(is_too_much(100'000));
  EXPECT_FALSE(budget.is_spent());
  EXPECT_EQ(budget.reason(), "");
}

TEST(Budget, EndsWorkWhenTheTimeIsOver) {
  Budget budget({.seconds = 0.001});
  const BudgetScope scope(budget);
  EXPECT_TRUE(is_too_much(INT64_MAX));
  EXPECT_EQ(budget.look(), Budget::Spent::Time);
  EXPECT_EQ(budget.reason(), "the time limit of 0.001 seconds is reached");
}

TEST(Budget, CountsTheMemoryOfTheProcess) {
  Budget budget({.memory = 1});
  EXPECT_EQ(budget.look(), Budget::Spent::Memory);
  budget.renew({.memory = resident_bytes() + 512 * kMegabyte});
  EXPECT_EQ(budget.look(), Budget::Spent::No);
  EXPECT_EQ(budget.reason(), "");
}

TEST(Budget, RefusesALargeAllocationBeforeItIsMade) {
  Budget budget({.memory = resident_bytes() + 512 * kMegabyte});
  const BudgetScope scope(budget);
  EXPECT_NO_THROW(spend_memory(kMegabyte));
  EXPECT_THROW(spend_memory(4096 * kMegabyte), BudgetSpent);
  EXPECT_EQ(budget.look(), Budget::Spent::Memory);
}

TEST(Budget, CanBeInterruptedByAnotherThread) {
  Budget budget({});
  const BudgetScope scope(budget);
  std::thread other([&] { budget.interrupt(); });
  EXPECT_TRUE(is_too_much(INT64_MAX));
  other.join();
  EXPECT_EQ(budget.reason(), "interrupted");
  budget.renew({});
  EXPECT_EQ(budget.look(), Budget::Spent::Interrupted) << "that is not a matter of time";
}

TEST(Budget, IsThatOfOneThread) {
  Budget budget({.seconds = 0.001});
  const BudgetScope scope(budget);
  std::thread other([] { EXPECT_EQ(Budget::current(), nullptr); });
  other.join();
  EXPECT_EQ(Budget::current(), &budget);
}

TEST(Budget, OfAnInnerScopeIsForgottenAtItsEnd) {
  Budget outer({});
  Budget inner({});
  const BudgetScope outer_scope(outer);
  {
    const BudgetScope inner_scope(inner);
    EXPECT_EQ(Budget::current(), &inner);
  }
  EXPECT_EQ(Budget::current(), &outer);
}

TEST(Budget, IsOverrunOnlyAfterSomeGrace) {
  Budget budget({.seconds = 0.001});
  while (!budget.is_spent()) {
  }
  EXPECT_EQ(budget.overrun(), Budget::Spent::No);
  budget.renew({.memory = 1});
  EXPECT_EQ(budget.overrun(),
            resident_bytes() > 65 * kMegabyte ? Budget::Spent::Memory : Budget::Spent::No);
}

}  // namespace
}  // namespace fathom::budget_test
