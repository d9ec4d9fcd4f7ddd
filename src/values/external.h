// Values in External Term Format: term_to_binary and binary_to_term.
//
// Writing is done here, straight from the value, byte for byte as OTP 25 does it,
// with two exceptions: a map of more than kMaxFlatMap pairs has them in our order
// (OTP's depends on the node), and a fun has no checksum of its module. Reading is
// base/etf.h's; what it gives is converted (convert.h). A fun that was written
// cannot be called when it is read again: it is Foreign.
//
// O(size), without recursion on depth.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "values/convert.h"
#include "values/heap.h"
#include "values/value.h"

namespace fathom::machine {

struct EncodeOptions {
  int minor_version = 1;       // 0: floats as text; 0, 1: atoms in Latin-1; 2: in UTF-8
  int compression = 0;         // of zlib, 0 to 9. What would not get smaller is left as it is
  bool deterministic = false;  // equal maps give equal bytes
};

// Appended to `out`. Fails only on what the format has no room for; `out` is then
// as before.
Result<void> encode_value(Value value, std::string& out, const EncodeOptions& options = {});

// The number of bytes that encode_value would append without compression.
size_t external_size(Value value, const EncodeOptions& options = {});

// `used` (may be null) tells where the term ended. `safe`: fails if the term has
// an atom that did not exist, as binary_to_term(_, [safe]); it exists from then on.
Result<Value> decode_value(std::string_view bytes, Heap& heap, const ExportLookup& exports,
                           size_t* used = nullptr, bool safe = false, const FunLookup& funs = {});

}  // namespace fathom::machine
