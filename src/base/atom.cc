// An open-addressing table; texts lie one after another in large blocks. A word of
// up to seven bytes is found in its slot alone, a longer one is compared.
#include "base/atom.h"

#include <cstring>
#include <memory>
#include <vector>

namespace fathom {
namespace {

constexpr std::string_view kPredefined[] = {
    "",
#define ATOM(Name, Text) Text,
#include "base/atoms.def"
#undef ATOM
};

class AtomTable {
 public:
  AtomTable() : slots_(size_t{1} << 14) {
    for (std::string_view text : kPredefined) intern(text);
  }

  uint32_t intern(std::string_view text) {
    const uint64_t prefix = prefix_of(text);
    const uint32_t hash = hash_of(text, prefix);
    const size_t mask = slots_.size() - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
      const Slot& slot = slots_[i];
      if (slot.id_plus_1 == 0) return add(text, {hash, 0, prefix}, i);
      if (slot.hash != hash || slot.prefix != prefix) continue;
      const bool whole = text.size() < sizeof(prefix);  // the prefix is the word
      if (whole || texts_[slot.id_plus_1 - 1] == text) return slot.id_plus_1 - 1;
    }
  }

  std::string_view text(uint32_t id) const { return texts_[id]; }
  uint32_t count() const { return static_cast<uint32_t>(texts_.size()); }

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t id_plus_1 = 0;
    uint64_t prefix = 0;
  };

  template <class Word>
  static uint64_t load(const char* p) {
    Word word;
    std::memcpy(&word, p, sizeof(word));
    return word;
  }

  // The first seven bytes, and in the eighth the length, or 255 if there are more.
  static uint64_t prefix_of(std::string_view text) {
    const char* p = text.data();
    const size_t n = text.size();
    if (n >= 8) return load<uint64_t>(p) | uint64_t{0xFF} << 56;
    uint64_t word = uint64_t{n} << 56;
    if (n >= 4) return word | load<uint32_t>(p) | load<uint32_t>(p + n - 4) << (8 * (n - 4));
    if (n == 0) return word;
    word |= load<uint8_t>(p) | load<uint8_t>(p + n / 2) << (8 * (n / 2));
    return word | load<uint8_t>(p + n - 1) << (8 * (n - 1));
  }

  // Eight bytes at a time; the last ones may overlap those before them.
  static uint32_t hash_of(std::string_view text, uint64_t prefix) {
    const auto mix = [](uint64_t h) { return (h ^ h >> 32) * 0xFF51AFD7ED558CCDull; };
    uint64_t h = mix(prefix);
    const size_t n = text.size();
    if (n >= 8) {
      for (size_t i = 7; i + 8 < n; i += 8) h = mix(h ^ load<uint64_t>(text.data() + i));
      h = mix(h ^ n ^ load<uint64_t>(text.data() + n - 8));
    }
    return static_cast<uint32_t>(h >> 32);
  }

  uint32_t add(std::string_view text, Slot slot, size_t at) {
    const auto id = static_cast<uint32_t>(texts_.size());
    texts_.push_back(store(text));
    slot.id_plus_1 = id + 1;
    slots_[at] = slot;
    if (texts_.size() * 2 > slots_.size()) grow();
    return id;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    const size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.id_plus_1 == 0) continue;
      size_t i = slot.hash & mask;
      while (slots_[i].id_plus_1 != 0) i = (i + 1) & mask;
      slots_[i] = slot;
    }
  }

  std::string_view store(std::string_view text) {
    if (text.size() > room_) {
      room_ = std::max<size_t>(kBlock, text.size());
      blocks_.push_back(std::make_unique<char[]>(room_));
      next_ = blocks_.back().get();
    }
    if (!text.empty()) std::memcpy(next_, text.data(), text.size());
    std::string_view stored(next_, text.size());
    next_ += text.size();
    room_ -= text.size();
    return stored;
  }

  static constexpr size_t kBlock = 64 << 10;
  std::vector<Slot> slots_;
  std::vector<std::string_view> texts_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  size_t room_ = 0;
};

// Made before main() runs: nothing may intern atoms while static objects of other
// files are being made (a static local of a function may).
AtomTable table;

}  // namespace

Atom Atom::intern(std::string_view text) { return Atom(table.intern(text)); }
std::string_view Atom::text() const { return table.text(id_); }
uint32_t atom_count() { return table.count(); }

}  // namespace fathom
