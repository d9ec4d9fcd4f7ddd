// Terms in External Term Format, and their portable hashes.
#include <algorithm>

#include "machine/machine.h"
#include "natives/families.h"
#include "natives/options.h"
#include "values/arithmetic.h"
#include "values/external.h"
#include "values/hash.h"
#include "values/lists.h"

namespace fathom::machine::external_natives {
namespace {

std::optional<EncodeOptions> encode_options(Value list) {
  static const Atom compressed = Atom::intern("compressed");
  static const Atom minor_version = Atom::intern("minor_version");
  static const Atom deterministic = Atom::intern("deterministic");
  constexpr int kDefaultLevel = 6;
  EncodeOptions options;
  for (; list.is_cons(); list = list.tail()) {
    const Value option = list.head();
    if (option.is_atom(compressed)) {
      options.compression = kDefaultLevel;
    } else if (option.is_atom(deterministic)) {
      options.deterministic = true;
    } else if (option.is_tuple(2) && option.element(0).is_atom(compressed)) {
      const auto level = small_in(option.element(1), 0, 9);
      if (!level) return std::nullopt;
      options.compression = static_cast<int>(*level);
    } else if (option.is_tuple(2) && option.element(0).is_atom(minor_version)) {
      const auto version = small_in(option.element(1), 0, 2);
      if (!version) return std::nullopt;
      options.minor_version = static_cast<int>(*version);
    } else {
      return std::nullopt;
    }
  }
  if (!list.is_nil()) return std::nullopt;
  return options;
}

Value encoded(Context& c, Value term, const std::optional<EncodeOptions>& options) {
  if (!options) return c.badarg();
  std::string bytes;
  if (!encode_value(term, bytes, *options)) return c.system_limit();
  return c.heap.binary(std::string_view(bytes));
}

Value term_to_binary_1(Context& c, const Value* a) { return encoded(c, a[0], EncodeOptions()); }
Value term_to_binary_2(Context& c, const Value* a) {
  return encoded(c, a[0], encode_options(a[1]));
}

// OTP may cut a large one into several binaries.
Value term_to_iovec_1(Context& c, const Value* a) {
  const Value binary = term_to_binary_1(c, a);
  return binary.is_none() ? binary : c.heap.list({&binary, 1});
}
Value term_to_iovec_2(Context& c, const Value* a) {
  const auto options = encode_options(a[1]);
  const Value binary = encoded(c, a[0], options);
  // OTP does not put a compressed one into a list.
  return binary.is_none() || options->compression > 0 ? binary : c.heap.list({&binary, 1});
}

Value external_size_1(Context& c, const Value* a) {
  return c.heap.integer(uint64_t{external_size(a[0])});
}
Value external_size_2(Context& c, const Value* a) {
  static const Atom minor_version = Atom::intern("minor_version");
  const auto is_good = [](Value option) {
    return option.is_tuple(2) && option.element(0).is_atom(minor_version) &&
           small_in(option.element(1), 0, 1);
  };
  const auto given = proper_items(a[1]);
  const auto options = encode_options(a[1]);
  if (options && given && std::ranges::all_of(*given, is_good)) {
    return c.heap.integer(uint64_t{external_size(a[0], *options)});
  }
  // Its frame has the options from the one that is wrong on.
  Value rest = a[1];
  while (rest.is_cons() && is_good(rest.head())) rest = rest.tail();
  const Value arguments[] = {a[0], rest};
  return bad_option(c, "external_size", arguments, "");
}

Value decoded(Context& c, Value binary, bool safe, bool with_used) {
  if (!binary.is_binary()) return c.badarg();
  const BytesOf bytes(binary);
  CodeTable& code = c.machine.code();
  size_t used = 0;
  auto value = decode_value(
      bytes.text(), c.heap,
      [&](Atom m, Atom f, uint32_t arity) { return code.find_export(m, f, arity); }, &used, safe,
      [&](Atom module, uint32_t index, uint32_t number) {
        return code.find_fun(module, index, number);
      });
  if (!value) return c.badarg();
  if (!with_used) return *value;
  return c.heap.tuple({*value, Value::small(static_cast<int64_t>(used))});
}

Value binary_to_term_1(Context& c, const Value* a) { return decoded(c, a[0], false, false); }

Value binary_to_term_2(Context& c, const Value* a) {
  static const Atom safe = Atom::intern("safe");
  static const Atom used = Atom::intern("used");
  bool is_safe = false;
  bool with_used = false;
  Value list = a[1];
  for (; list.is_cons(); list = list.tail()) {
    if (list.head().is_atom(safe)) {
      is_safe = true;
    } else if (list.head().is_atom(used)) {
      with_used = true;
    } else {
      break;
    }
  }
  if (!list.is_nil()) return bad_option(c, "binary_to_term", {a, 2});
  return decoded(c, a[0], is_safe, with_used);
}

// ---- Hashes -----------------------------------------------------------------

// 1 to 2^32.
std::optional<uint64_t> range_of(Value value) {
  const auto range = value.is_integer() ? to_uint64(value) : std::nullopt;
  if (!range || *range == 0 || *range > uint64_t{1} << 32) return std::nullopt;
  return range;
}

Value phash2_1(Context&, const Value* a) {
  return Value::small(portable_hash2(a[0]) & ((1u << 27) - 1));
}
Value phash2_2(Context& c, const Value* a) {
  const auto range = range_of(a[1]);
  return range ? Value::small(static_cast<int64_t>(portable_hash2(a[0]) % *range)) : c.badarg();
}
Value phash_2(Context& c, const Value* a) {
  const auto range = range_of(a[1]);
  return range ? Value::small(static_cast<int64_t>(portable_hash(a[0]) % *range + 1)) : c.badarg();
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "term_to_binary", 1, term_to_binary_1},
    {"erlang", "term_to_binary", 2, term_to_binary_2},
    {"erlang", "term_to_iovec", 1, term_to_iovec_1},
    {"erlang", "term_to_iovec", 2, term_to_iovec_2},
    {"erlang", "external_size", 1, external_size_1},
    {"erlang", "external_size", 2, external_size_2},
    {"erlang", "binary_to_term", 1, binary_to_term_1},
    {"erlang", "binary_to_term", 2, binary_to_term_2},
    {"erlang", "phash2", 1, phash2_1},
    {"erlang", "phash2", 2, phash2_2},
    {"erlang", "phash", 2, phash_2},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::external_natives
