// What the packets of decode_packet/3 have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "machine/native.h"

namespace fathom::machine {

struct PacketOptions {
  uint64_t packet_size = 0;  // 0: any
  uint64_t line_length = 0;
  char delimiter = '\n';
};

Value more_needed(Context& c, Value size);
Value invalid_packet(Context& c);
// {ok, Packet, Rest}, with what follows the first `size` bytes.
Value packet_and_rest(Context& c, Value packet, Value binary, uint64_t size);

// A line of HTTP: http, httph, http_bin, httph_bin. Empty: none of these types.
struct HttpType {
  bool headers;   // a header, not the first line
  bool binaries;  // texts as binaries
};
std::optional<HttpType> http_type(Value type);
Value http_packet(Context& c, Value binary, HttpType type, const PacketOptions& options);

}  // namespace fathom::machine
