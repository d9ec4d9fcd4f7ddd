// An open-addressing table; texts lie one after another in large blocks. A word of
// up to 24 bytes, as nearly all are, is found in its slot alone: the slot holds it.
// Of a longer one it holds the beginning and the end, and the text is compared.
// Before the table, which is larger than the processor's caches, comes a small one
// with the words that this thread met last: a text uses the same ones again and again.
//
// Threads. Atoms are added under a lock; everything else goes without. A slot is filled
// before its id is stored (release), and read after its id has been loaded (acquire). A
// table that has become too small is replaced, and kept for those who still read it; they
// look again, under the lock, before they believe that a word is not there. Tables double, so
// all of them together are twice the last one.
#include "base/atom.h"

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "base/append_only.h"
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

// What tells a word from others.
struct Key {
  uint64_t first = 0;   // the first eight bytes, or all of a shorter text
  uint64_t second = 0;  // of a text of more than 16 bytes: the next eight
  uint64_t last = 0;    // of a text of eight bytes and more: the last eight
  uint32_t size = 0;

  bool is_whole() const { return size <= 3 * sizeof(uint64_t); }
};

template <class Word>
uint64_t load(const char* p) {
  Word word;
  std::memcpy(&word, p, sizeof(word));
  return word;
}

Key key_of(std::string_view text) {
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

size_t hash_of(const Key& key, std::string_view text) {
  uint64_t hash = hash_combine(key.first, key.size);
  if (key.size >= 8) hash = hash_combine(hash_combine(hash, key.second), key.last);
  if (!key.is_whole()) {
    for (size_t i = 16; i + 8 < text.size(); i += 8) {
      hash = hash_combine(hash, load<uint64_t>(text.data() + i));
    }
  }
  return hash;
}

// A key and its atom; two fill a cache line.
template <class Id>
struct alignas(32) Slot {
  uint64_t first = 0;
  uint64_t second = 0;
  uint64_t last = 0;
  uint32_t size = 0;
  Id id_plus_1 = 0;  // 0: empty

  Key key() const { return {first, second, last, size}; }
  void set_key(const Key& key) {
    first = key.first;
    second = key.second;
    last = key.last;
    size = key.size;
  }
  bool has(const Key& key) const {  // one branch for the caller, not four
    const uint64_t difference =
        (first ^ key.first) | (second ^ key.second) | (last ^ key.last) | (size ^ key.size);
    return difference == 0;
  }
};
static_assert(sizeof(Slot<uint32_t>) == 32 && sizeof(Slot<std::atomic<uint32_t>>) == 32);

// What this thread has met last, by the hash.
constexpr size_t kRecent = 1024;
thread_local std::array<Slot<uint32_t>, kRecent> recent_words;

class AtomTable {
 public:
  AtomTable() {
    tables_.push_back(std::make_unique<Table>(kFirstTable));
    table_ = tables_.back().get();
    for (std::string_view text : kPredefined) intern(text);
  }

  uint32_t intern(std::string_view text) {
    const Key key = key_of(text);
    const size_t hash = hash_of(key, text);
    Slot<uint32_t>& recent = recent_words[hash % kRecent];
    if (!recent.has(key) || recent.id_plus_1 == 0 || !key.is_whole()) {
      recent.id_plus_1 = find_or_add(text, key, hash);
      recent.set_key(key);
    }
    return recent.id_plus_1 - 1;
  }

  std::optional<uint32_t> find(std::string_view text) {
    const Key key = key_of(text);
    const size_t hash = hash_of(key, text);
    uint32_t id_plus_1 = id_in(*table_.load(std::memory_order_acquire), text, key, hash);
    if (id_plus_1 == 0) {
      const std::lock_guard lock(mutex_);
      id_plus_1 = id_in(*tables_.back(), text, key, hash);
    }
    if (id_plus_1 == 0) return std::nullopt;
    return id_plus_1 - 1;
  }

  std::string_view text(uint32_t id) const { return texts_[id]; }
  uint32_t count() const { return static_cast<uint32_t>(texts_.size()); }

 private:
  using SharedSlot = Slot<std::atomic<uint32_t>>;
  using Table = std::vector<SharedSlot>;  // of a power of two

  // The slot that has it, or the empty one where it belongs; with its id as it was seen.
  struct Found {
    size_t slot;
    uint32_t id_plus_1;
  };
  Found look_for(const Table& table, std::string_view text, const Key& key, size_t hash) const {
    const size_t mask = table.size() - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
      const uint32_t id = table[i].id_plus_1.load(std::memory_order_acquire);
      if (id == 0) return {i, 0};
      if (table[i].has(key) && (key.is_whole() || texts_[id - 1] == text)) return {i, id};
    }
  }
  uint32_t id_in(const Table& table, std::string_view text, const Key& key, size_t hash) const {
    return look_for(table, text, key, hash).id_plus_1;
  }

  // Its id, plus 1.
  uint32_t find_or_add(std::string_view text, const Key& key, size_t hash) {
    if (const uint32_t id = id_in(*table_.load(std::memory_order_acquire), text, key, hash)) {
      return id;
    }
    const std::lock_guard lock(mutex_);
    if (2 * (texts_.size() + 1) > tables_.back()->size()) grow();
    Table& table = *tables_.back();
    const Found found = look_for(table, text, key, hash);
    if (found.id_plus_1 != 0) return found.id_plus_1;
    const auto id = static_cast<uint32_t>(texts_.append(store(text)) + 1);
    table[found.slot].set_key(key);
    table[found.slot].id_plus_1.store(id, std::memory_order_release);
    return id;
  }

  void grow() {
    const Table& old = *tables_.back();
    auto larger = std::make_unique<Table>(2 * old.size());
    const size_t mask = larger->size() - 1;
    for (const SharedSlot& slot : old) {
      const uint32_t id = slot.id_plus_1.load(std::memory_order_relaxed);
      if (id == 0) continue;
      size_t i = hash_of(slot.key(), texts_[id - 1]) & mask;
      while ((*larger)[i].id_plus_1.load(std::memory_order_relaxed) != 0) i = (i + 1) & mask;
      (*larger)[i].set_key(slot.key());
      (*larger)[i].id_plus_1.store(id, std::memory_order_relaxed);
    }
    tables_.push_back(std::move(larger));
    table_.store(tables_.back().get(), std::memory_order_release);
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
  static constexpr size_t kFirstTable = size_t{1} << 14;
  AppendOnly<std::string_view> texts_;
  std::atomic<const Table*> table_;  // the last one
  // What follows belongs to whoever has the lock.
  std::mutex mutex_;
  std::vector<std::unique_ptr<Table>> tables_;
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
