#include "values/external.h"

#include <fmt/core.h>
#define ZLIB_CONST  // next_in is only read
#include <zlib.h>

#include <bit>
#include <cstdio>
#include <cstring>
#include <limits>

#include "base/budget.h"
#include "base/etf.h"
#include "base/etf_tags.h"
#include "values/arithmetic.h"
#include "values/bits.h"
#include "values/identifiers.h"
#include "values/maps.h"
#include "values/small_stack.h"

namespace fathom::machine {
namespace {

class Encoder {
 public:
  Encoder(std::string& out, const EncodeOptions& options)
      : out_(out),
        text_floats_(options.minor_version == 0),
        deterministic_(options.deterministic),
        form_(options.minor_version >= 2 ? AtomForm::Utf8 : AtomForm::Latin1) {}

  // Null, or what there is no room for.
  const char* run(Value value) {
    put(etf::kVersion, 1);
    begin(value);
    while (!left_.empty() && problem_ == nullptr) begin(next());
    return problem_;
  }

 private:
  // Values one after another: those of an array, or the heads of a list and then
  // its tail.
  struct Range {
    const Value* array;
    size_t count;
    Value list;
  };

  // A range leaves the stack with its last value, so a long chain needs none.
  Value next() {
    spend();
    constexpr size_t kUsual = 64;  // bytes of a value without its parts
    if (out_.size() + kUsual > out_.capacity()) spend_memory(2 * out_.capacity());
    Range& top = left_.top();
    if (top.array == nullptr) {
      const Value list = top.list;
      if (!list.is_cons()) {
        left_.pop();
        return list;
      }
      top.list = list.tail();
      return list.head();
    }
    const Value value = *top.array++;
    if (--top.count == 0) left_.pop();
    return value;
  }

  void push(std::span<const Value> values) {
    if (!values.empty()) left_.push({values.data(), values.size(), {}});
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

  // Writes a value, or as much of it as stands before its first part.
  void begin(Value value) {
    if (value.is_small()) return put_small(value.small());
    if (value.is_atom()) return append_external(out_, value.atom(), form_);
    if (value.is_nil()) return put(etf::kNil, 1);
    if (value.is_cons()) return begin_list(value);
    if (value.is_tuple()) return begin_tuple(value.elements());
    if (value.is_big()) return put_big(IntegerView(value));
    if (value.is_float()) return put_float(value.real());
    if (value.is_bitstring()) return put_bits(bits_of(value));
    if (value.is_map()) return begin_map(value);
    if (value.is_fun()) return begin_fun(value);
    append_external(out_, identifier_of(value), form_);
  }

  void put_small(int64_t n) {
    if (n >= 0 && n <= 255) {
      put(etf::kSmallInteger, 1);
      put(static_cast<uint64_t>(n), 1);
    } else if (n == static_cast<int32_t>(n)) {
      put(etf::kInteger, 1);
      put(static_cast<uint64_t>(n), 4);
    } else {
      put_big(IntegerView(Value::small(n)));
    }
  }

  void put_big(const IntegerView& number) {
    const size_t size = (number.bits() + 7) / 8;
    if (size <= std::numeric_limits<uint8_t>::max()) {
      put(etf::kSmallBig, 1);
      put(size, 1);
    } else {
      put(etf::kLargeBig, 1);
      put_count(size, "an integer is too large");
    }
    put(number.negative() ? 1 : 0, 1);
    out_.append(reinterpret_cast<const char*>(number.limbs().data()), size);
  }

  void put_float(double value) {
    if (!text_floats_) {
      put(etf::kNewFloat, 1);
      return put(std::bit_cast<uint64_t>(value), 8);
    }
    constexpr size_t kSize = 31;
    char text[kSize + 1] = {};
    std::snprintf(text, sizeof text, "%.20e", value);
    put(etf::kFloat, 1);
    out_.append(text, kSize);
  }

  void put_bits(BitsView bits) {
    const uint64_t bytes = (bits.size + 7) / 8;
    const unsigned rest = bits.size % 8;
    put(rest == 0 ? etf::kBinary : etf::kBitBinary, 1);
    put_count(bytes, "a bitstring is too long");
    if (rest != 0) put(rest, 1);
    const size_t at = out_.size();
    out_.resize(at + bytes);
    copy_bits(bits, reinterpret_cast<uint8_t*>(out_.data() + at), 0);
  }

  void begin_tuple(std::span<const Value> elements) {
    if (elements.size() <= std::numeric_limits<uint8_t>::max()) {
      put(etf::kSmallTuple, 1);
      put(elements.size(), 1);
    } else {
      put(etf::kLargeTuple, 1);
      put_count(elements.size(), "a tuple is too large");
    }
    push(elements);
  }

  void begin_list(Value list) {
    constexpr size_t kMaxString = std::numeric_limits<uint16_t>::max();
    size_t count = 0;
    bool bytes = true;
    Value rest = list;
    for (; rest.is_cons(); rest = rest.tail(), ++count) {
      const Value head = rest.head();
      bytes = bytes && head.is_small() && head.small() >= 0 && head.small() <= 255;
    }
    if (bytes && rest.is_nil() && count <= kMaxString) {
      put(etf::kString, 1);
      put(count, 2);
      for (; list.is_cons(); list = list.tail()) out_ += static_cast<char>(list.head().small());
      return;
    }
    put(etf::kList, 1);
    put_count(count, "a list is too long");
    left_.push({nullptr, 0, list});
  }

  void begin_map(Value map) {
    put(etf::kMap, 1);
    put_count(map_size(map), "a map is too large");
    if (deterministic_) return push(pairs_.emplace_back(sorted_pairs(map)));
    std::vector<Value>& pairs = pairs_.emplace_back();
    pairs.reserve(2 * map_size(map));
    MapPairs walk(map);
    for (Value key, value; walk.next(key, value);) pairs.insert(pairs.end(), {key, value});
    push(pairs);
  }

  void begin_fun(Value fun) {
    if (fun.is_box(BoxKind::ExternalFun)) {
      const Mfa& target = *fun.external();
      put(etf::kExport, 1);
      append_external(out_, target.module, form_);
      append_external(out_, target.name, form_);
      return put_small(target.arity);
    }
    if (fun.is_box(BoxKind::Foreign)) {
      out_.append(reinterpret_cast<const char*>(fun.words() + 2), fun.words()[1]);
      return;
    }
    put_local_fun(fun);
  }

  // Its size comes first, so its captured values are written by an encoder of its
  // own. Funs captured by funs are nested as deep as somebody has written them,
  // or grown by a loop: beyond kMaxFuns they are refused.
  void put_local_fun(Value fun) {
    constexpr int kMaxFuns = 1000;
    constexpr size_t kDigest = 16;
    const LocalFunction& code = *fun.fun_code();
    if (depth_ >= kMaxFuns) {
      problem_ = "funs are nested too deep";
      return;
    }
    std::string body;
    Encoder inner(body, {text_floats_ ? 0 : 1, 0, deterministic_});
    inner.form_ = form_;
    inner.depth_ = depth_ + 1;
    inner.put(code.arity - code.captures, 1);
    const uint32_t number = fun_number(code);
    for (size_t i = 0; i < kDigest; ++i) body += static_cast<char>(number >> (8 * (i % 4)));
    inner.put(code.index, 4);
    inner.put(fun.captures().size(), 4);
    append_external(body, code.module, form_);
    inner.put_small(code.index);
    inner.put_small(number);
    append_external(body, identifier_of(fun.fun_creator()), form_);
    inner.push(fun.captures());
    while (!inner.left_.empty() && inner.problem_ == nullptr) inner.begin(inner.next());
    problem_ = inner.problem_;
    put(etf::kNewFun, 1);
    put_count(body.size() + 4, "a fun is too large");
    out_ += body;
  }

  std::string& out_;
  bool text_floats_;
  bool deterministic_;
  AtomForm form_;
  int depth_ = 0;  // of funs
  SmallStack<Range, 16> left_;
  std::vector<std::vector<Value>> pairs_;  // of maps, which ranges point into; the inner ones stay
  const char* problem_ = nullptr;
};

// {compressed, Level}: the version, a tag, the size, and what zlib makes of the
// rest. False if that is not smaller.
bool compress(std::string_view plain, int level, std::string& out) {
  constexpr size_t kHeader = 6;
  std::string_view term = plain.substr(1);
  if (plain.size() <= kHeader || term.size() > std::numeric_limits<uint32_t>::max()) return false;
  std::string result(plain.size(), '\0');
  auto room = static_cast<uLongf>(plain.size() - kHeader);
  const int status = compress2(reinterpret_cast<Bytef*>(result.data() + kHeader), &room,
                               reinterpret_cast<const Bytef*>(term.data()), term.size(), level);
  if (status != Z_OK) return false;
  result.resize(kHeader + room);
  result[0] = static_cast<char>(etf::kVersion);
  result[1] = static_cast<char>(etf::kCompressed);
  for (int i = 0; i < 4; ++i) result[2 + i] = static_cast<char>(term.size() >> (24 - 8 * i));
  out += result;
  return true;
}

}  // namespace

Result<void> encode_value(Value value, std::string& out, const EncodeOptions& options) {
  if (options.compression > 0) {
    std::string plain;
    Result<void> encoded =
        encode_value(value, plain, {options.minor_version, 0, options.deterministic});
    if (encoded && !compress(plain, options.compression, out)) out += plain;
    return encoded;
  }
  const size_t before = out.size();
  if (const char* problem = Encoder(out, options).run(value)) {
    out.resize(before);
    return Error{std::string(problem) + " for the external term format"};
  }
  return {};
}

size_t external_size(Value value, const EncodeOptions& options) {
  std::string out;
  const Result<void> encoded = encode_value(value, out, {options.minor_version, 0});
  return encoded ? out.size() : 0;
}

Result<Value> decode_value(std::string_view bytes, Heap& heap, const ExportLookup& exports,
                           size_t* used, bool safe, const FunLookup& funs) {
  TermArena arena;
  const uint32_t atoms_before = atom_count();
  const Result<Term> term = etf::decode(bytes, arena, used);
  if (!term) return term.error();
  if (safe && atom_count() != atoms_before)
    return Error{"the term has an atom that does not exist"};
  return to_value(*term, heap, exports, funs);
}

}  // namespace fathom::machine
