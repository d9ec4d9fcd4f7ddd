// Which of the ways that were not taken yet is next.
//
// The search (search.h) offers each way once, by add(), and takes those that next() names, each
// once, until there are none. Whatever the order: in the end every way has been taken, so a
// strategy changes what is found first, not what there is.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "generate/options.h"

namespace fathom::generate {

using NodeIndex = uint32_t;

// A way that was not taken yet.
struct Frontier {
  NodeIndex node = 0;
  NodeIndex parent = 0;
  int cost = 0;  // of the input so far
  int depth = 0;
  int distance = 0;     // calls between where it is and what is not covered yet
  bool is_new = false;  // it decides a test as it was never decided before
};

class SearchStrategy {
 public:
  virtual ~SearchStrategy() = default;
  virtual void add(const Frontier& way) = 0;
  // None: all have been taken.
  virtual std::optional<NodeIndex> next() = 0;
  // A path has ended, and something new was found or not.
  virtual void ended([[maybe_unused]] bool is_new) {}
};

// Deterministic for a seed. `size`: the largest cost of an input.
std::unique_ptr<SearchStrategy> make_strategy(Strategy kind, uint64_t seed, int size);

}  // namespace fathom::generate
