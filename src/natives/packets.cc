// decode_packet/3. Lines of HTTP have a parser of their own, packets_http.cc.
#include "natives/packets.h"

#include <algorithm>

#include "natives/families.h"
#include "natives/options.h"
#include "values/arithmetic.h"
#include "values/lists.h"

namespace fathom::machine {

Value more_needed(Context& c, Value size) { return c.heap.tuple({atom("more"), size}); }
Value invalid_packet(Context& c) { return c.heap.tuple({Value(atoms::error), atom("invalid")}); }

Value packet_and_rest(Context& c, Value packet, Value binary, uint64_t size) {
  const Value rest = c.heap.sub_bits(binary, size * 8, binary.bit_size() - size * 8);
  return c.heap.tuple({Value(atoms::ok), packet, rest});
}

}  // namespace fathom::machine

namespace fathom::machine::packet_natives {
namespace {

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

// A packet of `size` bytes after a header and before a padding.
Value packet(Context& c, Value binary, uint64_t header, uint64_t size, uint64_t padding = 0) {
  const Value body = c.heap.sub_bits(binary, header * 8, size * 8);
  return packet_and_rest(c, body, binary, header + size + padding);
}

// How long the header and what is after it are; the header as far as it tells, or
// nothing if more of it is needed.
struct Sizes {
  uint64_t header = 0;
  uint64_t body = 0;
  bool is_valid = true;
  uint64_t padding = 0;  // at the end of the body, and not shown
};

uint64_t big_endian(std::string_view bytes) {
  uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<uint8_t>(byte);
  return number;
}

std::optional<Sizes> fixed_header(std::string_view bytes, uint64_t header, auto&& sizes) {
  if (bytes.size() < header) return std::nullopt;
  return sizes(bytes);
}

// A tag, of one byte or several, and a length in short or long form.
std::optional<Sizes> asn1_sizes(std::string_view bytes) {
  constexpr uint8_t kLongTag = 0x1F;
  constexpr uint8_t kMore = 0x80;
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  if (bytes.size() < 2) return std::nullopt;
  size_t at = 1;
  if ((byte(0) & kLongTag) == kLongTag) {
    while (at < bytes.size() && (byte(at) & kMore) != 0) ++at;
    if (bytes.size() - at < 2) return std::nullopt;
    ++at;
  }
  const uint64_t length = byte(at) & ~kMore & 0xFF;
  const bool is_long = (byte(at++) & kMore) != 0;
  if (!is_long) return Sizes{at, length};
  if (bytes.size() - at < length) return std::nullopt;
  if (length > 4) return Sizes{0, 0, false};
  return Sizes{at + length, big_endian(bytes.substr(at, length))};
}

std::optional<Sizes> cdr_sizes(std::string_view bytes) {
  return fixed_header(bytes, 12, [](std::string_view b) {
    std::string size(b.substr(8, 4));
    if ((b[6] & 1) != 0) std::reverse(size.begin(), size.end());
    return Sizes{12, big_endian(size), b.starts_with("GIOP")};
  });
}

std::optional<Sizes> sunrm_sizes(std::string_view bytes) {
  return fixed_header(bytes, 4, [](std::string_view b) {
    return Sizes{4, big_endian(b.substr(0, 4)) & 0x7FFF'FFFF};
  });
}

std::optional<Sizes> fcgi_sizes(std::string_view bytes) {
  return fixed_header(bytes, 8, [](std::string_view b) {
    const uint64_t padding = static_cast<uint8_t>(b[6]);
    return Sizes{8, big_endian(b.substr(4, 2)) + padding, b[0] == 1, padding};
  });
}

// Its size counts the header. One that is smaller wraps around, as in OTP.
std::optional<Sizes> tpkt_sizes(std::string_view bytes) {
  return fixed_header(bytes, 4, [](std::string_view b) {
    const uint64_t size = big_endian(b.substr(2, 2));
    return Sizes{4, size - 4, b[0] == 3 && size >= 4};
  });
}

// With the header in the packet.
struct WholePacket {
  std::string_view type;
  std::optional<Sizes> (*sizes)(std::string_view bytes);
};
constexpr WholePacket kWholePackets[] = {{"asn1", asn1_sizes},
                                         {"cdr", cdr_sizes},
                                         {"sunrm", sunrm_sizes},
                                         {"fcgi", fcgi_sizes},
                                         {"tpkt", tpkt_sizes}};

// A packet of that size, or how much more is needed, or that it is too large.
Value sized_packet(Context& c, Value binary, const std::optional<Sizes>& sizes,
                   const PacketOptions& options, bool with_header) {
  if (!sizes) return more_needed(c, Value(atoms::undefined));
  if (!sizes->is_valid || (options.packet_size != 0 && sizes->body > options.packet_size)) {
    return invalid_packet(c);
  }
  const uint64_t size = sizes->header + sizes->body;
  if (size > INT32_MAX) return invalid_packet(c);  // OTP counts with 32 bits
  if (binary.bit_size() / 8 < size) return more_needed(c, Value::small(static_cast<int64_t>(size)));
  const uint64_t hidden = with_header ? 0 : sizes->header;
  return packet(c, binary, hidden, size - hidden - sizes->padding, sizes->padding);
}

Value counted_packet(Context& c, Value binary, uint64_t header, const PacketOptions& options) {
  const BytesOf bytes(binary);
  const auto sizes = fixed_header(bytes.text(), header, [&](std::string_view b) {
    return Sizes{header, big_endian(b.substr(0, header))};
  });
  return sized_packet(c, binary, sizes, options, false);
}

// A record of TLS, or the greeting of SSL 2, which is shown as one of TLS.
Value tls_packet(Context& c, Value binary, const PacketOptions& options) {
  constexpr int64_t kHandshake = 22;
  constexpr char kClientHello = 1;
  const BytesOf bytes(binary);
  const std::string_view text = bytes.text();
  const bool is_old = text.size() >= 5 && (text[0] & 0x80) != 0 && text[2] == kClientHello;
  const auto sizes = fixed_header(text, 5, [&](std::string_view b) {
    const uint64_t old_size = big_endian(b.substr(0, 2)) & 0x7FFF;
    return is_old ? Sizes{5, old_size - 3, old_size >= 3} : Sizes{5, big_endian(b.substr(3, 2))};
  });
  const Value found = sized_packet(c, binary, sizes, options, false);
  if (!found.is_tuple(3)) return found;
  const size_t version = is_old ? 3 : 1;
  const auto byte = [&](size_t i) { return Value::small(static_cast<uint8_t>(text[i])); };
  Value body = found.element(1);
  if (is_old) {
    const uint64_t size = sizes->body + 2;
    std::string hello = {kClientHello, static_cast<char>(size >> 16), static_cast<char>(size >> 8),
                         static_cast<char>(size)};
    body = c.heap.binary(hello.append(text.substr(3, size)));
  }
  const Value record =
      c.heap.tuple({atom("ssl_tls"), Value::nil(), is_old ? Value::small(kHandshake) : byte(0),
                    c.heap.tuple({byte(version), byte(version + 1)}), body});
  return c.heap.tuple({found.element(0), record, found.element(2)});
}

// A line that is too long is cut.
Value line_packet(Context& c, Value binary, const PacketOptions& options) {
  const BytesOf bytes(binary);
  const size_t at = bytes.text().find(options.delimiter);
  const bool found = at != std::string_view::npos;
  const uint64_t size = found ? at + 1 : bytes.text().size();
  if (options.packet_size != 0 && size > options.packet_size) return invalid_packet(c);
  if (options.line_length != 0 &&
      (found ? size > options.line_length : size >= options.line_length)) {
    return packet(c, binary, 0, options.line_length);
  }
  return found ? packet(c, binary, 0, size) : more_needed(c, Value(atoms::undefined));
}

bool is_packet_type(Value type) {
  if (type.is_small()) return type.small() >= 0 && type.small() <= 4 && type.small() != 3;
  const auto is_it = [&](const WholePacket& whole) { return type == atom(whole.type); };
  return type == atom("raw") || type == atom("line") || type == atom("ssl_tls") ||
         std::ranges::any_of(kWholePackets, is_it) || http_type(type);
}

Value decode_packet_3(Context& c, const Value* a) {
  if (!is_packet_type(a[0])) return bad_option(c, "decode_packet", {a, 3});
  const bool is_line = a[0] == atom("line");
  const auto options = packet_options(a[2], is_line);
  if (!a[1].is_bitstring() || !options) return c.badarg();
  if (a[0] == atom("raw") || a[0] == Value::small(0)) {
    const uint64_t size = a[1].bit_size() / 8;
    return size == 0 ? more_needed(c, Value(atoms::undefined)) : packet(c, a[1], 0, size);
  }
  for (const int64_t header : {1, 2, 4}) {
    if (a[0] == Value::small(header)) {
      return counted_packet(c, a[1], static_cast<uint64_t>(header), *options);
    }
  }
  if (is_line) return line_packet(c, a[1], *options);
  for (const WholePacket& whole : kWholePackets) {
    if (a[0] != atom(whole.type)) continue;
    return sized_packet(c, a[1], whole.sizes(BytesOf(a[1]).text()), *options, true);
  }
  if (a[0] == atom("ssl_tls")) return tls_packet(c, a[1], *options);
  return http_packet(c, a[1], *http_type(a[0]), *options);
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "decode_packet", 3, decode_packet_3},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::packet_natives
