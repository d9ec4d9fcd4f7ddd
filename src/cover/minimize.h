// A smallest set of tests that covers what all of them cover.
//
// Set cover. First it is made smaller, until nothing changes: a test that alone covers an item is
// needed; an item is covered by itself if another one has only tests that cover it too; a test is
// not needed if another one covers all that it covers of what is left. What remains is searched by
// branch and bound: a bound is the number of items of which no two have a test in common. The
// search has a limit of work; within it the result is proved to be smallest (`is_smallest`),
// beyond it the best one that was found counts, which is at most that of the greedy choice.
//
// Cost: tests x tests x items / 64 for the reductions, and the limit of work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fathom::cover {

struct Minimized {
  std::vector<uint32_t> chosen;  // in ascending order
  bool is_smallest = false;
  std::vector<size_t> alone;  // by test: how many items it alone covers
  size_t items = 0;           // that are covered at all
};

// `items`: for each test what it covers, as numbers below `item_count`.
Minimized minimize(const std::vector<std::vector<uint32_t>>& items, size_t item_count);

}  // namespace fathom::cover
