// decode_packet/3, of the packet types that need no parser of their own.
#include "machine/arithmetic.h"
#include "machine/bifs/arguments.h"
#include "machine/bifs/families.h"
#include "machine/bifs/options.h"

namespace fathom::machine {
namespace {

Value atom(std::string_view text) { return Value(Atom::intern(text)); }

struct PacketOptions {
  uint64_t packet_size = 0;  // 0: any
  uint64_t line_length = 0;
  char delimiter = '\n';
};

std::optional<PacketOptions> packet_options(Value list, bool is_line) {
  PacketOptions options;
  for (; list.is_cons(); list = list.tail()) {
    const Value option = list.head();
    if (!option.is_tuple(2)) return std::nullopt;
    const auto value = small_in(option.element(1), 0, UINT32_MAX);
    if (!value) return std::nullopt;
    const auto number = static_cast<uint64_t>(*value);
    if (option.element(0) == atom("packet_size")) {
      options.packet_size = number;
    } else if (option.element(0) == atom("line_length")) {
      options.line_length = number;
    } else if (option.element(0) == atom("line_delimiter") && is_line && number <= 255) {
      options.delimiter = static_cast<char>(number);
    } else {
      return std::nullopt;
    }
  }
  if (!list.is_nil()) return std::nullopt;
  return options;
}

Value more(Context& c, Value size) { return c.heap.tuple({atom("more"), size}); }
Value invalid(Context& c) { return c.heap.tuple({Value(atoms::error), atom("invalid")}); }

// A packet of `size` bytes behind a header.
Value packet(Context& c, Value binary, uint64_t header, uint64_t size) {
  const Value body = c.heap.sub_bits(binary, header * 8, size * 8);
  const uint64_t end = (header + size) * 8;
  const Value rest = c.heap.sub_bits(binary, end, binary.bit_size() - end);
  return c.heap.tuple({Value(atoms::ok), body, rest});
}

Value counted_packet(Context& c, Value binary, uint64_t header, const PacketOptions& options) {
  const BytesOf bytes(binary);
  if (bytes.text().size() < header) return more(c, Value(atoms::undefined));
  uint64_t size = 0;
  for (const char byte : bytes.text().substr(0, header)) {
    size = size << 8 | static_cast<uint8_t>(byte);
  }
  if (options.packet_size != 0 && size > options.packet_size) return invalid(c);
  if (header + size > INT32_MAX) return invalid(c);  // OTP counts with 32 bits
  if (bytes.text().size() - header < size) {
    return more(c, Value::small(static_cast<int64_t>(header + size)));
  }
  return packet(c, binary, header, size);
}

// A line that is too long is cut.
Value line_packet(Context& c, Value binary, const PacketOptions& options) {
  const BytesOf bytes(binary);
  const size_t at = bytes.text().find(options.delimiter);
  const bool found = at != std::string_view::npos;
  const uint64_t size = found ? at + 1 : bytes.text().size();
  if (options.packet_size != 0 && size > options.packet_size) return invalid(c);
  if (options.line_length != 0 &&
      (found ? size > options.line_length : size >= options.line_length)) {
    return packet(c, binary, 0, options.line_length);
  }
  return found ? packet(c, binary, 0, size) : more(c, Value(atoms::undefined));
}

Value decode_packet_3(Context& c, const Value* a) {
  const bool is_line = a[0] == atom("line");
  const auto options = packet_options(a[2], is_line);
  if (!a[1].is_bitstring() || !options) return c.badarg();
  if (a[0] == atom("raw") || a[0] == Value::small(0)) {
    const uint64_t size = a[1].bit_size() / 8;
    return size == 0 ? more(c, Value(atoms::undefined)) : packet(c, a[1], 0, size);
  }
  for (const int64_t header : {1, 2, 4}) {
    if (a[0] == Value::small(header)) {
      return counted_packet(c, a[1], static_cast<uint64_t>(header), *options);
    }
  }
  if (is_line) return line_packet(c, a[1], *options);
  for (const std::string_view type : {"asn1", "cdr", "sunrm", "fcgi", "tpkt", "http", "httph",
                                      "http_bin", "httph_bin", "ssl_tls"}) {
    if (a[0] == atom(type)) {
      return c.unsupported("erlang:decode_packet/3: " + std::string(type) + " is not modelled");
    }
  }
  return bad_option(c, "decode_packet", {a, 3});
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "decode_packet", 3, decode_packet_3},
};

}  // namespace

std::span<const NativeEntry> packet_natives() { return kEntries; }

}  // namespace fathom::machine
