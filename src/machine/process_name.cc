#include "machine/process_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace fathom::machine {
namespace {

// Takes a number from 1 on off the front.
std::optional<uint64_t> take_number(std::string_view& text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number == 0) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

}  // namespace

Value lineage(Heap& heap, const Process* parent, uint64_t orphan) {
  if (parent) {
    return heap.cons(Value::small(static_cast<int64_t>(parent->children)), parent->lineage);
  }
  return orphan == 1 ? Value::nil() : Value::small(static_cast<int64_t>(orphan));
}

std::string lineage_name(Value lineage) {
  std::vector<int64_t> ordinals;
  Value rest = lineage;
  for (; rest.is_cons(); rest = rest.tail()) ordinals.push_back(rest.head().small());
  std::string name = rest.is_nil() ? "P" : fmt::format("P#{}", rest.small());
  std::ranges::reverse(ordinals);
  for (const int64_t ordinal : ordinals) name += fmt::format(".{}", ordinal);
  return name;
}

std::optional<std::vector<uint64_t>> parse_process_name(std::string_view name) {
  if (!name.starts_with('P')) return std::nullopt;
  name.remove_prefix(1);
  std::vector<uint64_t> ordinals = {1};
  if (name.starts_with('#')) {
    name.remove_prefix(1);
    const auto orphan = take_number(name);
    if (!orphan) return std::nullopt;
    ordinals[0] = *orphan;
  }
  while (name.starts_with('.')) {
    name.remove_prefix(1);
    const auto ordinal = take_number(name);
    if (!ordinal) return std::nullopt;
    ordinals.push_back(*ordinal);
  }
  if (!name.empty()) return std::nullopt;
  return ordinals;
}

}  // namespace fathom::machine
