// The External Term Format, in which a .beam file holds its debug info and its
// compile info: https://www.erlang.org/doc/apps/erts/erl_ext_dist.html
//
// Reading takes whatever term_to_binary of any OTP up to 28 has written, and
// refuses what binary_to_term refuses. The bytes may be hostile: depth costs no
// C++ stack; memory and time are proportional to the bytes given (after
// inflating them, where zlib's own ratio of about 1000 and kMaxInflated are the
// limits), because no count is believed that the bytes left cannot pay for.
//
// Not read: what is written for another reader than binary_to_term (the atom
// cache of the distribution protocol, the `local` option of OTP 26), and the
// funs of OTP 22 and before (FUN_EXT), which binary_to_term refuses as well. The
// free variables of a fun are passed over unread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/term.h"

namespace fathom::etf {

// binary_to_term. An error says at which byte it was met. What follows the term
// is left alone, as OTP does; `used` tells where that begins. On an error the
// arena keeps what was built so far.
Result<Term> decode(std::string_view bytes, TermArena& arena, size_t* used = nullptr);

// For whoever wants only some of the terms within a term: its bytes without the version, and
// inflated if they were compressed.
Result<std::string> plain_bytes(std::string_view bytes);
// A term that begins at `at` in such bytes; `used` tells where it ends.
Result<Term> decode_at(std::string_view plain, size_t at, TermArena& arena, size_t* used = nullptr);
// Where it ends, without making it: a few instructions for each of its parts.
Result<size_t> end_of(std::string_view plain, size_t at);

// term_to_binary(Term, [{minor_version, 2}]), appended; maps in their own order,
// opaque terms as they were read. Fails only on what the format has no room for
// (an atom of more than 65535 bytes, a list of more than 2^32 - 1 elements, ...);
// `out` is then as before.
Result<void> encode(Term term, std::string& out);

// zlib, with limits.
inline constexpr size_t kMaxInflated = size_t{1} << 28;
enum class Wrapping : uint8_t { Zlib, Gzip };
struct Inflated {
  std::string bytes;
  size_t used;  // of the compressed bytes
};
// Memory grows with what has really been inflated, not with a promise; fails if
// that is more than `limit`.
Result<Inflated> inflate(std::string_view compressed, Wrapping wrapping, size_t limit);

}  // namespace fathom::etf
