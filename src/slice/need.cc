#include "slice/need.h"

#include <algorithm>

namespace fathom::slice {

Needs::Needs(bool has_fields) : has_fields_(has_fields) {
  trees_.resize(3);  // kNothing, kWhole, kShape
}

uint64_t Needs::hash(const Tree& tree) {
  uint64_t h = tree.is_list ? 77 : 1;
  for (const auto& [selector, need] : tree.fields) {
    h = (h ^ static_cast<uint64_t>(selector.kind)) * 0x9E3779B97F4A7C15u;
    h = (h ^ selector.value) * 0xC2B2AE3D27D4EB4Fu;
    const uint64_t tag = selector.tag ? uint64_t{selector.tag->id()} + 1 : 0;
    h = (h ^ (tag << 16 | selector.size)) * 0x9E3779B97F4A7C15u;
    h = (h ^ static_cast<uint64_t>(need)) * 0x9E3779B97F4A7C15u;
  }
  return h;
}

NeedId Needs::intern(Tree tree) {
  std::erase_if(tree.fields, [](const Field& f) { return f.second == kNothing; });
  if (tree.fields.empty() && !tree.is_list) return kShape;
  const NeedId tail_need = [&] {
    for (const auto& [selector, need] : tree.fields) {
      if (selector == Selector::tail()) return need;
    }
    return kNothing;
  }();
  // A cell before a list whose elements are needed as its own is one more of it.
  if (is_some(tail_need) && this->tree(tail_need).is_list) {
    Tree as_list{tree.fields, true};
    std::erase_if(as_list.fields, [](const Field& f) { return f.first == Selector::tail(); });
    if (as_list == this->tree(tail_need)) return tail_need;
  }
  tree.tails = is_some(tail_need) ? this->tree(tail_need).tails + 1 : 0;
  if (tree.tails > kMostTails) return folded(tree);
  for (const auto& [selector, need] : tree.fields) {
    tree.depth =
        std::max(tree.depth, this->tree(need).depth + (selector == Selector::tail() ? 0 : 1));
  }
  if (tree.depth > kMostDepth) return kWhole;
  const uint64_t h = hash(tree);
  for (auto [at, end] = by_hash_.equal_range(h); at != end; ++at) {
    if (this->tree(at->second) == tree) return at->second;
  }
  const NeedId id{static_cast<uint32_t>(trees_.size())};
  trees_.push_back(std::move(tree));
  by_hash_.emplace(h, id);
  return id;
}

// All cells of the chain as one.
NeedId Needs::folded(const Tree& first) {
  Tree list{{}, true};
  Tree cell = first;
  while (true) {
    NeedId next = kNothing;
    for (const Field& field : cell.fields) {
      if (field.first == Selector::tail()) {
        next = field.second;
        continue;
      }
      const auto at = std::find_if(list.fields.begin(), list.fields.end(),
                                   [&](const Field& f) { return f.first == field.first; });
      if (at == list.fields.end()) {
        list.fields.push_back(field);
      } else {
        at->second = join(at->second, field.second);
      }
    }
    if (next == kWhole) return kWhole;
    if (!is_some(next)) break;
    cell = tree(next);
  }
  std::sort(list.fields.begin(), list.fields.end());
  return intern(std::move(list));
}

NeedId Needs::join(NeedId a, NeedId b) {
  if (a == b || !is_some(b)) return a;
  if (!is_some(a)) return b;
  if (a == kWhole || b == kWhole) return kWhole;
  if (a > b) std::swap(a, b);
  const std::pair key{static_cast<uint32_t>(a), static_cast<uint32_t>(b)};
  if (const auto known = joins_.find(key); known != joins_.end()) return known->second;
  Tree result;
  const bool are_lists = tree(a).is_list && tree(b).is_list;
  result.is_list = are_lists;
  std::vector<Selector> selectors;
  for (const NeedId id : {a, b}) {
    for (const Field& f : tree(id).fields) selectors.push_back(f.first);
    if (tree(id).is_list && !are_lists) selectors.push_back(Selector::tail());
  }
  std::sort(selectors.begin(), selectors.end());
  selectors.erase(std::unique(selectors.begin(), selectors.end()), selectors.end());
  for (const Selector& s : selectors) result.fields.emplace_back(s, join(part(a, s), part(b, s)));
  const NeedId joined = intern(std::move(result));
  joins_.emplace(key, joined);
  return joined;
}

NeedId Needs::of_part(Selector selector, NeedId need) {
  if (!has_fields_) return kWhole;
  if (!is_some(need)) return kShape;
  return intern({{{selector, need}}});
}

NeedId Needs::of_list(NeedId element) {
  if (!has_fields_) return kWhole;
  Tree list{{}, true};
  if (is_some(element)) list.fields.emplace_back(Selector::head(), element);
  return intern(std::move(list));
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
  for (const auto& [s, need] : t.fields) {
    if (s == selector) return need;
  }
  return kNothing;
}

NeedId Needs::element(NeedId structure, size_t index, size_t size, std::optional<Atom> tag) {
  if (structure == kWhole) return kWhole;
  NeedId result = kNothing;
  // By index: joins make new trees.
  for (size_t i = 0; i < tree(structure).fields.size(); ++i) {
    const auto [s, need] = tree(structure).fields[i];
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
  return std::any_of(tree(need).fields.begin(), tree(need).fields.end(), [](const Field& f) {
    return f.first.kind == Selector::Kind::AtomKey || f.first.kind == Selector::Kind::IntegerKey;
  });
}

}  // namespace fathom::slice
