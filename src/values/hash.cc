// The machine's own hash. A value is walked in a fixed order, and each word that
// tells it from others is folded into 64 bits by a multiplication that keeps both
// halves of the product. Two values that are =:= are walked alike: -0.0 counts as
// 0.0, bitstrings by their bits wherever those lie, and equal maps have equal
// shapes (maps.h). Atoms count by their text and functions by their name, so that
// the order of a map's pairs depends on nothing that happened before.
// O(size of the value), without recursion.
#include "values/hash.h"

#include <array>
#include <atomic>
#include <memory>
#include <string_view>

#include "base/budget.h"
#include "base/hash.h"
#include "values/bits.h"
#include "values/small_stack.h"

namespace fathom::machine {
namespace {

constexpr uint64_t kSeed = 0x2545F4914F6CDD1D;

uint64_t fold_bytes(uint64_t state, const uint8_t* bytes, uint64_t first, uint64_t bits) {
  state = hash_combine(state, bits);
  for (; bits >= 64; bits -= 64, first += 64)
    state = hash_combine(state, load_bits(bytes, first, 64));
  return hash_combine(state, load_bits(bytes, first, static_cast<unsigned>(bits)));
}

uint64_t fold_text(uint64_t state, std::string_view text) {
  return fold_bytes(state, reinterpret_cast<const uint8_t*>(text.data()), 0, text.size() * 8);
}

// The hashes of atoms, by their ids; 0 for one not asked for yet. They lie in chunks that are
// made when they are needed. Threads that compute one at the same time come to the same result.
class AtomHashes {
 public:
  uint64_t of(Atom atom) {
    std::atomic<Hash*>& place = chunks_[atom.id() / kChunk];
    Hash* chunk = place.load(std::memory_order_acquire);
    if (!chunk) chunk = make_chunk(place);
    Hash& hash = chunk[atom.id() % kChunk];
    const uint64_t known = hash.load(std::memory_order_relaxed);
    if (known != 0) return known;
    const uint64_t made = fold_text(kSeed, atom.text()) | 1;
    hash.store(made, std::memory_order_relaxed);
    return made;
  }

 private:
  using Hash = std::atomic<uint64_t>;
  static constexpr size_t kChunk = size_t{1} << 16;

  static Hash* make_chunk(std::atomic<Hash*>& place) {
    auto made = std::make_unique<Hash[]>(kChunk);
    Hash* there = nullptr;
    return place.compare_exchange_strong(there, made.get()) ? made.release() : there;
  }

  std::array<std::atomic<Hash*>, (uint64_t{1} << 32) / kChunk> chunks_{};
};

uint64_t atom_hash(Atom atom) {
  static constinit AtomHashes hashes;
  return hashes.of(atom);
}

// The word that tells an immediate value from others.
uint64_t immediate_word(Value value) {
  return value.is_atom() ? atom_hash(value.atom()) : value.raw();
}

uint32_t finish(uint64_t state) {
  const uint64_t mixed = hash_combine(state, kGoldenRatio);
  return static_cast<uint32_t>(mixed ^ mixed >> 32);
}

class Walk {
 public:
  explicit Walk(uint64_t seed, size_t most = SIZE_MAX) : state_(seed), most_(most) {}

  uint64_t run(Value value) {
    for (;;) {
      enter(value);
      if (left_.empty()) break;
      spend();
      value = left_.pop();
    }
    return state_;
  }
  // How many values it may still look into.
  size_t most() const { return most_; }

 private:
  void mix(uint64_t word) { state_ = hash_combine(state_, word); }
  void mix(Atom atom) { mix(atom_hash(atom)); }

  void push(std::span<const Value> values) {
    for (size_t i = values.size(); i-- > 0;) left_.push(values[i]);
  }

  void enter(Value value) {
    if (most_ == 0) return mix(value.raw());
    --most_;
    if (value.is_cons()) return enter_list(value);
    if (value.is_box()) return enter_box(value);
    mix(immediate_word(value));
  }

  void enter_list(Value list) {
    constexpr uint64_t kList = 0xC025;
    mix(kList);
    for (; list.is_cons() && most_ > 0; list = list.tail()) {
      const Value head = list.head();
      if (!head.is_immediate()) {
        left_.push(list.tail());
        left_.push(head);
        return;
      }
      mix(immediate_word(head));
      --most_;
      spend();
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
      case BoxKind::Unknown:
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
  size_t most_;
  SmallStack<Value, 32> left_;
};

}  // namespace

uint32_t map_hash(Value value, uint32_t level) {
  const uint64_t seed = kSeed + level * kGoldenRatio;
  if (value.is_immediate()) return finish(hash_combine(seed, immediate_word(value)));
  return finish(Walk(seed).run(value));
}

uint64_t content_hash(Value value, uint64_t seed, size_t& left) {
  if (value.is_immediate()) return hash_combine(seed, immediate_word(value));
  Walk walk(seed, left);
  const uint64_t hash = walk.run(value);
  left = walk.most();
  return hash;
}

}  // namespace fathom::machine
