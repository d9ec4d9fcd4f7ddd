// Building and comparing terms.
//
// Comparison is one loop over pairs of subterms with an explicit stack of the
// places where it must go on. A tuple is compared as a list is, by two
// iterators, and a frame that has given its last pair leaves the stack before
// that pair is looked at, so a long chain of cons cells or of pairs {X, {Y, ...}}
// needs no stack at all. O(size of the smaller term); shared subterms are
// compared each time they are met, unless they meet themselves.
#include "base/term.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <variant>

#include "base/utf8.h"

namespace fathom {

static_assert(sizeof(mp_limb_t) == 8 && GMP_NAIL_BITS == 0);
static_assert(std::endian::native == std::endian::little, "limbs are read as bytes");

// ---- Reading ----------------------------------------------------------------

std::optional<int64_t> Term::to_int64() const {
  if (is_small()) return small();
  const std::span<const mp_limb_t> limbs = big_limbs();
  if (limbs.size() != 1) return std::nullopt;
  constexpr uint64_t kLimit = uint64_t{1} << 63;  // the magnitude of the least int64_t
  if (limbs[0] > kLimit - (big_is_negative() ? 0 : 1)) return std::nullopt;
  return static_cast<int64_t>(big_is_negative() ? -limbs[0] : limbs[0]);
}

double Term::to_float() const { return box_as<FloatBox>(TermKind::Float)->value; }

BitsView Term::bits() const {
  const auto* bits = box_as<BitsBox>(TermKind::Bitstring);
  return {reinterpret_cast<const uint8_t*>(bits + 1), bits->bit_count};
}

ExternalFun Term::external_fun() const {
  const auto* fun = box_as<FunBox>(TermKind::ExternalFun);
  return {fun->module, fun->function, fun->detail};
}

OpaqueView Term::opaque() const {
  const auto* opaque = box_as<OpaqueBox>(TermKind::Opaque);
  const char* text = reinterpret_cast<const char*>(opaque + 1);
  return {static_cast<OpaqueKind>(opaque->detail),
          {text, opaque->size},
          {text + opaque->size, opaque->external_size}};
}

bool Term::big_is_negative() const { return box_as<Box>(TermKind::BigInteger)->detail != 0; }

std::span<const mp_limb_t> Term::big_limbs() const {
  const auto* big = box_as<Box>(TermKind::BigInteger);
  return {reinterpret_cast<const mp_limb_t*>(big + 1), big->size};
}

size_t ListView::size() const {
  size_t count = 0;
  Term rest = list_;
  while (rest.is_cons()) {
    const ListChunk chunk = rest.chunk();
    count += chunk.items.size();
    rest = chunk.rest;
  }
  return count;
}

Term ListView::tail() const {
  Term rest = list_;
  while (rest.is_cons()) rest = rest.chunk().rest;
  return rest;
}

std::optional<Term> MapView::find(Term wanted) const {
  size_t low = 0;
  size_t high = size();
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const size_t i = rank(middle);
    const std::strong_ordering order = compare_exact(wanted, key(i));
    if (order == 0) return value(i);
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return std::nullopt;
}

MpzView::MpzView(Term integer) {
  if (integer.is_small()) {
    const int64_t value = integer.small();
    limb_ = static_cast<mp_limb_t>(value < 0 ? -value : value);
    mpz_roinit_n(value_, &limb_, value < 0 ? -1 : 1);
    return;
  }
  const std::span<const mp_limb_t> limbs = integer.big_limbs();
  const auto count = static_cast<mp_size_t>(limbs.size());
  mpz_roinit_n(value_, limbs.data(), integer.big_is_negative() ? -count : count);
}

double integer_to_double(mpz_srcptr integer) {
  if (mpz_size(integer) <= 1)
    return mpz_sgn(integer) * static_cast<double>(mpz_getlimbn(integer, 0));
  double value = 0;
  for (size_t i = mpz_size(integer); i-- > 0;) {
    value = value * 0x1p64 + static_cast<double>(mpz_getlimbn(integer, static_cast<mp_size_t>(i)));
  }
  return mpz_sgn(integer) * value;
}

std::optional<std::string> string_text(Term list) {
  if (!list.is_list()) return std::nullopt;
  std::string text;
  auto it = list.list().begin();
  for (; it != std::default_sentinel; ++it) {
    if (!it->is_small()) return std::nullopt;
    const int64_t c = it->small();
    if (c < 0 || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return std::nullopt;
    append_utf8(text, static_cast<uint32_t>(c));
  }
  if (!it.rest().is_nil()) return std::nullopt;
  return text;
}

// ---- The arena --------------------------------------------------------------

TermArena& TermArena::operator=(TermArena&& other) noexcept {
  blocks_ = std::exchange(other.blocks_, {});
  next_ = std::exchange(other.next_, nullptr);
  room_ = std::exchange(other.room_, 0);
  block_size_ = std::exchange(other.block_size_, kFirstBlock);
  used_ = std::exchange(other.used_, 0);
  return *this;
}

void* TermArena::allocate_slow(size_t bytes) {
  used_ += bytes;
  // A large object gets a block of its own, so that the room in the present one
  // is not lost.
  const bool alone = bytes > block_size_ / 4;
  const size_t size = alone ? bytes : block_size_;
  blocks_.push_back(std::make_unique_for_overwrite<uint64_t[]>(size / sizeof(uint64_t)));
  char* block = reinterpret_cast<char*>(blocks_.back().get());
  if (!alone) {
    next_ = block + bytes;
    room_ = size - bytes;
    block_size_ = std::min(block_size_ * 2, kLargestBlock);
  }
  return block;
}

template <class T>
T* TermArena::allocate_box(TermKind kind, size_t extra_bytes) {
  T* box = static_cast<T*>(allocate(sizeof(T) + extra_bytes));
  box->kind = kind;
  box->detail = 0;
  box->size = 0;
  return box;
}

Term TermArena::integer(int64_t value) {
  if (value >= Term::kMinSmall && value <= Term::kMaxSmall) {
    return Term(TermKind::Integer, static_cast<uint64_t>(value));
  }
  const auto bits = static_cast<uint64_t>(value);
  const uint64_t magnitude = value < 0 ? -bits : bits;
  auto* box = allocate_box<Term::Box>(TermKind::BigInteger, sizeof(mp_limb_t));
  box->detail = value < 0;
  box->size = 1;
  std::memcpy(box + 1, &magnitude, sizeof magnitude);
  return boxed(box);
}

Term TermArena::integer(uint64_t value) {
  if (value <= static_cast<uint64_t>(Term::kMaxSmall)) return integer(static_cast<int64_t>(value));
  return integer(false, {reinterpret_cast<const uint8_t*>(&value), sizeof value});
}

Term TermArena::integer(mpz_srcptr value) {
  const auto* limbs = reinterpret_cast<const uint8_t*>(mpz_limbs_read(value));
  return integer(mpz_sgn(value) < 0, {limbs, mpz_size(value) * sizeof(mp_limb_t)});
}

Term TermArena::integer(bool negative, std::span<const uint8_t> magnitude) {
  size_t bytes = magnitude.size();
  while (bytes > 0 && magnitude[bytes - 1] == 0) --bytes;
  if (bytes <= sizeof(uint64_t)) {
    uint64_t value = 0;
    if (bytes > 0) std::memcpy(&value, magnitude.data(), bytes);
    // Both ends of the range of int64_t go the same way as the words between.
    if (negative && value <= uint64_t{1} << 63) return integer(static_cast<int64_t>(-value));
    if (!negative && value < uint64_t{1} << 63) return integer(static_cast<int64_t>(value));
  }
  const size_t limbs = (bytes + sizeof(mp_limb_t) - 1) / sizeof(mp_limb_t);
  auto* box = allocate_box<Term::Box>(TermKind::BigInteger, limbs * sizeof(mp_limb_t));
  box->detail = negative;
  box->size = static_cast<uint32_t>(limbs);
  auto* out = reinterpret_cast<mp_limb_t*>(box + 1);
  out[limbs - 1] = 0;
  std::memcpy(out, magnitude.data(), bytes);
  return boxed(box);
}

Term TermArena::real(double value) {
  assert(std::isfinite(value));
  auto* box = allocate_box<Term::FloatBox>(TermKind::Float, 0);
  box->value = value;
  return boxed(box);
}

Term TermArena::list(std::span<const Term> items, Term tail) {
  if (items.empty()) return tail;
  const TermDraft draft = draft_list(items.size());
  std::copy(items.begin(), items.end(), draft.slots.begin());
  draft.slots.back() = tail;
  return draft.term;
}

Term TermArena::string(std::string_view utf8) {
  std::vector<Term> points;
  points.reserve(utf8.size());
  while (!utf8.empty()) {
    const size_t valid = find_invalid_utf8(utf8).value_or(utf8.size());
    const char* p = utf8.data();
    const char* end = p + valid;
    while (p < end) points.push_back(next_code_point(&p));
    utf8.remove_prefix(valid);
    if (utf8.empty()) break;
    points.push_back(static_cast<uint8_t>(utf8.front()));
    utf8.remove_prefix(1);
  }
  return list(points);
}

Term TermArena::bitstring(const void* bytes, uint64_t bit_count) {
  const size_t size = (bit_count + 7) / 8;
  auto* box = allocate_box<Term::BitsBox>(TermKind::Bitstring, size);
  box->bit_count = bit_count;
  if (size == 0) return boxed(box);
  auto* out = reinterpret_cast<uint8_t*>(box + 1);
  std::memcpy(out, bytes, size);
  if (bit_count % 8 != 0) out[size - 1] &= static_cast<uint8_t>(0xFF00 >> (bit_count % 8));
  return boxed(box);
}

Term TermArena::external_fun(Atom module, Atom function, uint8_t arity) {
  auto* box = allocate_box<Term::FunBox>(TermKind::ExternalFun, 0);
  box->detail = arity;
  box->module = module;
  box->function = function;
  return boxed(box);
}

Term TermArena::opaque(OpaqueKind kind, std::string_view text, std::string_view external) {
  auto* box = allocate_box<Term::OpaqueBox>(TermKind::Opaque, text.size() + external.size());
  box->detail = static_cast<uint8_t>(kind);
  box->size = static_cast<uint32_t>(text.size());
  box->external_size = external.size();
  char* out = reinterpret_cast<char*>(box + 1);
  text.copy(out, text.size());
  external.copy(out + text.size(), external.size());
  return boxed(box);
}

TermDraft TermArena::draft_list(size_t count) {
  assert(count > 0);
  const size_t bytes = (count + 2) * sizeof(Term);
  auto* words = static_cast<uint64_t*>(allocate(bytes));
  std::memset(words, 0, bytes);
  words[0] = count;
  return {Term(Term::tag_of(TermKind::List), words),
          {reinterpret_cast<Term*>(words + 1), count + 1}};
}

TermDraft TermArena::draft_map(size_t pairs) {
  const size_t bytes = 2 * pairs * sizeof(Term);
  auto* box = allocate_box<Term::MapBox>(TermKind::Map, bytes);
  box->size = static_cast<uint32_t>(pairs);
  box->order = nullptr;
  auto* slots = reinterpret_cast<Term*>(box + 1);
  std::fill_n(slots, 2 * pairs, Term());
  return {boxed(box), {slots, 2 * pairs}};
}

namespace {

// Indices of the pairs by ascending key, equal keys in the order given.
std::vector<uint32_t> sorted_by_key(MapView map) {
  std::vector<uint32_t> order(map.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t i, uint32_t j) {
    return compare_exact(map.key(i), map.key(j)) < 0;
  });
  return order;
}

bool is_strictly_ascending(MapView map) {
  for (size_t i = 1; i < map.size(); ++i) {
    if (compare_exact(map.key(i - 1), map.key(i)) >= 0) return false;
  }
  return true;
}

}  // namespace

bool TermArena::finish_map(Term map) {
  const MapView view = map.map();
  if (is_strictly_ascending(view)) return true;
  const std::vector<uint32_t> order = sorted_by_key(view);
  for (size_t i = 1; i < order.size(); ++i) {
    if (equal(view.key(order[i - 1]), view.key(order[i]))) return false;
  }
  auto* stored = static_cast<uint32_t*>(allocate(order.size() * sizeof(uint32_t)));
  std::copy(order.begin(), order.end(), stored);
  map.pointer<Term::MapBox>()->order = stored;
  return true;
}

Term TermArena::map(std::span<const Term> keys_and_values) {
  assert(keys_and_values.size() % 2 == 0);
  const TermDraft draft = draft_map(keys_and_values.size() / 2);
  std::copy(keys_and_values.begin(), keys_and_values.end(), draft.slots.begin());
  if (finish_map(draft.term)) return draft.term;

  const MapView view = draft.term.map();
  std::vector<uint32_t> kept;
  for (const uint32_t i : sorted_by_key(view)) {
    if (!kept.empty() && equal(view.key(kept.back()), view.key(i))) kept.pop_back();
    kept.push_back(i);
  }
  std::sort(kept.begin(), kept.end());
  const TermDraft distinct = draft_map(kept.size());
  for (size_t i = 0; i < kept.size(); ++i) {
    distinct.slots[2 * i] = view.key(kept[i]);
    distinct.slots[2 * i + 1] = view.value(kept[i]);
  }
  finish_map(distinct.term);
  return distinct.term;
}

// ---- Integers from text -----------------------------------------------------

namespace {

constexpr int kNoDigit = 99;

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return kNoDigit;
}

// The digits without separators; nothing if they are not all digits of the base,
// or if a separator is not between two digits.
std::optional<std::string> plain_digits(std::string_view text, int base) {
  std::string digits;
  digits.reserve(text.size());
  bool after_digit = false;
  for (const char c : text) {
    if (c == '_' && after_digit) {
      after_digit = false;
      continue;
    }
    if (digit_value(c) >= base) return std::nullopt;
    digits += c;
    after_digit = true;
  }
  if (!after_digit) return std::nullopt;
  return digits;
}

std::optional<uint64_t> word_from_digits(std::string_view digits, int base) {
  uint64_t value = 0;
  for (const char c : digits) {
    if (__builtin_mul_overflow(value, base, &value)) return std::nullopt;
    if (__builtin_add_overflow(value, digit_value(c), &value)) return std::nullopt;
  }
  return value;
}

bool take_sign(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

std::optional<Term> from_digits(TermArena& arena, bool negative, std::string_view text, int base) {
  const std::optional<std::string> digits = plain_digits(text, base);
  if (!digits) return std::nullopt;
  if (const std::optional<uint64_t> word = word_from_digits(*digits, base)) {
    return arena.integer(negative, {reinterpret_cast<const uint8_t*>(&*word), sizeof *word});
  }
  mpz_t value;
  mpz_init_set_str(value, digits->c_str(), base);
  if (negative) mpz_neg(value, value);
  const Term result = arena.integer(value);
  mpz_clear(value);
  return result;
}

}  // namespace

std::optional<Term> TermArena::parse_integer(std::string_view text) {
  const bool negative = take_sign(text);
  const size_t hash = text.find('#');
  if (hash == std::string_view::npos) return from_digits(*this, negative, text, 10);
  const std::optional<std::string> base_digits = plain_digits(text.substr(0, hash), 10);
  if (!base_digits) return std::nullopt;
  const std::optional<uint64_t> base = word_from_digits(*base_digits, 10);
  if (!base || *base < 2 || *base > 36) return std::nullopt;
  return from_digits(*this, negative, text.substr(hash + 1), static_cast<int>(*base));
}

std::optional<Term> TermArena::parse_integer(std::string_view digits, int base) {
  const bool negative = take_sign(digits);
  return from_digits(*this, negative, digits, base);
}

// ---- Order ------------------------------------------------------------------

namespace {

constexpr int kListRank = 10;

// Terms of different ranks are ordered by rank.
int rank_of(Term t) {
  switch (t.kind()) {
    case TermKind::Integer:
    case TermKind::BigInteger:
    case TermKind::Float:
      return 0;
    case TermKind::Atom:
      return 1;
    case TermKind::Opaque:
      switch (t.opaque().kind) {
        case OpaqueKind::Reference:
          return 2;
        case OpaqueKind::LocalFun:
          return 3;
        case OpaqueKind::Port:
          return 5;
        case OpaqueKind::Pid:
          return 6;
      }
      break;
    case TermKind::ExternalFun:
      return 4;
    case TermKind::Tuple:
      return 7;
    case TermKind::Map:
      return 8;
    case TermKind::Nil:
      return 9;
    case TermKind::List:
      return kListRank;
    case TermKind::Bitstring:
      return 11;
  }
  __builtin_unreachable();
}

template <class T>
int three_way(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

int sign(int n) { return three_way(n, 0); }

// Exact: neither side is rounded.
int compare_integer_with_float(Term integer, double real) {
  if (!integer.is_small()) return sign(mpz_cmp_d(MpzView(integer), real));
  constexpr double kBeyondSmall = 4611686018427387904.0;  // 2^62, still an int64_t
  if (real >= kBeyondSmall) return -1;
  if (real <= -kBeyondSmall) return 1;
  const auto whole = static_cast<int64_t>(real);
  if (integer.small() != whole) return three_way(integer.small(), whole);
  return three_way(static_cast<double>(whole), real);
}

int compare_numbers(Term a, Term b, bool exact) {
  const bool a_float = a.is_float();
  const bool b_float = b.is_float();
  if (a_float && b_float) return three_way(a.to_float(), b.to_float());
  if (exact && a_float != b_float) return a_float ? 1 : -1;
  if (b_float) return compare_integer_with_float(a, b.to_float());
  if (a_float) return -compare_integer_with_float(b, a.to_float());
  if (a.is_small() && b.is_small()) return three_way(a.small(), b.small());
  return sign(mpz_cmp(MpzView(a), MpzView(b)));
}

int compare_bits(BitsView a, BitsView b) {
  const uint64_t common = std::min(a.bit_count, b.bit_count);
  if (const int order = std::memcmp(a.data, b.data, common / 8); order != 0) return sign(order);
  if (common % 8 != 0) {
    const int shift = 8 - static_cast<int>(common % 8);
    const int order = three_way(a.data[common / 8] >> shift, b.data[common / 8] >> shift);
    if (order != 0) return order;
  }
  return three_way(a.bit_count, b.bit_count);
}

int compare_funs(ExternalFun a, ExternalFun b) {
  if (a.module != b.module) return a.module.text().compare(b.module.text());
  if (a.function != b.function) return a.function.text().compare(b.function.text());
  return three_way(a.arity, b.arity);
}

int compare_opaque(OpaqueView a, OpaqueView b) {
  const int order = a.text.compare(b.text);
  return order != 0 ? order : a.external.compare(b.external);
}

// The elements of two lists or of two tuples of the same arity.
struct Elements {
  ListView::Iterator a;
  ListView::Iterator b;
};

// Two maps of the same size: all keys, then all values.
struct Pairs {
  MapView a;
  MapView b;
  size_t next = 0;
};

struct Frame {
  std::variant<Elements, Pairs> at;
  bool exact;
};

class Comparison {
 public:
  Comparison(Term a, Term b, bool exact) : a_(a), b_(b), exact_(exact) {}

  int run() {
    for (;;) {
      if (const int order = a_ == b_ ? 0 : compare_present(); order != 0) return sign(order);
      if (stack_.empty()) return 0;
      if (const int order = take_pair(); order != 0) return order;
    }
  }

 private:
  // Order of the present pair as far as it shows without their elements, which
  // go to the stack.
  int compare_present() {
    const int a_rank = rank_of(a_);
    const int b_rank = rank_of(b_);
    if (a_rank != b_rank) return three_way(a_rank, b_rank);
    switch (a_.kind()) {
      case TermKind::Integer:
      case TermKind::BigInteger:
      case TermKind::Float:
        return compare_numbers(a_, b_, exact_);
      case TermKind::Nil:
        return 0;
      case TermKind::Atom:
        return a_.atom().text().compare(b_.atom().text());
      case TermKind::Opaque:
        return compare_opaque(a_.opaque(), b_.opaque());
      case TermKind::ExternalFun:
        return compare_funs(a_.external_fun(), b_.external_fun());
      case TermKind::Bitstring:
        return compare_bits(a_.bits(), b_.bits());
      case TermKind::List:
        push(Elements{a_.list().begin(), b_.list().begin()});
        return 0;
      case TermKind::Tuple:
        return enter_tuples(a_.tuple(), b_.tuple());
      case TermKind::Map:
        return enter_maps(a_.map(), b_.map());
    }
    __builtin_unreachable();
  }

  int enter_tuples(std::span<const Term> a, std::span<const Term> b) {
    if (a.size() != b.size()) return three_way(a.size(), b.size());
    if (!a.empty()) push(Elements{ListView::Iterator(a), ListView::Iterator(b)});
    return 0;
  }

  int enter_maps(MapView a, MapView b) {
    if (a.size() != b.size()) return three_way(a.size(), b.size());
    if (a.size() > 0) push(Pairs{a, b});
    return 0;
  }

  template <class Place>
  void push(Place place) {
    stack_.push_back({place, exact_});
  }

  // Makes the next pair of the top frame the present one. Not 0 if there is none
  // because one of two lists ended first.
  int take_pair() {
    Frame& top = stack_.back();
    exact_ = top.exact;
    if (auto* elements = std::get_if<Elements>(&top.at)) return take_element(*elements);
    take_key_or_value(std::get<Pairs>(top.at));
    return 0;
  }

  int take_element(Elements& elements) {
    auto& [a, b] = elements;
    const bool a_ended = a == std::default_sentinel;
    const bool b_ended = b == std::default_sentinel;
    if (a_ended != b_ended) {  // a tail, which is not a list, against a list
      return a_ended ? three_way(rank_of(a.rest()), kListRank)
                     : three_way(kListRank, rank_of(b.rest()));
    }
    if (a_ended) {
      a_ = a.rest();
      b_ = b.rest();
      stack_.pop_back();
      return 0;
    }
    a_ = *a++;
    b_ = *b++;
    const bool done = a == std::default_sentinel && b == std::default_sentinel &&
                      a.rest().is_nil() && b.rest().is_nil();
    if (done) stack_.pop_back();
    return 0;
  }

  void take_key_or_value(Pairs& pairs) {
    const size_t size = pairs.a.size();
    const size_t i = pairs.next++;
    if (i < size) {
      a_ = pairs.a.key(pairs.a.rank(i));
      b_ = pairs.b.key(pairs.b.rank(i));
      exact_ = true;
      return;
    }
    a_ = pairs.a.value(pairs.a.rank(i - size));
    b_ = pairs.b.value(pairs.b.rank(i - size));
    if (i + 1 == 2 * size) stack_.pop_back();
  }

  Term a_;
  Term b_;
  bool exact_;
  std::vector<Frame> stack_;
};

int order_of(Term a, Term b, bool exact) { return Comparison(a, b, exact).run(); }

}  // namespace

std::weak_ordering compare(Term a, Term b) { return order_of(a, b, false) <=> 0; }

std::strong_ordering compare_exact(Term a, Term b) { return order_of(a, b, true) <=> 0; }

}  // namespace fathom
