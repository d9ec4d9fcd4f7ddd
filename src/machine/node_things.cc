#include "machine/node_things.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/utf8.h"

namespace fathom::machine {
namespace {

// How a local number is spread: a pid's over 28 bits of number and then serial, a
// reference's over 18, 32 and the other bits, as in OTP.
constexpr unsigned kPidBits = 28;
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
    const bool wide = tag == 100 || tag == 118;
    const bool latin1 = tag == 100 || tag == 115;
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

template <class T>
int three_way(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

}  // namespace

Atom local_node() {
  static const Atom kNode = Atom::intern("nonode@nohost");
  return kNode;
}

NodeThing node_thing(Value value) {
  if (value.is_box(BoxKind::Foreign)) {
    const uint64_t* words = value.words();
    return parse_node_thing(static_cast<OpaqueKind>(value.header().size()),
                            {reinterpret_cast<const char*>(words + 2), words[1]});
  }
  NodeThing thing{OpaqueKind::Reference, local_node()};
  if (value.is_local_pid()) {
    const uint64_t number = value.local_number();
    thing.kind = OpaqueKind::Pid;
    thing.numbers = {low_bits(number, kPidBits), static_cast<uint32_t>(number >> kPidBits)};
    thing.count = 2;
  } else if (value.is_local_port()) {
    const uint64_t number = value.local_number();
    thing.kind = OpaqueKind::Port;
    thing.numbers = {static_cast<uint32_t>(number), static_cast<uint32_t>(number >> 32)};
    thing.count = 2;
  } else {
    const uint64_t number = value.reference_number();
    thing.numbers = {low_bits(number, kReferenceBits),
                     static_cast<uint32_t>(number >> kReferenceBits),
                     static_cast<uint32_t>(number >> kReferenceBits >> 32)};
    thing.count = 3;
  }
  return thing;
}

NodeThing parse_node_thing(OpaqueKind kind, std::string_view external) {
  NodeThing thing{kind, {}};
  Reader in(external);
  const uint64_t tag = in.take(1);
  const bool old = tag >= 101 && tag <= 103;  // creation of one byte
  if (kind == OpaqueKind::Reference && tag != 101) {
    thing.count = std::min<size_t>(in.take(2), thing.numbers.size());
    thing.node = in.take_atom();
    thing.creation = static_cast<uint32_t>(in.take(tag == 114 ? 1 : 4));
    for (size_t i = 0; i < thing.count; ++i) {
      thing.numbers[i] = static_cast<uint32_t>(in.take(4));
    }
  } else {
    thing.node = in.take_atom();
    if (tag == 120) thing.numbers[1] = static_cast<uint32_t>(in.take(4));
    thing.numbers[0] = static_cast<uint32_t>(in.take(4));
    if (kind == OpaqueKind::Pid) thing.numbers[1] = static_cast<uint32_t>(in.take(4));
    thing.count = kind == OpaqueKind::Reference ? 1 : 2;
    thing.creation = static_cast<uint32_t>(in.take(old ? 1 : 4));
  }
  if (in.failed()) thing.count = 0;
  return thing;
}

std::optional<uint64_t> local_number(const NodeThing& thing) {
  if (thing.node != local_node() || thing.creation != 0 || thing.count == 0) return std::nullopt;
  const auto& n = thing.numbers;
  switch (thing.kind) {
    case OpaqueKind::Pid:
      if (n[0] >> kPidBits != 0) return std::nullopt;
      return uint64_t{n[1]} << kPidBits | n[0];
    case OpaqueKind::Port:
      return uint64_t{n[1]} << 32 | n[0];
    case OpaqueKind::Reference:
      if (thing.count > 3 || n[0] >> kReferenceBits != 0) return std::nullopt;
      if (n[2] >> (32 - kReferenceBits) != 0) return std::nullopt;
      return uint64_t{n[2]} << (32 + kReferenceBits) | uint64_t{n[1]} << kReferenceBits | n[0];
    case OpaqueKind::LocalFun:
      break;
  }
  return std::nullopt;
}

void append_external(std::string& out, const NodeThing& thing) {
  auto put_node = [&] {
    const std::string_view node = thing.node.text();
    put(out, node.size() > 255 ? 118 : 119, 1);
    put(out, node.size(), node.size() > 255 ? 2 : 1);
    out += node;
  };
  switch (thing.kind) {
    case OpaqueKind::Pid:
      put(out, 88, 1);
      put_node();
      put(out, thing.numbers[0], 4);
      put(out, thing.numbers[1], 4);
      return put(out, thing.creation, 4);
    case OpaqueKind::Port: {
      const bool large = thing.numbers[1] != 0 || thing.numbers[0] >> 28 != 0;
      put(out, large ? 120 : 89, 1);
      put_node();
      if (large) put(out, thing.numbers[1], 4);
      put(out, thing.numbers[0], 4);
      return put(out, thing.creation, 4);
    }
    case OpaqueKind::Reference:
      put(out, 90, 1);
      put(out, thing.count, 2);
      put_node();
      put(out, thing.creation, 4);
      for (size_t i = 0; i < thing.count; ++i) put(out, thing.numbers[i], 4);
      return;
    case OpaqueKind::LocalFun:
      return;
  }
}

std::string print_node_thing(const NodeThing& thing) {
  const auto& n = thing.numbers;
  switch (thing.kind) {
    case OpaqueKind::Pid:
      return fmt::format("<0.{}.{}>", n[0], n[1]);
    case OpaqueKind::Port:
      return fmt::format("#Port<0.{}>", uint64_t{n[1]} << 32 | n[0]);
    case OpaqueKind::Reference: {
      std::string text = "#Ref<0";
      for (size_t i = std::max<size_t>(thing.count, 3); i-- > 0;) {
        text += fmt::format(".{}", n[i]);
      }
      return text + '>';
    }
    case OpaqueKind::LocalFun:
      break;
  }
  return {};
}

int compare_node_things(const NodeThing& a, const NodeThing& b) {
  int by_node = a.node == b.node ? 0 : a.node.text().compare(b.node.text());
  if (by_node == 0) by_node = three_way(a.creation, b.creation);
  // A reference's node comes first, a pid's or a port's last.
  if (a.kind == OpaqueKind::Reference && by_node != 0) return by_node;
  for (size_t i = a.numbers.size(); i-- > 0;) {
    if (a.numbers[i] != b.numbers[i]) return three_way(a.numbers[i], b.numbers[i]);
  }
  return by_node;
}

}  // namespace fathom::machine
