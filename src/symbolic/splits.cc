// binary:match/2 and binary:split/2,3 of an unknown binary, by a pattern that is known.
//
// From the left, as the documentation has it: does the pattern begin at the first byte, or else at
// the second, and so on. Each byte that is compared is a question, so a pattern that stands at a
// place costs as many questions as it has bytes, and one that does not, one or more. Binaries are
// short here (bits.cc), so the number of ways is small. Several patterns, scopes and options other
// than `global` are left to concrete values.
#include <algorithm>

#include "code/code_table.h"
#include "symbolic/asking.h"
#include "values/bits.h"

namespace fathom::symbolic {

namespace {

// None: it is not a binary that is known, or empty.
std::optional<std::vector<uint8_t>> bytes_of_pattern(Value pattern) {
  if (!pattern.is_binary() || pattern.bit_size() == 0) return std::nullopt;
  const machine::BitsView bits = machine::bits_of(pattern);
  std::vector<uint8_t> bytes(bits.size / 8);
  machine::copy_bits(bits, bytes.data(), 0);
  return bytes;
}

// Of binary:split/3: whether the only option is `global`, or there is none; none: there are others.
std::optional<bool> is_global(Value options) {
  static const Atom global = Atom::intern("global");
  if (options.is_nil()) return false;
  const bool is_one = options.is_cons() && options.tail().is_nil();
  return is_one && Store::known(options.head()).is_atom(global) ? std::optional(true)
                                                                : std::nullopt;
}

}  // namespace

// Whether the pattern begins at that byte; none: that was asked.
std::optional<bool> Asking::ask_bytes(std::span<const Value> bytes, size_t at,
                                      std::span<const uint8_t> pattern) {
  if (at + pattern.size() > bytes.size()) return false;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const auto is_equal = ask_element(bytes[at + i], Value::small(pattern[i]), true);
    if (!is_equal || !*is_equal) return is_equal;
  }
  return true;
}

std::optional<Asking::Step> Asking::split_binary(const machine::Export& target,
                                                 std::span<Value*> arguments) {
  const std::string_view name = target.name.text();
  const bool is_match = name == "match" && arguments.size() == 2;
  const bool is_split = name == "split" && (arguments.size() == 2 || arguments.size() == 3);
  if (!is_match && !is_split) return {};
  const Value binary = *arguments[0];
  const auto pattern = bytes_of_pattern(*arguments[1]);
  const auto global = arguments.size() == 3 ? is_global(*arguments[2]) : std::optional(false);
  if (!binary.is_unknown() || !pattern || !global) return {};
  if (const auto step = ask_size(binary)) return *step;
  std::vector<Value> bytes;
  for (const Store::Entry& entry : store_.entries(binary)) bytes.push_back(entry.value);
  std::vector<Value> parts;
  size_t from = 0;
  for (size_t at = 0; at + pattern->size() <= bytes.size();) {
    const auto is_there = ask_bytes(bytes, at, *pattern);
    if (!is_there) return ask();
    if (!*is_there) {
      ++at;
      continue;
    }
    if (is_match) {
      return result(machine_.heap().tuple({Value::small(static_cast<int64_t>(at)),
                                           Value::small(static_cast<int64_t>(pattern->size()))}));
    }
    parts.push_back(store_.binary_of(std::span(bytes).subspan(from, at - from)));
    from = at += pattern->size();
    if (!*global) break;
  }
  static const Atom nomatch = Atom::intern("nomatch");
  if (is_match) return result(Value(nomatch));
  parts.push_back(store_.binary_of(std::span(bytes).subspan(from)));
  return result(machine_.heap().list(parts));
}

}  // namespace fathom::symbolic
