// Searching in binaries: match, matches, split, and compiled patterns.
//
// A compiled pattern is {bm, Binary} or {ac, Binaries}: the pattern itself, where
// OTP has a reference to a table. Such a term needs no state and can go anywhere.
// One pattern is looked for with memmem; of several the first place counts where
// one of them begins, and there the longest.
#include <algorithm>
#include <array>
#include <cstring>

#include "base/budget.h"
#include "natives/families.h"
#include "values/lists.h"

namespace fathom::machine::binary_match_natives {
namespace {

struct Found {
  size_t first;
  size_t size;
};

// The patterns that are looked for; `subject` outlives them.
class Searcher {
 public:
  // False: no pattern.
  bool set(Value pattern) {
    static const Atom bm = Atom::intern("bm");
    static const Atom ac = Atom::intern("ac");
    if (pattern.is_tuple(2)) {
      const bool is_one = pattern.element(0).is_atom(bm);
      if (!is_one && !pattern.element(0).is_atom(ac)) return false;
      pattern = pattern.element(1);
      if (pattern.is_binary() != is_one) return false;
    }
    if (pattern.is_binary()) return add(pattern);
    if (!pattern.is_cons()) return false;
    for (; pattern.is_cons(); pattern = pattern.tail()) {
      if (!pattern.head().is_binary() || !add(pattern.head())) return false;
    }
    if (!pattern.is_nil()) return false;
    if (patterns_.size() > 1) index();
    return true;
  }

  size_t count() const { return patterns_.size(); }

  // The first one in text[from, to).
  std::optional<Found> find(std::string_view text, size_t from, size_t to) const {
    constexpr size_t kBytesPerWork = 64;  // see spend()
    spend(static_cast<int64_t>((to - from) / kBytesPerWork));
    if (patterns_.size() == 1) {
      const std::string& one = patterns_[0];
      const void* at = ::memmem(text.data() + from, to - from, one.data(), one.size());
      if (!at) return std::nullopt;
      return Found{static_cast<size_t>(static_cast<const char*>(at) - text.data()), one.size()};
    }
    for (size_t at = from; at < to; ++at) {
      const Bucket bucket = buckets_[static_cast<uint8_t>(text[at])];
      for (size_t i = bucket.from; i < bucket.to; ++i) {
        const std::string& one = patterns_[i];
        if (one.size() <= to - at && std::memcmp(text.data() + at, one.data(), one.size()) == 0) {
          return Found{at, one.size()};
        }
      }
    }
    return std::nullopt;
  }

 private:
  bool add(Value binary) {
    patterns_.emplace_back(BytesOf(binary).text());
    return !patterns_.back().empty();
  }

  // By their first bytes, and of each byte the longest first.
  void index() {
    std::sort(patterns_.begin(), patterns_.end(), [](const std::string& a, const std::string& b) {
      const auto x = static_cast<uint8_t>(a[0]);
      const auto y = static_cast<uint8_t>(b[0]);
      return x != y ? x < y : a.size() > b.size();
    });
    for (uint32_t i = 0; i < patterns_.size(); ++i) {
      Bucket& bucket = buckets_[static_cast<uint8_t>(patterns_[i][0])];
      if (bucket.to == 0) bucket.from = i;
      bucket.to = i + 1;
    }
  }

  struct Bucket {
    uint32_t from = 0;
    uint32_t to = 0;
  };
  std::vector<std::string> patterns_;
  std::array<Bucket, 256> buckets_{};
};

struct Options {
  size_t from = 0;
  size_t to = 0;
  bool global = false;
  bool trim = false;
  bool trim_all = false;
};

bool set_scope(Value scope, size_t size, Options& options) {
  if (!scope.is_tuple(2) || !scope.element(0).is_small() || !scope.element(1).is_small()) {
    return false;
  }
  const int64_t a = scope.element(0).small();
  const int64_t b = a + scope.element(1).small();
  if (std::min(a, b) < 0 || std::max(a, b) > static_cast<int64_t>(size)) return false;
  options.from = static_cast<size_t>(std::min(a, b));
  options.to = static_cast<size_t>(std::max(a, b));
  return true;
}

// As in OTP the end of the list of options is not looked at.
bool parse_options(Value list, size_t size, bool of_split, Options& options) {
  static const Atom scope = Atom::intern("scope");
  static const Atom global = Atom::intern("global");
  static const Atom trim = Atom::intern("trim");
  static const Atom trim_all = Atom::intern("trim_all");
  options.to = size;
  if (!list.is_list()) return false;
  for (; list.is_cons(); list = list.tail()) {
    const Value option = list.head();
    if (option.is_tuple(2) && option.element(0).is_atom(scope)) {
      if (!set_scope(option.element(1), size, options)) return false;
    } else if (of_split && option.is_atom(global)) {
      options.global = true;
    } else if (of_split && option.is_atom(trim)) {
      options.trim = true;
    } else if (of_split && option.is_atom(trim_all)) {
      options.trim_all = true;
    } else {
      return false;
    }
  }
  return true;
}

// What there is to find; false if the arguments are bad. A subject (or a scope)
// that ends at 0 has no matches, whatever the pattern.
bool find_all(Value subject, Value pattern, const Options& options, bool all,
              std::vector<Found>& found) {
  if (options.to == 0) return true;
  Searcher searcher;
  if (!searcher.set(pattern)) return false;
  const BytesOf bytes(subject);
  size_t from = options.from;
  while (const std::optional<Found> one = searcher.find(bytes.text(), from, options.to)) {
    found.push_back(*one);
    if (!all) break;
    from = one->first + one->size;
  }
  return true;
}

Value pair_of(Context& c, Found found) {
  return c.heap.tuple({Value::small(static_cast<int64_t>(found.first)),
                       Value::small(static_cast<int64_t>(found.size))});
}

Value match(Context& c, const Value* a, Value option_list, bool all) {
  static const Atom nomatch = Atom::intern("nomatch");
  Options options;
  std::vector<Found> found;
  if (!a[0].is_binary() || !parse_options(option_list, a[0].bit_size() / 8, false, options) ||
      !find_all(a[0], a[1], options, all, found)) {
    return c.badarg();
  }
  if (!all) return found.empty() ? Value(nomatch) : pair_of(c, found[0]);
  std::vector<Value> items;
  items.reserve(found.size());
  for (const Found one : found) items.push_back(pair_of(c, one));
  return c.heap.list(items);
}

Value match_2(Context& c, const Value* a) { return match(c, a, Value::nil(), false); }
Value match_3(Context& c, const Value* a) { return match(c, a, a[2], false); }
Value matches_2(Context& c, const Value* a) { return match(c, a, Value::nil(), true); }
Value matches_3(Context& c, const Value* a) { return match(c, a, a[2], true); }

Value split(Context& c, const Value* a, Value option_list) {
  Options options;
  std::vector<Found> found;
  if (!a[0].is_binary() || !parse_options(option_list, a[0].bit_size() / 8, true, options) ||
      !find_all(a[0], a[1], options, options.global, found)) {
    return c.badarg();
  }
  std::vector<Found> parts;
  size_t from = 0;
  for (const Found one : found) {
    parts.push_back({from, one.first - from});
    from = one.first + one.size;
  }
  parts.push_back({from, a[0].bit_size() / 8 - from});
  while (options.trim && !parts.empty() && parts.back().size == 0) parts.pop_back();
  std::vector<Value> items;
  for (const Found part : parts) {
    if (part.size == 0 && options.trim_all) continue;
    items.push_back(c.heap.sub_bits(a[0], 8 * part.first, 8 * part.size));
  }
  return c.heap.list(items);
}

Value split_2(Context& c, const Value* a) { return split(c, a, Value::nil()); }
Value split_3(Context& c, const Value* a) { return split(c, a, a[2]); }

Value compile_pattern_1(Context& c, const Value* a) {
  static const Atom bm = Atom::intern("bm");
  static const Atom ac = Atom::intern("ac");
  Searcher searcher;
  if (a[0].is_tuple() || !searcher.set(a[0])) return c.badarg();
  if (searcher.count() > 1) return c.heap.tuple({Value(ac), a[0]});
  return c.heap.tuple({Value(bm), a[0].is_cons() ? a[0].head() : a[0]});
}

constexpr NativeEntry kEntries[] = {
    {"binary", "compile_pattern", 1, compile_pattern_1},
    {"binary", "match", 2, match_2},
    {"binary", "match", 3, match_3},
    {"binary", "matches", 2, matches_2},
    {"binary", "matches", 3, matches_3},
    {"binary", "split", 2, split_2},
    {"binary", "split", 3, split_3},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::binary_match_natives
