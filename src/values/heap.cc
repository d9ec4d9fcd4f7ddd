#include "values/heap.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "base/budget.h"
#include "base/utf8.h"
#include "values/bits.h"

namespace fathom::machine {

// ---- Spaces -----------------------------------------------------------------

namespace {

constexpr size_t kReserve = size_t{64} << 30;
constexpr size_t kLeastReserve = size_t{32} << 20;

constexpr uint64_t words_for(uint64_t bytes) { return (bytes + 7) / 8; }

// Null: the system refuses.
void* reserve(size_t bytes) {
  void* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? nullptr : p;
}

bool can_reserve(size_t bytes) {
  void* const p = reserve(bytes);
  if (p) munmap(p, bytes);
  return p != nullptr;
}

// The size of a space: larger than what the budget allows. Where addresses are limited, a part
// of what is left: there are three spaces, and a fourth one during a full collection. Limits that
// nobody tells (valgrind's, those of a system that promises no more memory than it has) are found
// by trying.
size_t reserve_bytes(bool is_labelled) {
  const size_t parts = is_labelled ? 14 : 7;
  constexpr size_t kAlignment = size_t{2} << 20;
  const Budget* const budget = Budget::current();
  size_t bytes = std::max(kReserve, budget ? 2 * budget->limits().memory : 0);
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    const size_t used = process_memory().addresses;
    const size_t left = limit.rlim_cur > used ? limit.rlim_cur - used : 0;
    bytes = std::min(bytes, left / parts / kAlignment * kAlignment);
  }
  while (bytes >= kLeastReserve && !can_reserve(parts * bytes)) bytes /= 2;
  return bytes / kAlignment * kAlignment;
}

}  // namespace

Space::Space(size_t bytes, bool is_labelled) {
  void* const p = bytes < kLeastReserve ? nullptr : reserve(is_labelled ? 2 * bytes : bytes);
  if (!p) throw std::bad_alloc();
  top = base_ = static_cast<uint64_t*>(p);
  bytes_ = bytes;
  is_labelled_ = is_labelled;
}

Space::~Space() {
  if (base_) munmap(base_, is_labelled_ ? 2 * bytes_ : bytes_);
}

void Space::swap(Space& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(bytes_, other.bytes_);
  std::swap(is_labelled_, other.is_labelled_);
  std::swap(top, other.top);
}

void Space::clear(size_t keep) {
  const size_t used = used_bytes();
  auto* const bytes = reinterpret_cast<char*>(base_);
  if (used > keep) madvise(bytes + keep, used - keep, MADV_DONTNEED);
  if (is_labelled_) {
    if (used > keep) madvise(bytes + bytes_ + keep, used - keep, MADV_DONTNEED);
    std::memset(bytes + bytes_, 0, std::min(used, keep));
  }
  top = base_;
}

// ---- Boxes ------------------------------------------------------------------

size_t box_words(const uint64_t* box) {
  const Header header(box[0]);
  switch (header.kind()) {
    case BoxKind::Tuple:
    case BoxKind::BigPositive:
    case BoxKind::BigNegative:
      return 1 + header.size();
    case BoxKind::FlatMap:
    case BoxKind::MapBranch:
      return 2 + header.size();
    case BoxKind::Fun:
      return 3 + header.size();
    case BoxKind::InlineBits:
      return 2 + words_for((box[1] + 7) / 8);
    case BoxKind::Foreign:
      return 2 + words_for(box[1]);
    case BoxKind::Float:
    case BoxKind::ExternalFun:
    case BoxKind::Reference:
      return 2;
    case BoxKind::HashMap:
    case BoxKind::Unknown:
      return 3;
    case BoxKind::SharedBits:
      return 4;
  }
  return 1;
}

Value copy_of_box(Heap& heap, Value box) {
  const size_t size = box_words(box.words());
  uint64_t* words = heap.allocate(size);
  std::copy_n(box.words(), size, words);
  heap.carry_labels(box.words() + 1, words + 1, size - 1);
  return Value::box(words);
}

SlotRange value_slots(const uint64_t* box) {
  const Header header(box[0]);
  switch (header.kind()) {
    case BoxKind::Tuple:
      return {1, 1 + header.size()};
    case BoxKind::FlatMap:
      return {1, 2 + header.size()};
    case BoxKind::HashMap:
      return {2, 3};
    case BoxKind::Unknown:
      return {1, 2};
    case BoxKind::MapBranch:
      return {2, 2 + header.size()};
    case BoxKind::Fun:
      return {3, 3 + header.size()};
    case BoxKind::Float:
    case BoxKind::BigPositive:
    case BoxKind::BigNegative:
    case BoxKind::InlineBits:
    case BoxKind::SharedBits:
    case BoxKind::ExternalFun:
    case BoxKind::Reference:
    case BoxKind::Foreign:
      break;
  }
  return {1, 1};
}

// ---- Making values ----------------------------------------------------------

Heap::Heap(bool is_labelled) : Heap(reserve_bytes(is_labelled), is_labelled) {}
Heap::Heap(size_t bytes, bool is_labelled)
    : label_distance_(is_labelled ? bytes : 0),
      young_(bytes, is_labelled),
      old_(bytes, is_labelled),
      permanent_(bytes, is_labelled) {}

Heap::~Heap() {
  for (Buffer* buffer : buffers_) std::free(buffer);
  for (Buffer* buffer : permanent_buffers_) std::free(buffer);
}

void Heap::carry_list_labels(Value from, Value to) {
  if (!is_labelled()) return;
  for (; from.is_cons() && to.is_cons(); from = from.tail(), to = to.tail()) {
    carry_labels(from.words(), to.words());
  }
}

void Heap::label_new(const uint64_t* since, Label label) {
  for (const uint64_t* word = since; word < young_.top; ++word) {
    WordLabels& labels = labels_of(word);
    if (labels.word == kNoLabel) labels.word = label;
    if (labels.object == kNoLabel) labels.object = label;
  }
}

Value Heap::list(std::span<const Value> items, Value tail) {
  uint64_t* words = allocate(2 * items.size());
  for (size_t i = items.size(); i-- > 0;) {
    words[2 * i] = items[i].raw();
    words[2 * i + 1] = tail.raw();
    tail = Value::cons_at(words + 2 * i);
  }
  return tail;
}

Value Heap::string(std::string_view latin1, Value tail) {
  uint64_t* words = allocate(2 * latin1.size());
  for (size_t i = latin1.size(); i-- > 0;) {
    words[2 * i] = Value::small(static_cast<uint8_t>(latin1[i])).raw();
    words[2 * i + 1] = tail.raw();
    tail = Value::cons_at(words + 2 * i);
  }
  return tail;
}

Value Heap::string_utf8(std::string_view utf8) {
  std::vector<Value> points;
  const char* p = utf8.data();
  const char* end = p + utf8.size();
  while (p < end) points.push_back(Value::small(next_code_point(&p)));
  return list(points);
}

Value Heap::tuple(std::span<const Value> elements) {
  uint64_t* words = allocate(1 + elements.size());
  words[0] = Header(BoxKind::Tuple, elements.size()).word();
  std::copy(elements.begin(), elements.end(), reinterpret_cast<Value*>(words + 1));
  return Value::box(words);
}

Value Heap::real(double finite) {
  assert(std::isfinite(finite));
  uint64_t* words = allocate(2);
  words[0] = Header(BoxKind::Float, 1).word();
  words[1] = std::bit_cast<uint64_t>(finite);
  return Value::box(words);
}

Value Heap::big(int64_t n) {
  const uint64_t magnitude = n < 0 ? -static_cast<uint64_t>(n) : static_cast<uint64_t>(n);
  return integer(n < 0, {&magnitude, 1});
}

Value Heap::integer(uint64_t n) {
  if (n <= static_cast<uint64_t>(Value::kMaxSmall)) return Value::small(static_cast<int64_t>(n));
  return integer(false, {&n, 1});
}

Value Heap::integer(mpz_srcptr n) {
  return integer(mpz_sgn(n) < 0, {mpz_limbs_read(n), mpz_size(n)});
}

Value Heap::integer(bool negative, std::span<const uint64_t> limbs) {
  size_t count = limbs.size();
  while (count > 0 && limbs[count - 1] == 0) --count;
  if (count == 0) return Value::small(0);
  if (count == 1) {
    constexpr auto kMax = static_cast<uint64_t>(Value::kMaxSmall);
    if (!negative && limbs[0] <= kMax) return Value::small(static_cast<int64_t>(limbs[0]));
    if (negative && limbs[0] <= kMax + 1) return Value::small(static_cast<int64_t>(-limbs[0]));
  }
  uint64_t* words = allocate(1 + count);
  words[0] = Header(negative ? BoxKind::BigNegative : BoxKind::BigPositive, count).word();
  std::copy_n(limbs.begin(), count, words + 1);
  return Value::box(words);
}

Value Heap::reference(uint64_t number) {
  uint64_t* words = allocate(2);
  words[0] = Header(BoxKind::Reference, 1).word();
  words[1] = number;
  return Value::box(words);
}

Value Heap::foreign(OpaqueKind kind, std::string_view external) {
  uint64_t* words = allocate(2 + words_for(external.size()));
  words[0] = Header(BoxKind::Foreign, static_cast<uint64_t>(kind)).word();
  words[1] = external.size();
  if (!external.empty()) std::memcpy(words + 2, external.data(), external.size());
  return Value::box(words);
}

Value Heap::fun(const LocalFunction* code, Value creator, std::span<const Value> captures) {
  uint64_t* words = allocate(3 + captures.size());
  words[0] = Header(BoxKind::Fun, captures.size()).word();
  words[1] = reinterpret_cast<uint64_t>(code);
  words[2] = creator.raw();
  std::copy(captures.begin(), captures.end(), reinterpret_cast<Value*>(words + 3));
  return Value::box(words);
}

Value Heap::external_fun(const Mfa* target) {
  uint64_t* words = allocate(2);
  words[0] = Header(BoxKind::ExternalFun, 1).word();
  words[1] = reinterpret_cast<uint64_t>(target);
  return Value::box(words);
}

// ---- Bitstrings -------------------------------------------------------------

BitsView bits_of(Value bitstring) {
  const uint64_t* words = bitstring.words();
  if (bitstring.header().kind() == BoxKind::InlineBits) {
    return {reinterpret_cast<const uint8_t*>(words + 2), 0, words[1]};
  }
  return {reinterpret_cast<const Buffer*>(words[3])->bytes, words[2], words[1]};
}

Heap::NewBits Heap::new_bits(uint64_t bits) {
  const uint64_t bytes = (bits + 7) / 8;
  if (bytes > kMaxInlineBytes) {
    Buffer* buffer = new_buffer(bytes);
    buffer->used_bits = bits;
    return {shared_bits(buffer, 0, bits), buffer->bytes};
  }
  const size_t data_words = words_for(bytes);
  uint64_t* words = allocate(2 + data_words);
  words[0] = Header(BoxKind::InlineBits, 0).word();
  words[1] = bits;
  if (data_words > 0) words[1 + data_words] = 0;
  return {Value::box(words), reinterpret_cast<uint8_t*>(words + 2)};
}

Value Heap::binary(std::string_view bytes) {
  const NewBits made = new_bits(bytes.size() * 8);
  if (!bytes.empty()) std::memcpy(made.bytes, bytes.data(), bytes.size());
  return made.value;
}

Value Heap::binary(std::span<const uint8_t> bytes) {
  return binary(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

Value Heap::bitstring(const uint8_t* bytes, uint64_t first, uint64_t bits) {
  const NewBits made = new_bits(bits);
  if (bits % 8 != 0) made.bytes[bits / 8] = 0;
  copy_bits({bytes, first, bits}, made.bytes, 0);
  return made.value;
}

Value Heap::sub_bits(Value bitstring, uint64_t first, uint64_t bits) {
  const BitsView whole = bits_of(bitstring);
  assert(first + bits <= whole.size);
  if (bits == whole.size) return bitstring;
  if (bits <= kMaxInlineBytes * 8 / 4 || bitstring.is_box(BoxKind::InlineBits)) {
    return this->bitstring(whole.bytes, whole.first + first, bits);
  }
  return shared_bits(reinterpret_cast<Buffer*>(bitstring.words()[3]), whole.first + first, bits);
}

Value Heap::shared_bits(Buffer* buffer, uint64_t first, uint64_t bits) {
  uint64_t* words = allocate(4);
  words[0] = Header(BoxKind::SharedBits, 3).word();
  words[1] = bits;
  words[2] = first;
  words[3] = reinterpret_cast<uint64_t>(buffer);
  return Value::box(words);
}

bool Heap::is_nearly_full() const {
  const auto is_full = [](const Space& space) {
    return space.used_bytes() > space.reserved_bytes() / 4 * 3;
  };
  return is_full(young_) || is_full(old_) || is_full(permanent_);
}

bool Heap::has_room_for_copy() const {
  const Budget* const budget = Budget::current();
  return !budget || budget->has_room(old_.used_bytes());
}

// Twice what is alive, so that collections cost a constant for each byte that is made. Where
// memory is limited, earlier: there must be room for a copy of what is alive, and garbage must
// not be what reaches the limit.
size_t Heap::threshold_for(size_t alive) {
  constexpr size_t kLeast = size_t{64} << 20;
  const Budget* const budget = Budget::current();
  const size_t limit = budget ? budget->limits().memory : 0;
  if (limit == 0) return std::max(kLeast, 2 * alive);
  return std::max(
      {std::min(kLeast, limit / 8), alive + alive / 5, std::min(2 * alive, limit / 5 * 2)});
}

Buffer* Heap::new_buffer(uint64_t capacity) {
  constexpr uint64_t kBytesPerWork = 64;
  spend(static_cast<int64_t>(capacity / kBytesPerWork));  // they will be written
  spend_memory(capacity);
  void* memory = std::malloc(sizeof(Buffer) + capacity);
  if (!memory) throw std::bad_alloc();
  auto* buffer = new (memory) Buffer{capacity, 0, false};
  buffers_.push_back(buffer);
  buffer_bytes_ += sizeof(Buffer) + capacity;
  if (alarm_ && buffer_bytes_ > buffer_threshold_) *alarm_ = nullptr;
  return buffer;
}

void Heap::free_buffer(Buffer* buffer) {
  buffer_bytes_ -= sizeof(Buffer) + buffer->capacity;
  std::free(buffer);
}

void Heap::drop(uint64_t* since) {
  if (is_labelled() && young_.top > since)
    std::fill(&labels_of(since), &labels_of(young_.top), WordLabels{});
  young_.top = since;
}

void Heap::rewind(Mark mark) {
  drop(mark.top);
  while (buffers_.size() > mark.buffers) {
    free_buffer(buffers_.back());
    buffers_.pop_back();
  }
}

}  // namespace fathom::machine
