#include "slice/need.h"

#include <algorithm>

namespace fathom::slice {

namespace {

constexpr size_t kFirstSlots = 128;

}  // namespace

Needs::Needs(bool has_fields) : has_fields_(has_fields) {
  trees_.resize(3);  // kNothing, kWhole, kShape
  if (!has_fields) return;
  trees_.reserve(kFirstSlots);
  fields_.reserve(kFirstSlots);
  scratch_.reserve(kFirstSlots);
  by_hash_.resize(kFirstSlots);
  joins_.resize(kFirstSlots);
}

uint64_t Needs::hash(std::span<const Field> fields, bool is_list) {
  uint64_t h = is_list ? 77 : 1;
  for (const Field& f : fields) {
    const uint64_t tag = f.selector.tag ? uint64_t{f.selector.tag->id()} + 1 : 0;
    h = (h ^ f.selector.value ^ static_cast<uint64_t>(f.selector.kind) << 56) * 0xC2B2AE3D27D4EB4Fu;
    h = (h ^ tag << 32 ^ uint64_t{f.selector.size} << 24 ^ static_cast<uint64_t>(f.need)) *
        0x9E3779B97F4A7C15u;
    h ^= h >> 29;
  }
  return h;
}

NeedId Needs::intern(size_t base, bool is_list) {
  const auto is_nothing = [](const Field& f) { return f.need == kNothing; };
  scratch_.erase(
      std::remove_if(scratch_.begin() + static_cast<ptrdiff_t>(base), scratch_.end(), is_nothing),
      scratch_.end());
  const std::span<const Field> own = std::span(scratch_).subspan(base);
  if (own.empty() && !is_list) return kShape;
  Tree result{.is_list = is_list};
  for (const Field& f : own) {
    const Tree& part = tree(f.need);
    const bool is_tail = f.selector == Selector::tail();
    if (is_tail) {
      result.tails = part.tails + 1;
      // A cell before a list whose elements are needed as its own is one more of it.
      const std::span<const Field> rest = fields(f.need);
      const bool is_same = part.is_list && rest.size() + 1 == own.size() &&
                           std::all_of(rest.begin(), rest.end(), [&](const Field& r) {
                             return std::find(own.begin(), own.end(), r) != own.end();
                           });
      if (is_same) return f.need;
    }
    result.depth = std::max(result.depth, part.depth + (is_tail ? 0 : 1));
  }
  if (result.tails > kMostTails) return folded(base);
  if (result.depth > kMostDepth) return kWhole;
  return found_or_added(base, result);
}

NeedId Needs::found_or_added(size_t base, Tree tree) {
  if (2 * trees_.size() > by_hash_.size()) {
    by_hash_.assign(2 * by_hash_.size(), 0);
    for (uint32_t i = 3; i < trees_.size(); ++i) {
      size_t at = hash(fields(NeedId{i}), trees_[i].is_list) & (by_hash_.size() - 1);
      while (by_hash_[at] != 0) at = (at + 1) & (by_hash_.size() - 1);
      by_hash_[at] = i;
    }
  }
  const std::span<const Field> own = std::span(scratch_).subspan(base);
  size_t at = hash(own, tree.is_list) & (by_hash_.size() - 1);
  for (; by_hash_[at] != 0; at = (at + 1) & (by_hash_.size() - 1)) {
    const NeedId known{by_hash_[at]};
    const std::span<const Field> theirs = fields(known);
    if (this->tree(known).is_list == tree.is_list &&
        std::equal(own.begin(), own.end(), theirs.begin(), theirs.end())) {
      return known;
    }
  }
  const NeedId id{static_cast<uint32_t>(trees_.size())};
  by_hash_[at] = static_cast<uint32_t>(id);
  tree.first = static_cast<uint32_t>(fields_.size());
  tree.count = static_cast<uint32_t>(own.size());
  fields_.insert(fields_.end(), own.begin(), own.end());
  trees_.push_back(tree);
  return id;
}

// All cells of the chain as one.
NeedId Needs::folded(size_t base) {
  const auto index = [](size_t i) { return static_cast<ptrdiff_t>(i); };
  NeedId next = kNothing;
  const auto is_tail = [](const Field& f) { return f.selector == Selector::tail(); };
  const auto take_tail = [&](size_t from) {
    const auto at = std::find_if(scratch_.begin() + index(from), scratch_.end(), is_tail);
    next = at == scratch_.end() ? kNothing : at->need;
    if (at != scratch_.end()) scratch_.erase(at);
  };
  take_tail(base);
  while (is_some(next)) {
    if (next == kWhole) return kWhole;
    const bool is_list = tree(next).is_list;
    const size_t cell = scratch_.size();
    copy_fields(next, false);
    take_tail(cell);
    if (is_list) next = kNothing;
    for (size_t i = cell; i < scratch_.size();) {
      const Field field = scratch_[i];
      const auto at = std::find_if(scratch_.begin() + index(base), scratch_.begin() + index(cell),
                                   [&](const Field& f) { return f.selector == field.selector; });
      if (at == scratch_.begin() + index(cell)) {
        ++i;
        continue;
      }
      const size_t known = static_cast<size_t>(at - scratch_.begin());
      scratch_.erase(scratch_.begin() + index(i));
      const NeedId both = join(scratch_[known].need, field.need);
      scratch_[known].need = both;
    }
  }
  std::sort(scratch_.begin() + index(base), scratch_.end(),
            [](const Field& a, const Field& b) { return a.selector < b.selector; });
  return intern(base, true);
}

// `has_tail`: with the tail of a list, which is the list.
void Needs::copy_fields(NeedId id, bool has_tail) {
  has_tail = has_tail && tree(id).is_list;
  for (size_t i = 0; i < tree(id).count; ++i) {
    const Field& field = fields(id)[i];
    if (has_tail && Selector::tail() < field.selector) {
      scratch_.push_back({Selector::tail(), id});
      has_tail = false;
    }
    scratch_.push_back(field);
  }
  if (has_tail) scratch_.push_back({Selector::tail(), id});
}

Needs::Joined& Needs::joined(uint64_t pair) {
  const auto slot = [this](uint64_t key) -> Joined& {
    size_t at = (key * 0x9E3779B97F4A7C15u >> 32) & (joins_.size() - 1);
    while (joins_[at].pair != 0 && joins_[at].pair != key) at = (at + 1) & (joins_.size() - 1);
    return joins_[at];
  };
  if (2 * join_count_ > joins_.size()) {
    std::vector<Joined> before(2 * joins_.size());
    before.swap(joins_);
    for (const Joined& j : before) {
      if (j.pair != 0) slot(j.pair) = j;
    }
  }
  return slot(pair);
}

NeedId Needs::join(NeedId a, NeedId b) {
  if (a == b || !is_some(b)) return a;
  if (!is_some(a)) return b;
  if (a == kWhole || b == kWhole) return kWhole;
  if (a > b) std::swap(a, b);
  // All others say what it is.
  if (a == kShape) return b;
  const uint64_t pair = uint64_t{static_cast<uint32_t>(a)} << 32 | static_cast<uint32_t>(b);
  if (const Joined& known = joined(pair); known.pair == pair) return known.need;
  const bool are_lists = tree(a).is_list && tree(b).is_list;
  const size_t first = scratch_.size();
  copy_fields(a, !are_lists);
  const size_t second = scratch_.size();
  copy_fields(b, !are_lists);
  const size_t result = scratch_.size();
  // Joins of parts push above what is there, and leave it as it is.
  size_t left = first;
  size_t right = second;
  while (left < second || right < result) {
    const bool is_left =
        left < second && (right == result || !(scratch_[right].selector < scratch_[left].selector));
    const bool is_right =
        right < result && (left == second || !(scratch_[left].selector < scratch_[right].selector));
    Field field = scratch_[is_left ? left : right];
    if (is_left && is_right) field.need = join(field.need, scratch_[right].need);
    left += is_left ? 1 : 0;
    right += is_right ? 1 : 0;
    scratch_.push_back(field);
  }
  const NeedId both = intern(result, are_lists);
  scratch_.resize(first);
  joined(pair) = {pair, both};
  ++join_count_;
  return both;
}

NeedId Needs::of_part(Selector selector, NeedId need) {
  if (!has_fields_) return kWhole;
  if (!is_some(need)) return kShape;
  const size_t base = scratch_.size();
  scratch_.push_back({selector, need});
  const NeedId result = intern(base, false);
  scratch_.resize(base);
  return result;
}

NeedId Needs::of_list(NeedId element) {
  if (!has_fields_) return kWhole;
  const size_t base = scratch_.size();
  if (is_some(element)) scratch_.push_back({Selector::head(), element});
  const NeedId result = intern(base, true);
  scratch_.resize(base);
  return result;
}

NeedId Needs::elements(NeedId list) {
  NeedId result = kNothing;
  for (NeedId cell = list; is_some(cell);) {
    if (cell == kWhole) return kWhole;
    result = join(result, part(cell, Selector::head()));
    const NeedId tail = part(cell, Selector::tail());
    if (tail == cell) break;  // each cell as this
    cell = tail;
  }
  return result;
}

NeedId Needs::part(NeedId structure, Selector selector) const {
  if (structure == kWhole) return kWhole;
  const Tree& t = tree(structure);
  if (t.is_list && selector == Selector::tail()) return structure;
  for (const Field& f : fields(structure)) {
    if (f.selector == selector) return f.need;
  }
  return kNothing;
}

NeedId Needs::element(NeedId structure, size_t index, size_t size, std::optional<Atom> tag) {
  if (structure == kWhole) return kWhole;
  NeedId result = kNothing;
  // By index: joins make new trees.
  for (size_t i = 0; i < tree(structure).count; ++i) {
    const Selector s = fields(structure)[i].selector;
    const NeedId need = fields(structure)[i].need;
    const bool is_other = s.kind != Selector::Kind::Element || s.value != index ||
                          (s.size != 0 && size != 0 && s.size != size) ||
                          (s.tag && tag && *s.tag != *tag);
    if (!is_other) result = join(result, need);
  }
  return result;
}

NeedId Needs::element_of_any(NeedId structure, size_t index) {
  return element(structure, index, 0, std::nullopt);
}

bool Needs::has_keys(NeedId need) const {
  if (need == kWhole) return true;
  const std::span<const Field> all = fields(need);
  return std::any_of(all.begin(), all.end(), [](const Field& f) {
    return f.selector.kind == Selector::Kind::AtomKey ||
           f.selector.kind == Selector::Kind::IntegerKey;
  });
}

}  // namespace fathom::slice
