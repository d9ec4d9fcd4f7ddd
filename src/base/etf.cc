// Both directions are a loop over a stack of what is left to do.
//
// Reading fills terms in place: a tuple is allocated when its arity is known,
// and its slots go to the stack as a range. `owed_` is the number of slots that
// no term has been read for. Each of them takes a byte at least, so
// owed_ <= bytes left is an invariant of all well-formed input, and checking it
// before a count is believed bounds the sum of all allocations, not just each
// one: a million nested lists cannot all claim the rest of the file.
#include "base/etf.h"

#define ZLIB_CONST  // next_in is only read
#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <variant>
#include <vector>

#include "base/etf_tags.h"
#include "base/recent_atom.h"
#include "base/term_print.h"
#include "base/utf8.h"

namespace fathom::etf {
namespace {

constexpr size_t kMaxAtomCharacters = 255;
// No source may hold a larger one (syntax/lex_literals.cc), and printing it would
// take long.
constexpr size_t kMaxIntegerBytes = (size_t{1} << 19) + 8;

// ---- Reading ----------------------------------------------------------------

class Decoder {
 public:
  // Offsets in errors count from the start of `bytes`; reading begins at `at`.
  Decoder(std::string_view bytes, size_t at, TermArena& arena)
      : bytes_(bytes), at_(at), arena_(arena) {}

  size_t position() const { return at_; }
  Error error() { return {std::move(error_)}; }

  bool run(Term* result) {
    owed_ = 1;
    stack_.push_back({result, result + 1, {}});
    while (!stack_.empty()) {
      Range& top = stack_.back();
      if (top.next == top.end) {
        if (!arena_.finish_map(top.map)) return fail("two keys of a map are equal");
        stack_.pop_back();
        continue;
      }
      Term* slot = top.next++;
      // Gone before its last element is read: a long chain needs no stack.
      if (top.next == top.end && top.map.is_nil()) stack_.pop_back();
      --owed_;
      start_ = at_;
      if (!read_term(slot)) return false;
    }
    return true;
  }

 private:
  // Slots to be filled; `map` is the map they belong to, [] for other terms.
  struct Range {
    Term* next;
    Term* end;
    Term map;
  };

  // ---- Errors and bytes

  template <class... Args>
  bool fail(fmt::format_string<Args...> text, Args&&... args) {
    error_ = fmt::format("byte {}: {}", start_, fmt::format(text, std::forward<Args>(args)...));
    return false;
  }

  size_t left() const { return bytes_.size() - at_; }

  bool need(uint64_t count, std::string_view what) {
    if (count <= left()) return true;
    return fail("the data ends inside {}", what);
  }

  // Big-endian; the caller has made sure of the bytes.
  uint64_t take(int size) {
    uint64_t value = 0;
    for (int i = 0; i < size; ++i) value = value << 8 | static_cast<uint8_t>(bytes_[at_++]);
    return value;
  }

  std::string_view take_bytes(size_t count) {
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }

  // A length of `size` bytes and then so many bytes.
  bool take_counted(int size, std::string_view what, std::string_view* out) {
    if (!need(size, what)) return false;
    const uint64_t count = take(size);
    if (!need(count, what)) return false;
    *out = take_bytes(count);
    return true;
  }

  // ---- Compound terms

  bool take_count(int size, std::string_view what, uint64_t slots_each, uint64_t* count) {
    if (!need(size, what)) return false;
    *count = take(size);
    if (*count * slots_each + owed_ > left()) {
      return fail("{} is said to have {} elements, but only {} bytes follow", what, *count, left());
    }
    return true;
  }

  void fill(std::span<Term> slots, Term map = {}) {
    owed_ += slots.size();
    if (!slots.empty()) stack_.push_back({slots.data(), slots.data() + slots.size(), map});
  }

  bool read_tuple(int size, Term* slot) {
    uint64_t arity = 0;
    if (!take_count(size, "a tuple", 1, &arity)) return false;
    const TermDraft draft = arena_.draft_tuple(arity);
    *slot = draft.term;
    return fill_tuple(draft.slots);
  }

  // Leading elements that have no parts, and most have none, need no place on the stack.
  bool fill_tuple(std::span<Term> slots) {
    owed_ += slots.size();
    size_t next = 0;
    for (; next < slots.size() && left() > 0; ++next) {
      const auto tag = static_cast<Tag>(static_cast<uint8_t>(bytes_[at_]));
      if (tag != kSmallInteger && tag != kInteger && tag != kAtom && tag != kSmallAtomUtf8) break;
      --owed_;
      start_ = at_;
      if (!read_term(&slots[next])) return false;
    }
    if (next < slots.size()) {
      stack_.push_back({slots.data() + next, slots.data() + slots.size(), {}});
    }
    return true;
  }

  bool read_list(Term* slot) {
    uint64_t count = 0;
    if (!take_count(4, "a list", 1, &count)) return false;
    if (count == 0) {  // nobody writes this, but it is read: as its tail
      fill({slot, 1});
      return true;
    }
    if (count + 1 + owed_ > left()) return fail("the data ends inside a list");
    const TermDraft draft = arena_.draft_list(count);
    *slot = draft.term;
    fill(draft.slots);
    return true;
  }

  bool read_map(Term* slot) {
    uint64_t pairs = 0;
    if (!take_count(4, "a map", 2, &pairs)) return false;
    const TermDraft draft = arena_.draft_map(pairs);
    *slot = draft.term;
    fill(draft.slots, draft.term);
    return true;
  }

  bool read_string(Term* slot) {
    std::string_view text;
    if (!take_counted(2, "a string", &text)) return false;
    if (text.empty()) return true;  // slots are [] already
    const TermDraft draft = arena_.draft_list(text.size());
    for (size_t i = 0; i < text.size(); ++i) draft.slots[i] = static_cast<uint8_t>(text[i]);
    *slot = draft.term;
    return true;
  }

  // ---- Atoms and numbers

  // Nearly all atoms are short and ASCII, for which all tags mean the same.
  bool read_atom_term(Tag tag, Term* slot) {
    const size_t header = tag == kAtom || tag == kAtomUtf8 ? 2 : 1;
    if (left() >= header) {
      const auto* p = reinterpret_cast<const uint8_t*>(bytes_.data() + at_);
      const size_t size = header == 2 ? size_t{p[0]} << 8 | p[1] : p[0];
      const std::string_view text = bytes_.substr(at_ + header, size);
      if (text.size() == size && size <= kMaxAtomCharacters && is_ascii(text)) {
        at_ += header + size;
        *slot = recent_atom(text);
        return true;
      }
    }
    Atom atom;
    if (!read_atom(tag, &atom)) return false;
    *slot = atom;
    return true;
  }

  bool read_atom(Tag tag, Atom* atom) {
    std::string_view text;
    const bool wide = tag == kAtom || tag == kAtomUtf8;
    if (!take_counted(wide ? 2 : 1, "an atom", &text)) return false;
    std::string recoded;
    if (tag == kAtom || tag == kSmallAtom) {
      if (!is_ascii(text)) text = recoded = latin1_to_utf8(text);
    } else if (!is_ascii(text) && find_invalid_utf8(text)) {
      return fail("an atom is not UTF-8");
    }
    const size_t length = text.size() <= kMaxAtomCharacters ? 0 : count_code_points(text);
    if (length > kMaxAtomCharacters) return fail("an atom has {} characters", length);
    *atom = Atom::intern(text);
    return true;
  }

  // An atom inside of another term that has one there and nothing else.
  bool read_inner_atom(std::string_view what, Atom* atom) {
    if (!need(1, what)) return false;
    const auto tag = static_cast<Tag>(take(1));
    if (tag != kAtom && tag != kSmallAtom && tag != kAtomUtf8 && tag != kSmallAtomUtf8) {
      return fail("{} has tag {} where an atom should be", what, static_cast<int>(tag));
    }
    return read_atom(tag, atom);
  }

  bool read_inner_integer(std::string_view what, int32_t* value) {
    if (!need(2, what)) return false;
    const auto tag = static_cast<Tag>(take(1));
    if (tag == kSmallInteger) {
      *value = static_cast<int32_t>(take(1));
      return true;
    }
    if (tag != kInteger) {
      return fail("{} has tag {} where an integer should be", what, static_cast<int>(tag));
    }
    if (!need(4, what)) return false;
    *value = static_cast<int32_t>(take(4));
    return true;
  }

  bool read_big(int size, Term* slot) {
    if (!need(size + 1, "an integer")) return false;
    const uint64_t count = take(size);
    const bool negative = take(1) != 0;
    if (!need(count, "an integer")) return false;
    if (count > kMaxIntegerBytes)
      return fail("an integer of {} bytes is more than Fathom reads", count);
    const std::string_view digits = take_bytes(count);
    *slot = arena_.integer(negative, {reinterpret_cast<const uint8_t*>(digits.data()), count});
    return true;
  }

  bool read_new_float(Term* slot) {
    if (!need(8, "a float")) return false;
    const auto value = std::bit_cast<double>(take(8));
    if (!std::isfinite(value)) return fail("a float is not finite");
    *slot = arena_.real(value);
    return true;
  }

  // The output of "%.20e", padded with zeros: up to OTP R11, and in what wants to
  // be read by it.
  bool read_text_float(Term* slot) {
    constexpr size_t kSize = 31;
    if (!need(kSize, "a float")) return false;
    std::string_view text = take_bytes(kSize);
    text = text.substr(0, text.find('\0'));
    auto digit_at = [&](size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
    if (text.starts_with('+') && digit_at(1)) text.remove_prefix(1);  // from_chars knows no plus
    const size_t point = text.find('.');
    const size_t exponent = text.find_first_of("eE");
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool well_formed = status != std::errc::invalid_argument &&
                             end == text.data() + text.size() && point != std::string_view::npos &&
                             digit_at(point - 1) && digit_at(point + 1);
    if (!well_formed) return fail("a float is not a number");
    if (status == std::errc::result_out_of_range) {
      const bool tiny = exponent != std::string_view::npos && text[exponent + 1] == '-';
      if (!tiny) return fail("a float is not finite");
      value = 0;
    }
    *slot = arena_.real(value);
    return true;
  }

  // ---- Bits and funs

  bool read_binary(Term* slot) {
    std::string_view data;
    if (!take_counted(4, "a binary", &data)) return false;
    *slot = arena_.binary(data);
    return true;
  }

  bool read_bit_binary(Term* slot) {
    if (!need(5, "a bitstring")) return false;
    const uint64_t bytes = take(4);
    const uint64_t last_bits = take(1);
    if (!need(bytes, "a bitstring")) return false;
    const bool valid = bytes == 0 ? last_bits == 0 : last_bits >= 1 && last_bits <= 8;
    if (!valid) return fail("a bitstring of {} bytes uses {} bits of the last", bytes, last_bits);
    const uint64_t bits = bytes == 0 ? 0 : (bytes - 1) * 8 + last_bits;
    *slot = arena_.bitstring(take_bytes(bytes).data(), bits);
    return true;
  }

  bool read_export(Term* slot) {
    Atom module;
    Atom function;
    int32_t arity = 0;
    if (!read_inner_atom("a fun", &module) || !read_inner_atom("a fun", &function) ||
        !read_inner_integer("a fun", &arity)) {
      return false;
    }
    if (arity < 0 || arity > 255) return fail("a fun has arity {}", arity);
    *slot = arena_.external_fun(module, function, static_cast<uint8_t>(arity));
    return true;
  }

  // ---- Opaque terms

  bool keep_opaque(OpaqueKind kind, std::string_view text, Term* slot) {
    *slot = arena_.opaque(kind, text, bytes_.substr(start_, at_ - start_));
    return true;
  }

  bool read_pid(int creation_size, Term* slot) {
    Atom node;
    if (!read_inner_atom("a pid", &node) || !need(8 + creation_size, "a pid")) return false;
    const uint64_t id = take(4);
    const uint64_t serial = take(4);
    at_ += creation_size;
    return keep_opaque(OpaqueKind::Pid, fmt::format("<0.{}.{}>", id, serial), slot);
  }

  bool read_port(int id_size, int creation_size, Term* slot) {
    Atom node;
    if (!read_inner_atom("a port", &node)) return false;
    if (!need(id_size + creation_size, "a port")) return false;
    const uint64_t id = take(id_size);
    at_ += creation_size;
    return keep_opaque(OpaqueKind::Port, fmt::format("#Port<0.{}>", id), slot);
  }

  bool read_old_reference(Term* slot) {
    Atom node;
    if (!read_inner_atom("a reference", &node) || !need(5, "a reference")) return false;
    const uint64_t id = take(4);
    at_ += 1;
    return keep_opaque(OpaqueKind::Reference, fmt::format("#Ref<0.0.0.{}>", id), slot);
  }

  bool read_reference(int creation_size, Term* slot) {
    constexpr uint64_t kMaxWords = 5;
    constexpr uint64_t kShownWords = 3;
    if (!need(2, "a reference")) return false;
    const uint64_t count = take(2);
    if (count == 0 || count > kMaxWords) return fail("a reference has {} words", count);
    Atom node;
    if (!read_inner_atom("a reference", &node)) return false;
    if (!need(creation_size + 4 * count, "a reference")) return false;
    at_ += creation_size;
    std::array<uint64_t, kMaxWords> words{};  // the last one is shown first
    for (uint64_t i = 0; i < count; ++i) words[i] = take(4);
    std::string text = "#Ref<0";
    for (uint64_t i = std::max(count, kShownWords); i-- > 0;) text += fmt::format(".{}", words[i]);
    text += '>';
    return keep_opaque(OpaqueKind::Reference, text, slot);
  }

  // The fun's creator and free variables are passed over unread.
  bool read_fun(Term* slot) {
    constexpr uint64_t kFixedPart = 4 + 1 + 16 + 4 + 4;  // size, arity, digest, index, free
    const size_t begin = at_;
    if (!need(kFixedPart, "a fun")) return false;
    const uint64_t size = take(4);
    if (size < kFixedPart || size > bytes_.size() - begin) {
      return fail("a fun is said to have {} bytes, but {} follow", size, bytes_.size() - begin);
    }
    at_ = begin + kFixedPart;
    Atom module;
    int32_t index = 0;
    int32_t unique = 0;
    if (!read_inner_atom("a fun", &module) || !read_inner_integer("a fun", &index) ||
        !read_inner_integer("a fun", &unique)) {
      return false;
    }
    if (at_ > begin + size) return fail("a fun has {} bytes and not {}", at_ - begin, size);
    at_ = begin + size;
    std::string text = "#Fun<";
    append_atom_in_fun(text, module);
    text += fmt::format(".{}.{}>", index, unique);
    return keep_opaque(OpaqueKind::LocalFun, text, slot);
  }

  // ---- Any term

  bool read_term(Term* slot) {
    if (!need(1, "a term")) return false;
    const auto tag = static_cast<Tag>(take(1));
    switch (tag) {
      case kSmallInteger:
        if (!need(1, "an integer")) return false;
        *slot = static_cast<uint8_t>(take(1));
        return true;
      case kInteger:
        if (!need(4, "an integer")) return false;
        *slot = static_cast<int32_t>(take(4));
        return true;
      case kAtom:
      case kSmallAtom:
      case kAtomUtf8:
      case kSmallAtomUtf8:
        return read_atom_term(tag, slot);
      case kNil:
        return true;  // slots are [] already
      case kSmallTuple:
        return read_tuple(1, slot);
      case kLargeTuple:
        return read_tuple(4, slot);
      case kString:
        return read_string(slot);
      case kList:
        return read_list(slot);
      case kMap:
        return read_map(slot);
      case kSmallBig:
        return read_big(1, slot);
      case kLargeBig:
        return read_big(4, slot);
      case kNewFloat:
        return read_new_float(slot);
      case kFloat:
        return read_text_float(slot);
      case kBinary:
        return read_binary(slot);
      case kBitBinary:
        return read_bit_binary(slot);
      default:
        return read_rare_term(tag, slot);
    }
  }

  bool read_rare_term(Tag tag, Term* slot) {
    switch (tag) {
      case kExport:
        return read_export(slot);
      case kNewFun:
        return read_fun(slot);
      case kPid:
        return read_pid(1, slot);
      case kNewPid:
        return read_pid(4, slot);
      case kPort:
        return read_port(4, 1, slot);
      case kNewPort:
        return read_port(4, 4, slot);
      case kV4Port:
        return read_port(8, 4, slot);
      case kReference:
        return read_old_reference(slot);
      case kNewReference:
        return read_reference(1, slot);
      case kNewerReference:
        return read_reference(4, slot);
      case kLocal:
        return fail("a term is in the local format of the node that wrote it");
      default:
        return fail("unknown tag {}", static_cast<int>(tag));
    }
  }

  std::string_view bytes_;
  size_t at_;
  size_t start_ = 0;  // of the term being read, for errors
  uint64_t owed_ = 0;
  TermArena& arena_;
  std::vector<Range> stack_;
  std::string error_;
};

Result<Term> decode_from(std::string_view bytes, size_t at, TermArena& arena, size_t* used) {
  Decoder decoder(bytes, at, arena);
  Term result;
  if (!decoder.run(&result)) return decoder.error();
  if (used != nullptr) *used = decoder.position();
  return result;
}

bool is_compressed(std::string_view bytes) { return bytes.size() > 1 && bytes[1] == kCompressed; }

Result<void> check_version(std::string_view bytes) {
  if (bytes.empty()) return Error{"byte 0: the data is empty"};
  if (static_cast<uint8_t>(bytes[0]) != kVersion) {
    return Error{fmt::format("byte 0: an external term begins with 131, not with {}",
                             static_cast<uint8_t>(bytes[0]))};
  }
  return {};
}

// Of a compressed term; `used` counts from its version on.
Result<Inflated> inflate_term(std::string_view bytes) {
  constexpr size_t kHeader = 6;  // version, tag, size
  if (bytes.size() < kHeader) return Error{"byte 2: the data ends inside the size"};
  size_t declared = 0;
  for (size_t i = 2; i < kHeader; ++i) declared = declared << 8 | static_cast<uint8_t>(bytes[i]);
  if (declared > kMaxInflated) {
    return Error{fmt::format("byte 2: {} inflated bytes are more than Fathom reads", declared)};
  }
  Result<Inflated> inflated = inflate(bytes.substr(kHeader), Wrapping::Zlib, declared);
  if (!inflated) return Error{fmt::format("byte {}: {}", kHeader, inflated.error().message)};
  if (inflated->bytes.size() != declared) {
    return Error{fmt::format("byte 2: the data is said to inflate to {} bytes, but there are {}",
                             declared, inflated->bytes.size())};
  }
  inflated->used += kHeader;
  return inflated;
}

}  // namespace

Result<Term> decode(std::string_view bytes, TermArena& arena, size_t* used) {
  if (auto version = check_version(bytes); !version) return version.error();
  if (!is_compressed(bytes)) return decode_from(bytes, 1, arena, used);
  const Result<Inflated> inflated = inflate_term(bytes);
  if (!inflated) return inflated.error();
  Result<Term> result = decode_from(inflated->bytes, 0, arena, nullptr);
  if (!result) return Error{"in the inflated data, " + result.error().message};
  if (used != nullptr) *used = inflated->used;
  return result;
}

Result<std::string> plain_bytes(std::string_view bytes) {
  if (auto version = check_version(bytes); !version) return version.error();
  if (!is_compressed(bytes)) return std::string(bytes.substr(1));
  Result<Inflated> inflated = inflate_term(bytes);
  if (!inflated) return inflated.error();
  return std::move(inflated->bytes);
}

Result<Term> decode_at(std::string_view plain, size_t at, TermArena& arena, size_t* used) {
  return decode_from(plain, at, arena, used);
}

Result<Inflated> inflate(std::string_view compressed, Wrapping wrapping, size_t limit) {
  constexpr int kGzipOnly = 16;  // added to the window bits
  z_stream stream{};
  const int window = MAX_WBITS + (wrapping == Wrapping::Gzip ? kGzipOnly : 0);
  if (inflateInit2(&stream, window) != Z_OK) return Error{"zlib does not start"};
  std::string out;
  size_t made = 0;
  size_t fed = 0;
  int status = Z_OK;
  while (status == Z_OK) {
    // One byte of room beyond the limit, to see that there is more. zlib's own
    // counters are 32 bits wide: what it gets at once must fit those.
    if (made == out.size()) {
      constexpr size_t kUsualRatio = 8;  // of debug information
      const size_t wanted = std::max<size_t>({made * 2, compressed.size() * kUsualRatio, 4096});
      out.resize(std::min(wanted, limit + 1));
    }
    constexpr size_t kAtOnce = size_t{1} << 30;
    const size_t in = std::min(compressed.size() - fed, kAtOnce);
    const size_t room = std::min(out.size() - made, kAtOnce);
    stream.next_in = reinterpret_cast<const Bytef*>(compressed.data() + fed);
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + made);
    stream.avail_out = static_cast<uInt>(room);
    status = ::inflate(&stream, Z_NO_FLUSH);
    fed += in - stream.avail_in;
    made += room - stream.avail_out;
    if (made > limit) break;
  }
  inflateEnd(&stream);
  if (made > limit) return Error{fmt::format("the data inflates to more than {} bytes", limit)};
  if (status == Z_BUF_ERROR) return Error{"the compressed data ends too early"};
  if (status != Z_STREAM_END) return Error{"the compressed data is damaged"};
  out.resize(made);
  return Inflated{std::move(out), fed};
}

// ---- Writing ----------------------------------------------------------------

namespace {

class Encoder {
 public:
  explicit Encoder(std::string& out) : out_(out) {}

  // Null, or what there is no room for.
  const char* run(Term term) {
    put(kVersion, 1);
    begin(term);
    while (!stack_.empty() && problem_ == nullptr) {
      std::visit([this](auto& place) { go_on(place); }, stack_.back());
    }
    return problem_;
  }

 private:
  struct TuplePlace {
    std::span<const Term> left;
  };
  struct ListPlace {
    ListView::Iterator at;
  };
  struct MapPlace {
    MapView map;
    size_t step = 0;  // two for each pair
  };

  // Each of these removes its frame before it writes the frame's last term, so
  // that a long chain needs no stack.

  void go_on(TuplePlace& place) {
    const Term term = place.left.front();
    place.left = place.left.subspan(1);
    if (place.left.empty()) stack_.pop_back();
    begin(term);
  }

  void go_on(ListPlace& place) {
    if (place.at != std::default_sentinel) {
      const Term term = *place.at++;
      begin(term);
      return;
    }
    const Term tail = place.at.rest();
    stack_.pop_back();
    begin(tail);
  }

  void go_on(MapPlace& place) {
    const MapView map = place.map;
    const size_t step = place.step++;
    if (step + 1 == 2 * map.size()) stack_.pop_back();
    begin(step % 2 == 0 ? map.key(step / 2) : map.value(step / 2));
  }

  void put(uint64_t value, int size) {
    for (int shift = (size - 1) * 8; shift >= 0; shift -= 8) {
      out_ += static_cast<char>(value >> shift);
    }
  }

  void put_count(uint64_t count, const char* problem) {
    if (count > std::numeric_limits<uint32_t>::max()) problem_ = problem;
    put(count, 4);
  }

  // Writes a term, or as much of it as stands before its first element.
  void begin(Term term) {
    switch (term.kind()) {
      case TermKind::Nil:
        return put(kNil, 1);
      case TermKind::Integer:
        return put_small(term.small());
      case TermKind::BigInteger:
        return put_big(term.big_is_negative(), std::as_bytes(term.big_limbs()));
      case TermKind::Float:
        put(kNewFloat, 1);
        return put(std::bit_cast<uint64_t>(term.to_float()), 8);
      case TermKind::Atom:
        return put_atom(term.atom());
      case TermKind::List:
        return begin_list(term.list());
      case TermKind::Tuple:
        return begin_tuple(term.tuple());
      case TermKind::Map:
        put(kMap, 1);
        put(term.map().size(), 4);
        if (term.map().size() > 0) stack_.push_back(MapPlace{term.map()});
        return;
      case TermKind::Bitstring:
        return put_bits(term.bits());
      case TermKind::ExternalFun:
        return put_fun(term.external_fun());
      case TermKind::Opaque:
        out_ += term.opaque().external;
        return;
    }
  }

  void put_atom(Atom atom) {
    const std::string_view text = atom.text();
    if (text.size() > std::numeric_limits<uint16_t>::max()) problem_ = "an atom is too long";
    const bool small = text.size() <= std::numeric_limits<uint8_t>::max();
    put(small ? kSmallAtomUtf8 : kAtomUtf8, 1);
    put(text.size(), small ? 1 : 2);
    out_ += text;
  }

  void put_small(int64_t value) {
    if (value >= 0 && value <= 255) {
      put(kSmallInteger, 1);
      put(static_cast<uint64_t>(value), 1);
    } else if (value == static_cast<int32_t>(value)) {
      put(kInteger, 1);
      put(static_cast<uint64_t>(value), 4);
    } else {
      const uint64_t magnitude = static_cast<uint64_t>(value < 0 ? -value : value);
      put_big(value < 0, std::as_bytes(std::span(&magnitude, 1)));
    }
  }

  void put_big(bool negative, std::span<const std::byte> magnitude) {
    while (magnitude.back() == std::byte{0}) magnitude = magnitude.first(magnitude.size() - 1);
    if (magnitude.size() <= std::numeric_limits<uint8_t>::max()) {
      put(kSmallBig, 1);
      put(magnitude.size(), 1);
    } else {
      put(kLargeBig, 1);
      put_count(magnitude.size(), "an integer is too large");
    }
    put(negative ? 1 : 0, 1);
    out_.append(reinterpret_cast<const char*>(magnitude.data()), magnitude.size());
  }

  void put_bits(BitsView bits) {
    const std::span<const uint8_t> bytes = bits.bytes();
    put(bits.is_binary() ? kBinary : kBitBinary, 1);
    put_count(bytes.size(), "a bitstring is too long");
    if (!bits.is_binary()) put(bits.bit_count % 8, 1);
    out_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }

  void put_fun(ExternalFun fun) {
    put(kExport, 1);
    put_atom(fun.module);
    put_atom(fun.function);
    put_small(fun.arity);
  }

  void begin_tuple(std::span<const Term> items) {
    if (items.size() <= std::numeric_limits<uint8_t>::max()) {
      put(kSmallTuple, 1);
      put(items.size(), 1);
    } else {
      put(kLargeTuple, 1);
      put_count(items.size(), "a tuple is too large");
    }
    if (!items.empty()) stack_.push_back(TuplePlace{items});
  }

  void begin_list(ListView list) {
    if (put_as_string(list)) return;
    put(kList, 1);
    put_count(list.size(), "a list is too long");
    stack_.push_back(ListPlace{list.begin()});
  }

  // A list of bytes, if it is proper and its length has two bytes.
  bool put_as_string(ListView list) {
    constexpr size_t kMaxLength = std::numeric_limits<uint16_t>::max();
    size_t length = 0;
    auto it = list.begin();
    for (; it != std::default_sentinel; ++it, ++length) {
      const bool is_byte = it->is_small() && it->small() >= 0 && it->small() <= 255;
      if (!is_byte || length == kMaxLength) return false;
    }
    if (!it.rest().is_nil()) return false;
    put(kString, 1);
    put(length, 2);
    for (const Term byte : list) out_ += static_cast<char>(byte.small());
    return true;
  }

  std::string& out_;
  std::vector<std::variant<TuplePlace, ListPlace, MapPlace>> stack_;
  const char* problem_ = nullptr;
};

}  // namespace

Result<void> encode(Term term, std::string& out) {
  const size_t before = out.size();
  if (const char* problem = Encoder(out).run(term)) {
    out.resize(before);
    return Error{std::string(problem) + " for the external term format"};
  }
  return {};
}

}  // namespace fathom::etf
