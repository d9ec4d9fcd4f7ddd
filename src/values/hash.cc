// The machine's own hash. A value is walked in a fixed order, and each word that
// tells it from others is folded into 64 bits by a multiplication that keeps both
// halves of the product. Two values that are =:= are walked alike: -0.0 counts as
// 0.0, bitstrings by their bits wherever those lie, and equal maps have equal
// shapes (maps.h). Atoms count by their text and functions by their name, so that
// the order of a map's pairs depends on nothing that happened before.
// O(size of the value), without recursion.
#include "values/hash.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "values/bits.h"
#include "values/small_stack.h"

namespace fathom::machine {
namespace {

constexpr uint64_t kMultiplier = 0x9E3779B97F4A7C15;
constexpr uint64_t kSeed = 0x2545F4914F6CDD1D;

uint64_t fold(uint64_t state, uint64_t word) {
  const auto product = static_cast<unsigned __int128>(state ^ word ^ kSeed) * kMultiplier;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

uint64_t fold_bytes(uint64_t state, const uint8_t* bytes, uint64_t first, uint64_t bits) {
  state = fold(state, bits);
  for (; bits >= 64; bits -= 64, first += 64) state = fold(state, load_bits(bytes, first, 64));
  return fold(state, load_bits(bytes, first, static_cast<unsigned>(bits)));
}

uint64_t fold_text(uint64_t state, std::string_view text) {
  return fold_bytes(state, reinterpret_cast<const uint8_t*>(text.data()), 0, text.size() * 8);
}

// Remembered by the atom's id; 0 for one not asked for yet.
uint64_t atom_hash(Atom atom) {
  static std::vector<uint64_t> known;
  if (atom.id() >= known.size()) {
    known.resize(std::max<size_t>(atom_count(), atom.id() + size_t{1}), 0);
  }
  uint64_t& hash = known[atom.id()];
  if (hash == 0) hash = fold_text(kSeed, atom.text()) | 1;
  return hash;
}

// The word that tells an immediate value from others.
uint64_t immediate_word(Value value) {
  return value.is_atom() ? atom_hash(value.atom()) : value.raw();
}

uint32_t finish(uint64_t state) {
  const uint64_t mixed = fold(state, kMultiplier);
  return static_cast<uint32_t>(mixed ^ mixed >> 32);
}

class Walk {
 public:
  explicit Walk(uint64_t seed) : state_(seed) {}

  uint32_t run(Value value) {
    for (;;) {
      enter(value);
      if (left_.empty()) break;
      value = left_.pop();
    }
    return finish(state_);
  }

 private:
  void mix(uint64_t word) { state_ = fold(state_, word); }
  void mix(Atom atom) { mix(atom_hash(atom)); }

  void push(std::span<const Value> values) {
    for (size_t i = values.size(); i-- > 0;) left_.push(values[i]);
  }

  void enter(Value value) {
    if (value.is_cons()) return enter_list(value);
    if (value.is_box()) return enter_box(value);
    mix(immediate_word(value));
  }

  void enter_list(Value list) {
    constexpr uint64_t kList = 0xC025;
    mix(kList);
    for (; list.is_cons(); list = list.tail()) {
      const Value head = list.head();
      if (!head.is_immediate()) {
        left_.push(list.tail());
        left_.push(head);
        return;
      }
      mix(immediate_word(head));
    }
    left_.push(list);
  }

  void enter_box(Value value) {
    const uint64_t* words = value.words();
    const Header header = value.header();
    switch (header.kind()) {
      case BoxKind::Tuple:
        mix(header.word());
        return push(value.elements());
      case BoxKind::Float:
        mix(header.word());
        return mix(value.real() == 0 ? 0 : words[1]);
      case BoxKind::BigPositive:
      case BoxKind::BigNegative:
        mix(header.word());
        for (const uint64_t limb : value.limbs()) mix(limb);
        return;
      case BoxKind::InlineBits:
      case BoxKind::SharedBits: {
        const BitsView bits = bits_of(value);
        mix(static_cast<uint64_t>(BoxKind::InlineBits));
        state_ = fold_bytes(state_, bits.bytes, bits.first, bits.size);
        return;
      }
      case BoxKind::Foreign:
        mix(header.word());
        state_ = fold_bytes(state_, reinterpret_cast<const uint8_t*>(words + 2), 0, words[1] * 8);
        return;
      case BoxKind::Reference:
        mix(header.word());
        return mix(words[1]);
      case BoxKind::FlatMap:
      case BoxKind::HashMap:
      case BoxKind::MapBranch:
      case BoxKind::Fun:
      case BoxKind::ExternalFun:
        return enter_map_or_fun(value, header);
    }
  }

  void enter_map_or_fun(Value value, Header header) {
    const uint64_t* words = value.words();
    mix(header.word());
    if (header.kind() == BoxKind::FlatMap) {
      left_.push(value.slot(0));
      push({reinterpret_cast<const Value*>(words + 2), header.size()});
    } else if (header.kind() == BoxKind::HashMap) {
      mix(words[1]);
      left_.push(value.slot(1));
    } else if (header.kind() == BoxKind::MapBranch) {
      mix(words[1]);
      push({reinterpret_cast<const Value*>(words + 2), header.size()});
    } else if (header.kind() == BoxKind::Fun) {
      const LocalFunction& code = *value.fun_code();
      mix(code.module);
      mix(code.name);
      mix(uint64_t{code.index} << 32 | code.arity);
      push(value.captures());
    } else {
      const Mfa& target = *value.external();
      mix(target.module);
      mix(target.name);
      mix(target.arity);
    }
  }

  uint64_t state_;
  SmallStack<Value, 32> left_;
};

}  // namespace

uint32_t map_hash(Value value, uint32_t level) {
  const uint64_t seed = kSeed + level * kMultiplier;
  if (value.is_immediate()) return finish(fold(seed, immediate_word(value)));
  return Walk(seed).run(value);
}

}  // namespace fathom::machine
