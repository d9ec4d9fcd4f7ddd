// An open-addressing table of (hash, id); texts lie one after another in large
// blocks. Lookup is one probe for a word seen before, which is nearly always.
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
    const uint32_t hash = hash_of(text);
    size_t mask = slots_.size() - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
      Slot& slot = slots_[i];
      if (slot.id_plus_1 == 0) return add(text, hash, i);
      if (slot.hash == hash && texts_[slot.id_plus_1 - 1] == text) return slot.id_plus_1 - 1;
    }
  }

  std::string_view text(uint32_t id) const { return texts_[id]; }
  uint32_t count() const { return static_cast<uint32_t>(texts_.size()); }

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t id_plus_1 = 0;
  };

  template <class Word>
  static uint64_t load(const char* p) {
    Word word;
    std::memcpy(&word, p, sizeof(word));
    return word;
  }

  // Words at a time; the last ones may overlap those before them.
  static uint32_t hash_of(std::string_view text) {
    const auto mix = [](uint64_t h) { return (h ^ h >> 32) * 0xFF51AFD7ED558CCDull; };
    const char* p = text.data();
    const size_t n = text.size();
    uint64_t h = n * 0x9E3779B97F4A7C15ull;
    if (n >= 8) {
      for (size_t i = 0; i + 8 < n; i += 8) h = mix(h ^ load<uint64_t>(p + i));
      h ^= load<uint64_t>(p + n - 8);
    } else if (n >= 4) {
      h ^= load<uint32_t>(p) << 32 | load<uint32_t>(p + n - 4);
    } else if (n > 0) {
      h ^= load<uint8_t>(p) << 16 | load<uint8_t>(p + n / 2) << 8 | load<uint8_t>(p + n - 1);
    }
    return static_cast<uint32_t>(mix(h) >> 32);
  }

  uint32_t add(std::string_view text, uint32_t hash, size_t at) {
    const auto id = static_cast<uint32_t>(texts_.size());
    texts_.push_back(store(text));
    slots_[at] = {hash, id + 1};
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
