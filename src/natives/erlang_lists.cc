// The functions of module erlang on lists: hd, tl, length, ++ and --.
#include <algorithm>

#include "base/budget.h"
#include "natives/families.h"
#include "values/compare.h"
#include "values/lists.h"

namespace fathom::machine::erlang_list_natives {
namespace {

Value hd_1(Context& c, const Value* a) {
  return a[0].is_cons() ? c.passed(reinterpret_cast<const Value*>(a[0].words())) : c.badarg();
}
Value tl_1(Context& c, const Value* a) {
  return a[0].is_cons() ? c.passed(reinterpret_cast<const Value*>(a[0].words()) + 1) : c.badarg();
}

Value length_1(Context& c, const Value* a) {
  const auto count = proper_length(a[0]);
  return count ? Value::small(static_cast<int64_t>(*count)) : c.badarg();
}

// Copies the first list, which must be proper, and ends it with the other value.
Value append_2(Context& c, const Value* a) {
  const auto count = proper_length(a[0]);
  if (!count) return c.badarg();
  if (*count == 0) return c.passed_argument(a[1], 1);
  if (a[1].is_nil()) return a[0];
  spend_memory(*count * 2 * sizeof(uint64_t));
  uint64_t* words = c.heap.allocate(2 * *count);
  Value from = a[0];
  for (size_t i = 0; i < *count; ++i, from = from.tail()) {
    words[2 * i] = from.head().raw();
    words[2 * i + 1] = Value::cons_at(words + 2 * i + 2).raw();
  }
  words[2 * *count - 1] = a[1].raw();
  c.carry_label(1, words + 2 * *count - 1);
  c.heap.carry_list_labels(a[0], Value::cons_at(words));
  return Value::cons_at(words);
}

// How many of each value are still to be taken away: distinct values in their
// order, or, where they are few, as they come.
class Removals {
 public:
  explicit Removals(std::vector<Value> items) : left_(items.size()) {
    sorted_ = items.size() > kFew;
    if (sorted_) {
      std::ranges::sort(items, [](Value x, Value y) { return compare_exact(x, y) < 0; });
    }
    for (const Value item : items) {
      if (sorted_ && !entries_.empty() && equal_exact(entries_.back().value, item)) {
        ++entries_.back().count;
      } else {
        entries_.push_back({item, 1});
      }
    }
  }

  bool empty() const { return left_ == 0; }

  bool take(Value value) {
    Entry* entry = find(value);
    if (!entry) return false;
    --entry->count;
    --left_;
    return true;
  }

 private:
  static constexpr size_t kFew = 8;
  struct Entry {
    Value value;
    size_t count;
  };

  Entry* find(Value value) {
    if (!sorted_) {
      for (Entry& e : entries_) {
        if (e.count > 0 && equal_exact(e.value, value)) return &e;
      }
      return nullptr;
    }
    const auto it = std::ranges::lower_bound(
        entries_, value, [](Value x, Value y) { return compare_exact(x, y) < 0; }, &Entry::value);
    const bool found = it != entries_.end() && it->count > 0 && equal_exact(it->value, value);
    return found ? &*it : nullptr;
  }

  std::vector<Entry> entries_;
  size_t left_;
  bool sorted_;
};

// O((n + m) log m).
Value subtract_2(Context& c, const Value* a) {
  if (!proper_length(a[0])) return c.badarg();
  auto removed = proper_items(a[1]);
  if (!removed) return c.badarg();
  Removals removals(std::move(*removed));
  std::vector<Value> kept;
  Value rest = a[0];
  // What lies after the last element taken away is shared.
  size_t kept_before_last = 0;
  Value behind_last = a[0];
  for (; rest.is_cons() && !removals.empty(); rest = rest.tail()) {
    spend();
    if (removals.take(rest.head())) {
      kept_before_last = kept.size();
      behind_last = rest.tail();
    } else {
      kept.push_back(rest.head());
    }
  }
  return c.heap.list(std::span<const Value>(kept).first(kept_before_last), behind_last);
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "hd", 1, hd_1},
    {"erlang", "tl", 1, tl_1},
    {"erlang", "length", 1, length_1},
    {"erlang", "++", 2, append_2},
    {"erlang", "append", 2, append_2},
    {"erlang", "--", 2, subtract_2},
    {"erlang", "subtract", 2, subtract_2},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::erlang_list_natives
