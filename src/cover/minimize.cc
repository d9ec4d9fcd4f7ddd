#include "cover/minimize.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <queue>

#include "base/budget.h"

namespace fathom::cover {
namespace {

constexpr size_t kMostWork = 20'000'000;     // of the search: words that are looked at
constexpr size_t kMostComparedItems = 3000;  // each is compared with each

class Bits {
 public:
  explicit Bits(size_t size = 0) : words_((size + 63) / 64) {}
  void set(size_t i) { words_[i / 64] |= uint64_t{1} << i % 64; }
  void clear(size_t i) { words_[i / 64] &= ~(uint64_t{1} << i % 64); }
  bool has(size_t i) const { return (words_[i / 64] >> i % 64 & 1) != 0; }
  void remove(const Bits& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  }
  void keep(const Bits& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  }
  bool overlaps(const Bits& other) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & other.words_[i]) != 0) return true;
    }
    return false;
  }
  void add(const Bits& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  bool is_within(const Bits& other) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & ~other.words_[i]) != 0) return false;
    }
    return true;
  }
  size_t count_in(const Bits& other) const {
    size_t n = 0;
    for (size_t i = 0; i < words_.size(); ++i) {
      n += static_cast<size_t>(std::popcount(words_[i] & other.words_[i]));
    }
    return n;
  }
  size_t count() const { return count_in(*this); }
  bool empty() const {
    return std::ranges::all_of(words_, [](uint64_t w) { return w == 0; });
  }
  template <class F>
  void for_each(F&& f) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      for (uint64_t w = words_[i]; w != 0; w &= w - 1) {
        f(64 * i + static_cast<size_t>(std::countr_zero(w)));
      }
    }
  }
  auto operator<=>(const Bits&) const = default;

 private:
  std::vector<uint64_t> words_;
};

class Cover {
 public:
  Cover(const std::vector<std::vector<uint32_t>>& items, size_t item_count);
  Minimized run();

 private:
  bool take_needed();
  bool drop_items();
  bool drop_tests();
  void take(size_t test);
  void search();
  std::vector<uint32_t> greedy(Bits left) const;
  size_t bound(const Bits& left) const;
  std::optional<size_t> hardest(const Bits& left) const;

  size_t tests_;
  std::vector<Bits> tests_of_;  // by item: those that cover it; items with the same ones are one
  std::vector<Bits> items_of_;  // by test
  Bits left_;                   // items that must still be covered
  Bits usable_;                 // tests
  Minimized result_;
};

Cover::Cover(const std::vector<std::vector<uint32_t>>& items, size_t item_count)
    : tests_(items.size()), usable_(items.size()) {
  std::vector<Bits> by_item(item_count, Bits(tests_));
  for (size_t t = 0; t < tests_; ++t) {
    usable_.set(t);
    for (const uint32_t i : items[t]) by_item[i].set(t);
  }
  result_.alone.resize(tests_);
  for (const Bits& b : by_item) {
    if (b.empty()) continue;
    ++result_.items;
    if (b.count() == 1) b.for_each([&](size_t t) { ++result_.alone[t]; });
  }
  std::erase_if(by_item, [](const Bits& b) { return b.empty(); });
  std::ranges::sort(by_item);
  by_item.erase(std::unique(by_item.begin(), by_item.end()), by_item.end());
  tests_of_ = std::move(by_item);
  left_ = Bits(tests_of_.size());
  items_of_.assign(tests_, Bits(tests_of_.size()));
  for (size_t i = 0; i < tests_of_.size(); ++i) {
    left_.set(i);
    tests_of_[i].for_each([&](size_t t) { items_of_[t].set(i); });
  }
}

void Cover::take(size_t test) {
  result_.chosen.push_back(static_cast<uint32_t>(test));
  left_.remove(items_of_[test]);
  usable_.clear(test);
}

bool Cover::take_needed() {
  bool changed = false;
  for (size_t i = 0; i < tests_of_.size(); ++i) {
    if (!left_.has(i) || tests_of_[i].count_in(usable_) != 1) continue;
    Bits only = tests_of_[i];
    only.keep(usable_);
    only.for_each([&](size_t t) { take(t); });
    changed = true;
  }
  return changed;
}

// An item whose tests include all those of another one is covered with that.
bool Cover::drop_items() {
  std::vector<std::pair<Bits, size_t>> left;
  left_.for_each([&](size_t i) {
    Bits tests = tests_of_[i];
    tests.keep(usable_);
    left.emplace_back(std::move(tests), i);
  });
  if (left.size() > kMostComparedItems) return false;
  std::ranges::sort(left, {}, [](const auto& entry) { return entry.first.count(); });
  bool changed = false;
  for (size_t a = 0; a < left.size(); ++a) {
    if (!left_.has(left[a].second)) continue;
    spend(static_cast<int64_t>(left.size()));
    for (size_t b = a + 1; b < left.size(); ++b) {
      if (!left_.has(left[b].second) || !left[a].first.is_within(left[b].first)) continue;
      left_.clear(left[b].second);
      changed = true;
    }
  }
  return changed;
}

bool Cover::drop_tests() {
  std::vector<std::pair<Bits, size_t>> left;
  usable_.for_each([&](size_t t) {
    Bits items = items_of_[t];
    items.keep(left_);
    left.emplace_back(std::move(items), t);
  });
  std::ranges::stable_sort(left, std::greater<>(),
                           [](const auto& entry) { return entry.first.count(); });
  bool changed = false;
  for (size_t b = left.size(); b-- > 0;) {
    spend(static_cast<int64_t>(left.size()));
    for (size_t a = 0; a < b; ++a) {
      if (!usable_.has(left[a].second) || !left[b].first.is_within(left[a].first)) continue;
      usable_.clear(left[b].second);
      changed = true;
      break;
    }
  }
  return changed;
}

// What a test adds only becomes less: so the test that had most, looked at again and still having
// most, is the next one.
std::vector<uint32_t> Cover::greedy(Bits left) const {
  std::vector<uint32_t> chosen;
  std::priority_queue<std::pair<size_t, size_t>> by_gain;
  usable_.for_each([&](size_t t) { by_gain.emplace(items_of_[t].count_in(left), t); });
  while (!left.empty() && !by_gain.empty()) {
    const size_t test = by_gain.top().second;
    by_gain.pop();
    const size_t gain = items_of_[test].count_in(left);
    if (gain == 0) continue;
    if (!by_gain.empty() && gain < by_gain.top().first) {
      by_gain.emplace(gain, test);
      continue;
    }
    chosen.push_back(static_cast<uint32_t>(test));
    left.remove(items_of_[test]);
  }
  return chosen;
}

// Items of which no two have a test in common need a test each.
size_t Cover::bound(const Bits& left) const {
  std::vector<std::pair<size_t, size_t>> by_size;
  left.for_each([&](size_t i) { by_size.emplace_back(tests_of_[i].count_in(usable_), i); });
  std::ranges::sort(by_size);
  Bits used(tests_);
  size_t n = 0;
  for (const auto& [size, i] : by_size) {
    Bits tests = tests_of_[i];
    tests.keep(usable_);
    if (used.overlaps(tests)) continue;
    used.add(tests);
    ++n;
  }
  return n;
}

std::optional<size_t> Cover::hardest(const Bits& left) const {
  std::optional<size_t> found;
  size_t fewest = SIZE_MAX;
  left.for_each([&](size_t i) {
    const size_t n = tests_of_[i].count_in(usable_);
    if (n < fewest) {
      fewest = n;
      found = i;
    }
  });
  return found;
}

void Cover::search() {
  std::vector<uint32_t> best = greedy(left_);
  struct Node {
    Bits left;
    std::vector<uint32_t> chosen;
  };
  std::vector<Node> todo{{left_, {}}};
  size_t work = 0;
  const size_t words = tests_ / 64 + 1;
  bool is_complete = true;
  while (!todo.empty()) {
    Node node = std::move(todo.back());
    todo.pop_back();
    if (node.left.empty()) {
      if (node.chosen.size() < best.size()) best = node.chosen;
      continue;
    }
    work += 8 * words * (node.left.count() + 8);
    if (work > kMostWork) {
      is_complete = false;
      break;
    }
    if (node.chosen.size() + bound(node.left) >= best.size()) continue;
    spend(static_cast<int64_t>(tests_of_.size()));
    std::vector<std::pair<size_t, size_t>> tests;  // the best one last: it is tried first
    Bits candidates = tests_of_[*hardest(node.left)];
    candidates.keep(usable_);
    candidates.for_each([&](size_t t) { tests.emplace_back(items_of_[t].count_in(node.left), t); });
    std::ranges::sort(tests);
    for (const auto& [count, t] : tests) {
      Node next = node;
      next.left.remove(items_of_[t]);
      next.chosen.push_back(static_cast<uint32_t>(t));
      todo.push_back(std::move(next));
    }
  }
  result_.is_smallest = is_complete;
  result_.chosen.insert(result_.chosen.end(), best.begin(), best.end());
}

Minimized Cover::run() {
  bool changed = true;
  while (changed) {
    changed = take_needed();
    changed = drop_tests() || changed;
    changed = drop_items() || changed;
  }
  search();
  std::ranges::sort(result_.chosen);
  return std::move(result_);
}

}  // namespace

Minimized minimize(const std::vector<std::vector<uint32_t>>& items, size_t item_count) {
  return Cover(items, item_count).run();
}

}  // namespace fathom::cover
