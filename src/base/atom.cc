// An open-addressing table; texts lie one after another in large blocks. A word of
// up to 24 bytes, as nearly all are, is found in its slot alone: the slot holds it.
// Of a longer one it holds the beginning and the end, and the text is compared.
// Before the table, which is larger than the processor's caches, comes a small one
// with the words that were met last: a text uses the same ones again and again.
#include "base/atom.h"

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "base/existing_atom.h"
#include "base/hash.h"

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
    const Key key = key_of(text);
    const size_t hash = hash_of(key, text);
    Slot& recent = recent_[hash % recent_.size()];
    if (!recent.holds(key) || !key.is_whole()) recent = find_or_add(text, key, hash);
    return recent.id_plus_1 - 1;
  }

  std::optional<uint32_t> find(std::string_view text) const {
    const Key key = key_of(text);
    const Slot& slot = slots_[slot_of(text, key, hash_of(key, text))];
    if (slot.id_plus_1 == 0) return std::nullopt;
    return slot.id_plus_1 - 1;
  }

  std::string_view text(uint32_t id) const { return texts_[id]; }
  uint32_t count() const { return static_cast<uint32_t>(texts_.size()); }

 private:
  struct Key {
    uint64_t first = 0;   // the first eight bytes, or all of a shorter text
    uint64_t second = 0;  // of a text of more than 16 bytes: the next eight
    uint64_t last = 0;    // of a text of eight bytes and more: the last eight
    uint32_t size = 0;

    bool is_whole() const { return size <= 3 * sizeof(uint64_t); }
  };

  // A key and its atom; two fill a cache line.
  struct alignas(32) Slot {
    uint64_t first = 0;
    uint64_t second = 0;
    uint64_t last = 0;
    uint32_t size = 0;
    uint32_t id_plus_1 = 0;  // 0: empty

    bool holds(const Key& key) const {  // one branch for the caller, not four
      const uint64_t difference =
          (first ^ key.first) | (second ^ key.second) | (last ^ key.last) | (size ^ key.size);
      return difference == 0 && id_plus_1 != 0;
    }
    Key key() const { return {first, second, last, size}; }
  };

  template <class Word>
  static uint64_t load(const char* p) {
    Word word;
    std::memcpy(&word, p, sizeof(word));
    return word;
  }

  static Key key_of(std::string_view text) {
    const char* p = text.data();
    const size_t n = text.size();
    Key key;
    key.size = static_cast<uint32_t>(n);
    if (n >= 8) {
      key.first = load<uint64_t>(p);
      if (n > 16) key.second = load<uint64_t>(p + 8);
      key.last = load<uint64_t>(p + n - 8);
    } else if (n >= 4) {
      key.first = load<uint32_t>(p) | load<uint32_t>(p + n - 4) << (8 * (n - 4));
    } else if (n > 0) {
      key.first = load<uint8_t>(p) | load<uint8_t>(p + n / 2) << (8 * (n / 2)) |
                  load<uint8_t>(p + n - 1) << (8 * (n - 1));
    }
    return key;
  }

  static size_t hash_of(const Key& key, std::string_view text) {
    uint64_t hash = hash_combine(key.first, key.size);
    if (key.size >= 8) hash = hash_combine(hash_combine(hash, key.second), key.last);
    if (!key.is_whole()) {
      for (size_t i = 16; i + 8 < text.size(); i += 8) {
        hash = hash_combine(hash, load<uint64_t>(text.data() + i));
      }
    }
    return hash;
  }

  // The slot that has it, or the empty one where it belongs.
  size_t slot_of(std::string_view text, const Key& key, size_t hash) const {
    const size_t mask = slots_.size() - 1;
    size_t i = hash & mask;
    for (; slots_[i].id_plus_1 != 0; i = (i + 1) & mask) {
      const Slot& slot = slots_[i];
      if (slot.holds(key) && (key.is_whole() || texts_[slot.id_plus_1 - 1] == text)) break;
    }
    return i;
  }

  Slot find_or_add(std::string_view text, const Key& key, size_t hash) {
    const size_t i = slot_of(text, key, hash);
    if (slots_[i].id_plus_1 != 0) return slots_[i];
    texts_.push_back(store(text));
    const Slot slot{key.first, key.second, key.last, key.size,
                    static_cast<uint32_t>(texts_.size())};
    slots_[i] = slot;
    if (texts_.size() * 2 > slots_.size()) grow();
    return slot;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    const size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.id_plus_1 == 0) continue;
      size_t i = hash_of(slot.key(), texts_[slot.id_plus_1 - 1]) & mask;
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
  static constexpr size_t kRecent = 1024;
  std::array<Slot, kRecent> recent_;
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
std::optional<Atom> existing_atom(std::string_view text) {
  const std::optional<uint32_t> id = table.find(text);
  if (!id) return std::nullopt;
  return Atom(*id);
}
std::string_view Atom::text() const { return table.text(id_); }
uint32_t atom_count() { return table.count(); }

}  // namespace fathom
