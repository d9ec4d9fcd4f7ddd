// Ordered: a queue by a number that says how soon. Guided: such a queue, with the smallest inputs
// first, in turn with dives. A dive goes on from a way taken at random straight to the end of a
// path, and lets the input grow up to a size drawn at random before: large inputs exercise much at
// once, and small ones would come to them late. Whichever has found more of late gets more turns.
//
// Cost: O(log n) for each way.
#include "generate/strategy.h"

#include <algorithm>
#include <array>
#include <queue>
#include <vector>

#include "base/hash.h"

namespace fathom::generate {
namespace {

// Less is sooner.
using Order = int64_t (*)(const Frontier& way, uint64_t sequence, uint64_t seed);

int64_t by_depth(const Frontier& way, uint64_t, uint64_t) { return way.depth; }
int64_t newest_first(const Frontier&, uint64_t sequence, uint64_t) {
  return -static_cast<int64_t>(sequence);
}
int64_t at_random(const Frontier&, uint64_t sequence, uint64_t seed) {
  return static_cast<int64_t>(hash_words(seed, sequence) >> 1);
}
// Depth first, and what is deeper than a bound only when all else was tried; then the next bound.
int64_t deeper_and_deeper(const Frontier& way, uint64_t sequence, uint64_t) {
  constexpr int64_t kStep = 8;
  return (way.depth / kStep << 40) - static_cast<int64_t>(sequence);
}
int64_t smallest_first(const Frontier& way, uint64_t, uint64_t) {
  constexpr int64_t kDecisions = 8;  // weigh as much as one more part of the input
  constexpr int64_t kNew = 6;        // parts that a new way is worth
  return (way.cost - (way.is_new ? kNew : 0)) * kDecisions + way.depth + way.distance;
}

class Ordered : public SearchStrategy {
 public:
  Ordered(Order order, uint64_t seed) : order_(order), seed_(seed) {}

  void add(const Frontier& way) override {
    ++sequence_;
    queue_.push({order_(way, sequence_, seed_), sequence_, way.node});
  }
  std::optional<NodeIndex> next() override {
    if (queue_.empty()) return std::nullopt;
    const NodeIndex node = queue_.top().node;
    queue_.pop();
    return node;
  }

 private:
  struct Queued {
    int64_t order;
    uint64_t sequence;
    NodeIndex node;
    bool operator<(const Queued& other) const {
      return std::pair(order, sequence) > std::pair(other.order, other.sequence);
    }
  };

  Order order_;
  uint64_t seed_;
  uint64_t sequence_ = 0;
  std::priority_queue<Queued> queue_;
};

class Guided : public SearchStrategy {
 public:
  Guided(uint64_t seed, int size)
      : smallest_(smallest_first, seed), random_(seed), size_(std::max(size, 1)) {}

  void add(const Frontier& way) override {
    smallest_.add(way);
    open_.push_back(way.node);
    if (is_taken_.size() <= way.node) is_taken_.resize(way.node + 1);
    if (is_diving_ && way.parent == last_) ahead_.push_back(way);
  }

  std::optional<NodeIndex> next() override {
    std::optional<NodeIndex> node = is_diving_ ? deeper() : std::nullopt;
    if (!node && is_diving_) node = start_of_dive();
    while (!node) {
      const auto first = smallest_.next();
      if (!first) return std::nullopt;
      if (!is_taken_[*first]) node = first;
    }
    is_taken_[*node] = true;
    last_ = *node;
    return node;
  }

  void ended(bool is_new) override {
    Turns& turns = turns_[is_diving_ ? 1 : 0];
    ++turns.paths;
    if (is_new) ++turns.finds;
    for (Turns& each : turns_) {
      if (each.paths < kMemory) continue;
      each.paths /= 2;
      each.finds /= 2;
    }
    ahead_.clear();
    ++paths_;
    // Each is tried now and then; else the one that finds more.
    const Turns& small = turns_[0];
    const Turns& dives = turns_[1];
    const bool is_better =
        (dives.finds + 1) * (small.paths + 1) > (small.finds + 1) * (dives.paths + 1);
    is_diving_ = paths_ > kFirst && (paths_ % kTurn == 0 ? !is_better : is_better);
    if (is_diving_) growth_ = 1 + static_cast<int>(draw(static_cast<size_t>(size_)));
  }

 private:
  struct Turns {
    uint64_t paths = 0;
    uint64_t finds = 0;
  };
  static constexpr uint64_t kFirst = 30;  // paths before the first dive
  static constexpr uint64_t kTurn = 8;
  static constexpr uint64_t kMemory = 200;

  size_t draw(size_t n) { return hash_words(random_, ++draws_) % n; }

  // One of the ways that the last one has led to: that lets the input grow, while it is to grow.
  std::optional<NodeIndex> deeper() {
    if (ahead_.empty()) return std::nullopt;
    std::vector<Frontier> ways = std::exchange(ahead_, {});
    // What costs more than one part is not larger but more unusual: a float for an integer.
    const int usual = std::ranges::min(ways, {}, &Frontier::cost).cost + 1;
    std::erase_if(ways, [&](const Frontier& way) { return way.cost > usual; });
    const auto [least, most] = std::ranges::minmax(ways, {}, &Frontier::cost);
    const int wanted = most.cost <= growth_ ? most.cost : least.cost;
    std::vector<NodeIndex> like;
    for (const Frontier& way : ways) {
      if (way.cost == wanted || draw(4) == 0) like.push_back(way.node);
    }
    return like.empty() ? ways[draw(ways.size())].node : like[draw(like.size())];
  }

  std::optional<NodeIndex> start_of_dive() {
    while (!open_.empty()) {
      std::swap(open_[draw(open_.size())], open_.back());
      const NodeIndex node = open_.back();
      open_.pop_back();
      if (!is_taken_[node]) return node;
    }
    return std::nullopt;
  }

  Ordered smallest_;
  uint64_t random_;
  uint64_t draws_ = 0;
  int size_;
  int growth_ = 0;
  bool is_diving_ = false;
  NodeIndex last_ = 0;
  uint64_t paths_ = 0;
  std::array<Turns, 2> turns_;
  std::vector<Frontier> ahead_;
  std::vector<NodeIndex> open_;
  std::vector<bool> is_taken_;
};

}  // namespace

std::unique_ptr<SearchStrategy> make_strategy(Strategy kind, uint64_t seed, int size) {
  switch (kind) {
    case Strategy::Guided:
      return std::make_unique<Guided>(seed, size);
    case Strategy::Breadth:
      return std::make_unique<Ordered>(by_depth, seed);
    case Strategy::Depth:
      return std::make_unique<Ordered>(newest_first, seed);
    case Strategy::Deepening:
      return std::make_unique<Ordered>(deeper_and_deeper, seed);
    case Strategy::Smallest:
      return std::make_unique<Ordered>(smallest_first, seed);
    case Strategy::Random:
      break;
  }
  return std::make_unique<Ordered>(at_random, seed);
}

}  // namespace fathom::generate
