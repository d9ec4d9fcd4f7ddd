// erlang:phash2 and erlang:phash, whose results are promised to stay the same
// whatever the release and the machine. The algorithms are those of OTP's
// emulator (make_hash2 and make_hash): Jenkins' mixing of three words, and a sum
// of products with primes. Small and big integers, in whatever way they are kept,
// hash alike.
//
// Pids, ports and references hash by their numbers, funs by module, index and
// captured values: OTP's results for those depend on the node and on the
// compiled code, and are not met.
//
// The walk is a loop with a stack, as elsewhere; O(size of the value).
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "values/arithmetic.h"
#include "values/bits.h"
#include "values/hash.h"
#include "values/identifiers.h"
#include "values/lists.h"
#include "values/maps.h"
#include "values/small_stack.h"

namespace fathom::machine {
namespace {

constexpr uint32_t kGolden = 0x9E3779B9;

// What kind of identifier is mixed in: multiples of the golden ratio.
constexpr uint32_t constant(uint32_t kind) { return kGolden * kind; }

constexpr uint32_t kPlain = constant(1);
constexpr uint32_t kFirstNil = 3468870702;
constexpr uint32_t kNilConstant = constant(2);
constexpr uint32_t kAtom = constant(3);
constexpr uint32_t kString = constant(4);
constexpr uint32_t kPidConstant = constant(5);
constexpr uint32_t kPortConstant = constant(6);
constexpr uint32_t kReferenceConstant = constant(7);
constexpr uint32_t kTupleConstant = constant(9);
constexpr uint32_t kNegative = constant(10);
constexpr uint32_t kPositive = constant(11);
constexpr uint32_t kFloat = constant(12);
constexpr uint32_t kBytes = constant(13);
constexpr uint32_t kName = constant(14);
constexpr uint32_t kLastBits = constant(15);
constexpr uint32_t kMapSize = constant(16);
constexpr uint32_t kMapPairs = constant(19);

void mix(uint32_t& a, uint32_t& b, uint32_t& c) {
  constexpr std::array<std::array<int, 3>, 3> kShifts{{{13, 8, 13}, {12, 16, 5}, {3, 10, 15}}};
  for (const auto& [right, left, last] : kShifts) {
    a = (a - b - c) ^ (c >> right);
    b = (b - c - a) ^ (a << left);
    c = (c - a - b) ^ (b >> last);
  }
}

// The emulator's hash of an atom's text: that of P. J. Weinberger, on UTF-8 with
// the characters of Latin-1 folded into one byte each.
uint32_t portable_atom_hash(Atom atom) {
  const std::string_view text = atom.text();
  uint32_t hash = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    auto byte = static_cast<uint8_t>(text[i]);
    if ((byte & 0xFE) == 0xC2 && i + 1 < text.size()) {
      byte = static_cast<uint8_t>(byte << 6 | (static_cast<uint8_t>(text[++i]) & 0x3F));
    }
    hash = (hash << 4) + byte;
    if (const uint32_t high = hash & 0xF0000000; high != 0) {
      hash ^= high >> 24;
      hash ^= high;
    }
  }
  return hash;
}

// ---- phash2 -----------------------------------------------------------------

class Hash2 {
 public:
  uint32_t run(Value value) {
    left_.push({Task::What::Enter, value});
    while (!left_.empty()) {
      spend();
      const Task task = left_.pop();
      switch (task.what) {
        case Task::What::Enter:
          enter(task.value);
          break;
        case Task::What::EndPair:
          pairs_ ^= hash_;
          hash_ = 0;
          break;
        case Task::What::EndMap:
          hash_ = saved_.back().hash;
          combine(pairs_, 0, kMapPairs);
          pairs_ = saved_.back().pairs;
          saved_.pop_back();
          break;
      }
    }
    return hash_;
  }

 private:
  struct Task {
    enum class What : uint8_t { Enter, EndPair, EndMap } what;
    Value value;
  };
  // What was under way when a map began.
  struct Saved {
    uint32_t hash;
    uint32_t pairs;
  };

  void combine(uint32_t x, uint32_t y, uint32_t kind) {
    uint32_t a = kind + x;
    uint32_t b = kind + y;
    mix(a, b, hash_);
  }

  void push(std::span<const Value> values) {
    for (size_t i = values.size(); i-- > 0;) left_.push({Task::What::Enter, values[i]});
  }

  void enter(Value value) {
    if (value.is_cons()) return enter_list(value);
    if (value.is_integer()) return integer(value);
    if (value.is_atom()) return first_or_combined(portable_atom_hash(value.atom()), kAtom, value);
    if (value.is_nil()) return first_or_combined(kFirstNil, kNilConstant, value);
    if (value.is_tuple()) {
      combine(static_cast<uint32_t>(value.arity()), 0, kTupleConstant);
      return push(value.elements());
    }
    if (value.is_map()) return enter_map(value);
    if (value.is_bitstring()) return bytes(bits_of(value));
    if (value.is_float()) {
      const uint64_t bits = value.real() == 0 ? 0 : value.words()[1];
      return combine(static_cast<uint32_t>(bits >> 32), static_cast<uint32_t>(bits), kFloat);
    }
    enter_rest(value);
  }

  // Where nothing was hashed before, the hash of an atom or of [] is not mixed.
  void first_or_combined(uint32_t first, uint32_t kind, Value value) {
    constexpr uint32_t kNilItself = 2;
    if (hash_ == 0) {
      hash_ = first;
    } else {
      combine(value.is_nil() ? kNilItself : first, 0, kind);
    }
  }

  void enter_rest(Value value) {
    if (value.is_box(BoxKind::ExternalFun)) {
      const Mfa& target = *value.external();
      combine(target.arity, portable_atom_hash(target.module), kPlain);
      return combine(portable_atom_hash(target.name), 0, kName);
    }
    if (value.is_box(BoxKind::Fun)) {
      const LocalFunction& code = *value.fun_code();
      combine(static_cast<uint32_t>(value.captures().size()), portable_atom_hash(code.module),
              kPlain);
      combine(code.index, 0, kPlain);
      return push(value.captures());
    }
    if (value.is_fun()) return combine(0, 0, kPlain);
    const Identifier identifier = identifier_of(value);
    if (identifier.kind == OpaqueKind::Reference)
      return combine(identifier.numbers[0], 0, kReferenceConstant);
    if (identifier.kind == OpaqueKind::Pid) return combine(identifier.numbers[0], 0, kPidConstant);
    combine(identifier.numbers[0], identifier.numbers[1], kPortConstant);
  }

  // Bytes in a list go in four at a time.
  void enter_list(Value list) {
    uint32_t word = 0;
    int count = 0;
    while (list.is_cons() && is_byte(list.head())) {
      word = (word << 8) + static_cast<uint32_t>(list.head().small());
      if (++count == 4) {
        combine(word, 0, kString);
        word = 0;
        count = 0;
      }
      list = list.tail();
    }
    if (count > 0) combine(word, 0, kString);
    if (list.is_cons()) {
      left_.push({Task::What::Enter, list.tail()});
      list = list.head();
    }
    left_.push({Task::What::Enter, list});
  }

  void integer(Value value) {
    constexpr int64_t kFewBits = int64_t{1} << 27;
    if (value.is_small() && value.small() >= -kFewBits && value.small() < kFewBits) {
      const auto n = static_cast<uint32_t>(value.small());
      if (value.small() < 0) combine(-n, 0, kPlain);
      return combine(n, 0, kPlain);
    }
    const IntegerView number(value);
    for (const uint64_t limb : number.limbs()) {
      combine(static_cast<uint32_t>(limb), static_cast<uint32_t>(limb >> 32),
              number.negative() ? kNegative : kPositive);
    }
  }

  // Independent of the order of pairs: each is hashed by itself.
  void enter_map(Value map) {
    const auto size = static_cast<uint32_t>(map_size(map));
    combine(size, 0, kMapSize);
    if (size == 0) return;
    saved_.push_back({hash_, pairs_});
    left_.push({Task::What::EndMap, {}});
    hash_ = 0;
    pairs_ = 0;
    MapPairs walk(map);
    for (Value key, item; walk.next(key, item);) {
      left_.push({Task::What::EndPair, {}});
      left_.push({Task::What::Enter, item});
      left_.push({Task::What::Enter, key});
    }
  }

  void bytes(BitsView view) {
    const uint32_t start = kBytes + hash_;
    if (view.size == 0) {
      hash_ = start;
      return;
    }
    // OTP counts whole bytes in 32 bits.
    const auto whole = static_cast<uint32_t>(view.size / 8);
    uint32_t a = kGolden;
    uint32_t b = kGolden;
    uint32_t c = start;
    auto word = [&](uint64_t at) {
      return __builtin_bswap32(static_cast<uint32_t>(load_bits(view.bytes, view.first + at, 32)));
    };
    uint64_t at = 0;
    uint32_t left = whole;
    for (; left >= 12; left -= 12, at += 96) {
      a += word(at);
      b += word(at + 32);
      c += word(at + 64);
      mix(a, b, c);
    }
    // The last bytes; the first one of the third word is the length's.
    std::array<uint8_t, 12> tail{};
    copy_bits({view.bytes, view.first + at, uint64_t{left} * 8}, tail.data(), 0);
    auto tail_word = [&](size_t i) {
      return uint32_t{tail[i]} | uint32_t{tail[i + 1]} << 8 | uint32_t{tail[i + 2]} << 16 |
             uint32_t{tail[i + 3]} << 24;
    };
    a += tail_word(0);
    b += tail_word(4);
    c += whole + (tail_word(8) << 8);
    mix(a, b, c);
    hash_ = c;
    if (const auto rest = static_cast<unsigned>(view.size % 8); rest != 0) {
      combine(rest,
              static_cast<uint32_t>(load_bits(view.bytes, view.first + view.size - rest, rest)),
              kLastBits);
    }
  }

  uint32_t hash_ = 0;
  uint32_t pairs_ = 0;  // of the innermost map under way
  SmallStack<Task, 16> left_;
  std::vector<Saved> saved_;
};

// ---- phash ------------------------------------------------------------------

// Primes just above 2^28.
constexpr uint32_t kPrime1 = 268440163;
constexpr uint32_t kPrime2 = 268439161;
constexpr uint32_t kPrime3 = 268435459;
constexpr uint32_t kPrime4 = 268436141;
constexpr uint32_t kPrime5 = 268438633;
constexpr uint32_t kPrime6 = 268437017;
constexpr uint32_t kPrime8 = 268437511;
constexpr uint32_t kPrime9 = 268439627;
constexpr uint32_t kPrime10 = 268440479;
constexpr uint32_t kPrime11 = 268440577;
constexpr uint32_t kPrime12 = 268440581;
constexpr uint32_t kPrime13 = 268440593;
constexpr uint32_t kPrime14 = 268440611;

class Hash1 {
 public:
  uint32_t run(Value value) {
    left_.push({Task::What::Enter, value, 0});
    while (!left_.empty()) {
      spend();
      const Task task = left_.pop();
      switch (task.what) {
        case Task::What::Enter:
          enter(task.value);
          break;
        case Task::What::Tail:
          enter_tail(task.value);
          break;
        case Task::What::EndList:
          hash_ *= kPrime8;
          break;
        case Task::What::EndTuple:
          hash_ = hash_ * kPrime9 + task.arity;
          break;
      }
    }
    return hash_;
  }

 private:
  struct Task {
    enum class What : uint8_t { Enter, Tail, EndList, EndTuple } what;
    Value value;
    uint32_t arity;
  };

  void push(std::span<const Value> values) {
    for (size_t i = values.size(); i-- > 0;) left_.push({Task::What::Enter, values[i], 0});
  }

  void word(uint32_t x, uint32_t prime) {
    for (int shift = 0; shift < 32; shift += 8) hash_ = hash_ * prime + (x >> shift & 0xFF);
  }

  void enter(Value value) {
    if (value.is_cons()) return enter_list(value);
    if (value.is_integer()) return integer(value);
    if (value.is_atom()) {
      hash_ = hash_ * kPrime1 + portable_atom_hash(value.atom());
    } else if (value.is_nil()) {
      hash_ = hash_ * kPrime3 + 1;
    } else if (value.is_tuple()) {
      left_.push({Task::What::EndTuple, {}, static_cast<uint32_t>(value.arity())});
      push(value.elements());
    } else if (value.is_map()) {
      hash_ = hash_ * kPrime13 + kPrime14 + portable_hash2(value);
    } else if (value.is_bitstring()) {
      bytes(bits_of(value));
    } else if (value.is_float()) {
      const uint64_t bits = value.real() == 0 ? 0 : value.words()[1];
      hash_ = hash_ * kPrime6 + (static_cast<uint32_t>(bits) ^ static_cast<uint32_t>(bits >> 32));
    } else {
      enter_rest(value);
    }
  }

  void enter_rest(Value value) {
    if (value.is_box(BoxKind::ExternalFun)) {
      const Mfa& target = *value.external();
      hash_ = hash_ * kPrime11 + target.arity;
      hash_ = hash_ * kPrime1 + portable_atom_hash(target.module);
      hash_ = hash_ * kPrime1 + portable_atom_hash(target.name);
    } else if (value.is_box(BoxKind::Fun)) {
      const LocalFunction& code = *value.fun_code();
      hash_ = hash_ * kPrime10 + static_cast<uint32_t>(value.captures().size());
      hash_ = hash_ * kPrime1 + portable_atom_hash(code.module);
      hash_ = hash_ * kPrime2 + code.index;
      hash_ *= kPrime2;
      push(value.captures());
    } else if (!value.is_fun()) {
      const Identifier identifier = identifier_of(value);
      const bool pid = identifier.kind == OpaqueKind::Pid;
      if (identifier.kind == OpaqueKind::Port && identifier.numbers[1] != 0)
        word(identifier.numbers[1], kPrime11);
      word(identifier.numbers[0], pid ? kPrime5 : kPrime9);
      hash_ *= pid ? kPrime6 : kPrime10;
    }
  }

  void enter_list(Value list) {
    while (is_byte(list.head())) {
      hash_ = hash_ * kPrime2 + static_cast<uint32_t>(list.head().small());
      list = list.tail();
      if (!list.is_cons()) return enter_tail(list);
    }
    left_.push({Task::What::Tail, list.tail(), 0});
    left_.push({Task::What::Enter, list.head(), 0});
  }

  void enter_tail(Value tail) {
    if (tail.is_cons()) return enter_list(tail);
    left_.push({Task::What::EndList, {}, 0});
    left_.push({Task::What::Enter, tail, 0});
  }

  // The magnitude's bytes, as many as whole words of 32 bits have.
  void integer(Value value) {
    const IntegerView number(value);
    const std::span<const uint64_t> limbs = number.limbs();
    if (limbs.empty()) word(0, kPrime2);
    for (size_t i = 0; i < limbs.size(); ++i) {
      word(static_cast<uint32_t>(limbs[i]), kPrime2);
      const auto high = static_cast<uint32_t>(limbs[i] >> 32);
      if (i + 1 < limbs.size() || high != 0) word(high, kPrime2);
    }
    hash_ *= number.negative() ? kPrime4 : kPrime3;
  }

  void bytes(BitsView view) {
    const uint64_t whole = view.size / 8;
    for (uint64_t i = 0; i < whole; ++i) {
      hash_ = hash_ * kPrime1 + static_cast<uint32_t>(load_bits(view.bytes, view.first + 8 * i, 8));
    }
    if (const auto rest = static_cast<unsigned>(view.size % 8); rest != 0) {
      const auto last =
          static_cast<uint32_t>(load_bits(view.bytes, view.first + view.size - rest, rest));
      hash_ = (hash_ * kPrime1 + last) * kPrime12 + rest;
    }
    hash_ = hash_ * kPrime4 + static_cast<uint32_t>(whole);
  }

  uint32_t hash_ = 0;
  SmallStack<Task, 16> left_;
};

}  // namespace

uint32_t portable_hash2(Value value) { return Hash2().run(value); }

uint32_t portable_hash(Value value) { return Hash1().run(value); }

}  // namespace fathom::machine
