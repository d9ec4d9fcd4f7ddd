// One loop over pairs of values. What is left to compare is on a stack of ranges:
// a pair of arrays of equal length, of which a tuple's elements, a list's tail
// and a flat map's keys and values are cases. A range leaves the stack before its
// last pair is looked at, so a long chain needs no stack. The first pair that
// differs decides.
//
// Large maps are sorted to be ordered; to be equal they only need equal trees
// (maps.cc). Sorting compares keys, which may be large maps: this is the one
// recursion, and it ends at kMaxSorts. Large maps nested as keys of large maps
// deeper than that are ordered by their trees: an order, but not OTP's.
#include "values/compare.h"

#include <string_view>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "values/arithmetic.h"
#include "values/bits.h"
#include "values/identifiers.h"
#include "values/maps.h"
#include "values/small_stack.h"

namespace fathom::machine {
namespace {

constexpr int kMaxSorts = 100;
thread_local int sorts_under_way = 0;

struct SortUnderWay {
  SortUnderWay() { ++sorts_under_way; }
  ~SortUnderWay() { --sorts_under_way; }
  SortUnderWay(const SortUnderWay&) = delete;
  SortUnderWay& operator=(const SortUnderWay&) = delete;
};

enum class Mode : uint8_t { Order, Equality };

enum Rank : uint8_t {
  kNumber,
  kAtomRank,
  kReference,
  kLocalFun,
  kExternalFun,
  kPort,
  kPid,
  kTuple,
  kMap,
  kNil,
  kList,
  kBits,
  kBranch,   // of a map, which only meets its like
  kUnknown,  // equal to itself only: it is known to differ, or nothing depends on it
};

Rank rank_of_box(Value value) {
  switch (value.header().kind()) {
    case BoxKind::Tuple:
      return kTuple;
    case BoxKind::Float:
    case BoxKind::BigPositive:
    case BoxKind::BigNegative:
      return kNumber;
    case BoxKind::FlatMap:
    case BoxKind::HashMap:
      return kMap;
    case BoxKind::MapBranch:
      return kBranch;
    case BoxKind::InlineBits:
    case BoxKind::SharedBits:
      return kBits;
    case BoxKind::Fun:
      return kLocalFun;
    case BoxKind::ExternalFun:
      return kExternalFun;
    case BoxKind::Reference:
      return kReference;
    case BoxKind::Unknown:
      return kUnknown;
    case BoxKind::Foreign:
      break;
  }
  switch (static_cast<OpaqueKind>(value.header().size())) {
    case OpaqueKind::Reference:
      return kReference;
    case OpaqueKind::LocalFun:
      return kLocalFun;
    case OpaqueKind::Port:
      return kPort;
    case OpaqueKind::Pid:
      return kPid;
  }
  __builtin_unreachable();
}

Rank rank_of(Value value) {
  if (value.is_small()) return kNumber;
  if (value.is_cons()) return kList;
  if (value.is_box()) return rank_of_box(value);
  if (value.is_atom()) return kAtomRank;
  if (value.is_local_pid()) return kPid;
  if (value.is_local_port()) return kPort;
  return kNil;
}

int compare_atoms(Atom a, Atom b) { return a == b ? 0 : a.text().compare(b.text()); }

// Neither side is rounded.
int compare_integer_with_float(Value integer, double real) {
  if (!integer.is_small()) return mpz_cmp_d(IntegerView(integer), real);
  constexpr double kBeyondSmall = 0x1p62;
  if (real >= kBeyondSmall) return -1;
  if (real <= -kBeyondSmall) return 1;
  const auto whole = static_cast<int64_t>(real);
  if (integer.small() != whole) return three_way(integer.small(), whole);
  return three_way(static_cast<double>(whole), real);
}

int compare_numbers(Value a, Value b, bool exact) {
  if (a.is_small() && b.is_small()) return three_way(a.small(), b.small());
  const bool a_float = a.is_float();
  const bool b_float = b.is_float();
  if (a_float && b_float) return three_way(a.real(), b.real());
  if (exact && a_float != b_float) return a_float ? 1 : -1;
  if (b_float) return compare_integer_with_float(a, b.real());
  if (a_float) return -compare_integer_with_float(b, a.real());
  return mpz_cmp(IntegerView(a), IntegerView(b));
}

int compare_exports(const Mfa& a, const Mfa& b) {
  if (const int order = compare_atoms(a.module, b.module); order != 0) return order;
  if (const int order = compare_atoms(a.name, b.name); order != 0) return order;
  return three_way(a.arity, b.arity);
}

// Of two references: they are ordered by which the process has made first (UniqueNumbers).
bool are_of_one_maker(Value a, Value b) {
  constexpr unsigned kMakerShift = 30;
  return a.is_box(BoxKind::Reference) && b.is_box(BoxKind::Reference) &&
         a.reference_number() >> kMakerShift == b.reference_number() >> kMakerShift;
}

std::string_view foreign_bytes(Value value) {
  return {reinterpret_cast<const char*>(value.words() + 2), value.words()[1]};
}

class Comparison {
 public:
  Comparison(Value a, Value b, Mode mode, bool exact) : a_(a), b_(b), exact_(exact), mode_(mode) {}

  int run() {
    for (;;) {
      if (a_ != b_) {
        if (const int order = compare_present(); order != 0) return order;
      }
      if (left_.empty()) return 0;
      spend();
      Range& top = left_.top();
      a_ = *top.a++;
      b_ = *top.b++;
      exact_ = top.exact;
      if (--top.count == 0) left_.pop();
    }
  }

 private:
  struct Range {
    const Value* a;
    const Value* b;
    size_t count;
    bool exact;
  };

  void push(const Value* a, const Value* b, size_t count, bool exact) {
    if (count > 0) left_.push({a, b, count, exact});
  }
  void push_slots(size_t first, size_t count) {
    push(reinterpret_cast<const Value*>(std::as_const(a_).words()) + first,
         reinterpret_cast<const Value*>(std::as_const(b_).words()) + first, count, exact_);
  }

  // The order of two values as far as it shows without their parts, which go to
  // the stack.
  int compare_present() {
    if (a_.is_cons() && b_.is_cons()) {
      if (const int order = walk_lists(); order != 0) return order;
      if (a_ == b_) return 0;
    }
    const Rank rank = rank_of(a_);
    if (const Rank other = rank_of(b_); other != rank) return three_way(rank, other);
    switch (rank) {
      case kNumber:
        return compare_numbers(a_, b_, exact_);
      case kAtomRank:
        return compare_atoms(a_.atom(), b_.atom());
      case kReference:
      case kPort:
      case kPid:
        if (mode_ == Mode::Order && !exact_ && !are_of_one_maker(a_, b_)) {
          identifiers_were_ordered = true;
        }
        return compare_identifiers(identifier_of(a_), identifier_of(b_));
      case kLocalFun:
        return enter_funs();
      case kExternalFun:
        return compare_exports(*a_.external(), *b_.external());
      case kTuple:
        if (a_.arity() != b_.arity()) return three_way(a_.arity(), b_.arity());
        push_slots(1, a_.arity());
        return 0;
      case kMap:
        return enter_maps();
      case kBranch:
        if (a_.header() != b_.header() || a_.words()[1] != b_.words()[1]) return 1;
        push_slots(2, a_.header().size());
        return 0;
      case kBits:
        return compare_bits(bits_of(a_), bits_of(b_));
      case kUnknown:
        return three_way(a_.raw(), b_.raw());
      case kNil:
      case kList:  // walk_lists ends before two of them meet
        return 0;
    }
    __builtin_unreachable();
  }

  // Goes along two lists as long as their heads are equal words, or differ at
  // once. Ends with the first pair of heads or of tails that takes more.
  int walk_lists() {
    for (;;) {
      const Value x = a_.head();
      const Value y = b_.head();
      if (x != y) {
        if (x.is_small() && y.is_small()) return three_way(x.small(), y.small());
        push_slots(1, 1);
        a_ = x;
        b_ = y;
        if (!x.is_cons() || !y.is_cons()) return 0;
        continue;
      }
      a_ = a_.tail();
      b_ = b_.tail();
      if (a_ == b_ || !a_.is_cons() || !b_.is_cons()) return 0;
      spend();
    }
  }

  int enter_funs() {
    const bool a_local = a_.is_box(BoxKind::Fun);
    const bool b_local = b_.is_box(BoxKind::Fun);
    if (a_local != b_local) return a_local ? -1 : 1;
    if (!a_local) return foreign_bytes(a_).compare(foreign_bytes(b_));
    const LocalFunction& f = *a_.fun_code();
    const LocalFunction& g = *b_.fun_code();
    if (&f != &g) {
      if (const int order = compare_atoms(f.module, g.module); order != 0) return order;
      if (f.index != g.index) return three_way(f.index, g.index);
      if (const int order = compare_atoms(f.name, g.name); order != 0) return order;
      if (f.arity != g.arity) return three_way(f.arity, g.arity);
    }
    const size_t count = a_.captures().size();
    if (count != b_.captures().size()) return three_way(count, b_.captures().size());
    push_slots(3, count);  // behind the creator, which does not count
    return 0;
  }

  int enter_maps() {
    const size_t size = map_size(a_);
    if (size != map_size(b_)) return three_way(size, map_size(b_));
    if (size <= kMaxFlatMap) {
      push_slots(2, size);
      push(a_.slot(0).elements().data(), b_.slot(0).elements().data(), size, true);
    } else if (mode_ == Mode::Equality) {
      push_slots(2, 1);
    } else {
      const Value* a = sorted(a_);
      const Value* b = sorted(b_);
      push(a + size, b + size, size, exact_);
      push(a, b, size, true);
    }
    return 0;
  }

  // The keys of a large map in their order, and then their values.
  const Value* sorted(Value map) {
    std::vector<Value> pairs;
    if (sorts_under_way < kMaxSorts) {
      const SortUnderWay under_way;
      pairs = sorted_pairs(map);
    } else {
      MapPairs walk(map);
      for (Value key, value; walk.next(key, value);) pairs.insert(pairs.end(), {key, value});
    }
    const size_t size = pairs.size() / 2;
    std::vector<Value>& columns = columns_.emplace_back(2 * size);
    for (size_t i = 0; i < size; ++i) {
      columns[i] = pairs[2 * i];
      columns[size + i] = pairs[2 * i + 1];
    }
    return columns.data();
  }

  Value a_;
  Value b_;
  bool exact_;
  Mode mode_;
  SmallStack<Range, 8> left_;
  std::vector<std::vector<Value>> columns_;  // that ranges point into; the inner ones stay
};

}  // namespace

int compare(Value a, Value b) {
  if (a.is_small() && b.is_small()) return three_way(a.small(), b.small());
  return a == b ? 0 : Comparison(a, b, Mode::Order, false).run();
}

int compare_exact(Value a, Value b) {
  if (a.is_small() && b.is_small()) return three_way(a.small(), b.small());
  if (a == b) return 0;
  // Monitors, links and aliases are kept in maps.
  if (a.is_box(BoxKind::Reference) && b.is_box(BoxKind::Reference)) {
    return three_way(a.reference_number(), b.reference_number());
  }
  if (a.is_local_pid() && b.is_local_pid()) return three_way(a.local_number(), b.local_number());
  return Comparison(a, b, Mode::Order, true).run();
}

bool equal_exact_slow(Value a, Value b) {
  // A receive that waits for the answer to its call asks this of every message.
  if (a.is_box(BoxKind::Reference) && b.is_box(BoxKind::Reference)) {
    return a.reference_number() == b.reference_number();
  }
  return Comparison(a, b, Mode::Equality, true).run() == 0;
}

}  // namespace fathom::machine
