#include "values/identifiers.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/etf_tags.h"
#include "base/utf8.h"
#include "values/compare.h"

namespace fathom::machine {
namespace {

// How a local number is spread: a pid's over 15 bits of number and then serial, a
// reference's over 18, 32 and the other bits, as in OTP.
constexpr unsigned kPidBits = 15;
constexpr unsigned kReferenceBits = 18;

constexpr uint32_t low_bits(uint64_t number, unsigned count) {
  return static_cast<uint32_t>(number & ((uint64_t{1} << count) - 1));
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  uint64_t take(size_t size) {
    if (bytes_.size() < size) {
      failed_ = true;
      return 0;
    }
    uint64_t number = 0;
    for (size_t i = 0; i < size; ++i) number = number << 8 | static_cast<uint8_t>(bytes_[i]);
    bytes_.remove_prefix(size);
    return number;
  }

  Atom take_atom() {
    const uint64_t tag = take(1);
    const bool wide = tag == etf::kAtom || tag == etf::kAtomUtf8;
    const bool latin1 = tag == etf::kAtom || tag == etf::kSmallAtom;
    const size_t size = take(wide ? 2 : 1);
    if (size > bytes_.size()) failed_ = true;
    if (failed_) return {};
    const std::string_view text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return Atom::intern(latin1 ? latin1_to_utf8(text) : std::string(text));
  }

  bool failed() const { return failed_; }

 private:
  std::string_view bytes_;
  bool failed_ = false;
};

void put(std::string& out, uint64_t value, unsigned size) {
  for (unsigned i = size; i-- > 0;) out += static_cast<char>(value >> (8 * i));
}

}  // namespace

Atom local_node() {
  static const Atom kNode = Atom::intern("nonode@nohost");
  return kNode;
}

Value local_name(Value destination) {
  const bool is_pair = destination.is_tuple(2) && destination.element(0).is_atom();
  return is_pair && destination.element(1).is_atom(local_node()) ? destination.element(0)
                                                                 : destination;
}

Identifier identifier_of(Value value) {
  if (value.is_box(BoxKind::Foreign)) {
    const uint64_t* words = value.words();
    return parse_identifier(static_cast<OpaqueKind>(value.header().size()),
                            {reinterpret_cast<const char*>(words + 2), words[1]});
  }
  Identifier identifier{OpaqueKind::Reference, local_node()};
  if (value.is_local_pid()) {
    const uint64_t number = value.local_number();
    identifier.kind = OpaqueKind::Pid;
    identifier.numbers = {low_bits(number, kPidBits), static_cast<uint32_t>(number >> kPidBits)};
    identifier.count = 2;
  } else if (value.is_local_port()) {
    const uint64_t number = value.local_number();
    identifier.kind = OpaqueKind::Port;
    identifier.numbers = {static_cast<uint32_t>(number), static_cast<uint32_t>(number >> 32)};
    identifier.count = 2;
  } else {
    const uint64_t number = value.reference_number();
    identifier.numbers = {low_bits(number, kReferenceBits),
                          static_cast<uint32_t>(number >> kReferenceBits),
                          static_cast<uint32_t>(number >> kReferenceBits >> 32)};
    identifier.count = 3;
  }
  return identifier;
}

Identifier parse_identifier(OpaqueKind kind, std::string_view external) {
  Identifier identifier{kind, {}};
  Reader in(external);
  const uint64_t tag = in.take(1);
  // Creation has one byte in the old forms.
  const bool old = tag == etf::kReference || tag == etf::kPort || tag == etf::kPid;
  if (kind == OpaqueKind::Reference && tag != etf::kReference) {
    identifier.count = std::min<size_t>(in.take(2), identifier.numbers.size());
    identifier.node = in.take_atom();
    identifier.creation = static_cast<uint32_t>(in.take(tag == etf::kNewReference ? 1 : 4));
    for (size_t i = 0; i < identifier.count; ++i) {
      identifier.numbers[i] = static_cast<uint32_t>(in.take(4));
    }
  } else {
    identifier.node = in.take_atom();
    if (tag == etf::kV4Port) identifier.numbers[1] = static_cast<uint32_t>(in.take(4));
    identifier.numbers[0] = static_cast<uint32_t>(in.take(4));
    if (kind == OpaqueKind::Pid) identifier.numbers[1] = static_cast<uint32_t>(in.take(4));
    identifier.count = kind == OpaqueKind::Reference ? 1 : 2;
    identifier.creation = static_cast<uint32_t>(in.take(old ? 1 : 4));
  }
  if (in.failed()) identifier.count = 0;
  return identifier;
}

std::optional<uint64_t> local_number(const Identifier& identifier) {
  if (identifier.node != local_node() || identifier.creation != 0 || identifier.count == 0)
    return std::nullopt;
  const auto& n = identifier.numbers;
  switch (identifier.kind) {
    case OpaqueKind::Pid:
      if (n[0] >> kPidBits != 0) return std::nullopt;
      return uint64_t{n[1]} << kPidBits | n[0];
    case OpaqueKind::Port:
      return uint64_t{n[1]} << 32 | n[0];
    case OpaqueKind::Reference:
      if (identifier.count > 3 || n[0] >> kReferenceBits != 0) return std::nullopt;
      if (n[2] >> (32 - kReferenceBits) != 0) return std::nullopt;
      return uint64_t{n[2]} << (32 + kReferenceBits) | uint64_t{n[1]} << kReferenceBits | n[0];
    case OpaqueKind::LocalFun:
      break;
  }
  return std::nullopt;
}

namespace {

// Empty if there is a character beyond Latin-1.
std::optional<std::string> to_latin1(std::string_view utf8) {
  std::string latin1;
  const char* end = utf8.data() + utf8.size();
  for (const char* p = utf8.data(); p < end;) {
    const uint32_t c = next_code_point(&p);
    if (c > 0xFF) return std::nullopt;
    latin1 += static_cast<char>(c);
  }
  return latin1;
}

}  // namespace

void append_external(std::string& out, Atom atom, AtomForm form) {
  const std::string_view text = atom.text();
  if (form == AtomForm::Latin1) {
    if (const std::optional<std::string> latin1 = to_latin1(text)) {
      put(out, etf::kAtom, 1);
      put(out, latin1->size(), 2);
      out += *latin1;
      return;
    }
  }
  const bool wide = text.size() > 255;
  put(out, wide ? etf::kAtomUtf8 : etf::kSmallAtomUtf8, 1);
  put(out, text.size(), wide ? 2 : 1);
  out += text;
}

void append_external(std::string& out, const Identifier& identifier, AtomForm form) {
  auto put_node = [&] { append_external(out, identifier.node, form); };
  switch (identifier.kind) {
    case OpaqueKind::Pid:
      put(out, etf::kNewPid, 1);
      put_node();
      put(out, identifier.numbers[0], 4);
      put(out, identifier.numbers[1], 4);
      return put(out, identifier.creation, 4);
    case OpaqueKind::Port: {
      const bool large = identifier.numbers[1] != 0 || identifier.numbers[0] >> 28 != 0;
      put(out, large ? etf::kV4Port : etf::kNewPort, 1);
      put_node();
      if (large) put(out, identifier.numbers[1], 4);
      put(out, identifier.numbers[0], 4);
      return put(out, identifier.creation, 4);
    }
    case OpaqueKind::Reference:
      put(out, etf::kNewerReference, 1);
      put(out, identifier.count, 2);
      put_node();
      put(out, identifier.creation, 4);
      for (size_t i = 0; i < identifier.count; ++i) put(out, identifier.numbers[i], 4);
      return;
    case OpaqueKind::LocalFun:
      return;
  }
}

std::string print_identifier(const Identifier& identifier) {
  const auto& n = identifier.numbers;
  switch (identifier.kind) {
    case OpaqueKind::Pid:
      return fmt::format("<0.{}.{}>", n[0], n[1]);
    case OpaqueKind::Port:
      return fmt::format("#Port<0.{}>", uint64_t{n[1]} << 32 | n[0]);
    case OpaqueKind::Reference: {
      std::string text = "#Ref<0";
      for (size_t i = std::max<size_t>(identifier.count, 3); i-- > 0;) {
        text += fmt::format(".{}", n[i]);
      }
      return text + '>';
    }
    case OpaqueKind::LocalFun:
      break;
  }
  return {};
}

int compare_identifiers(const Identifier& a, const Identifier& b) {
  int by_node = a.node == b.node ? 0 : a.node.text().compare(b.node.text());
  if (by_node == 0) by_node = three_way(a.creation, b.creation);
  // A pid's node comes last.
  if (a.kind != OpaqueKind::Pid && by_node != 0) return by_node;
  for (size_t i = a.numbers.size(); i-- > 0;) {
    if (a.numbers[i] != b.numbers[i]) return three_way(a.numbers[i], b.numbers[i]);
  }
  return by_node;
}

}  // namespace fathom::machine
