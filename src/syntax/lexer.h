// The lexer: a file's text to its tokens, in one pass, as erl_scan reads it.
//
// It knows nothing of macros, and of the words that become reserved by a
// feature (`maybe`, `else`) only that they are words: both depend on what was
// read before, while the tokens of a header are shared by all that include it.
// The superset of all releases is read: sigils, triple-quoted strings and the
// generators of OTP 28 mean nothing else in older ones.
//
// Cost: linear; a token is written once, text without escapes is not copied.
// Errors: one for each form at most; reading goes on after the next full stop.
#pragma once

#include "base/source.h"
#include "syntax/token.h"

namespace fathom {

TokenBuffer lex(const SourceMap& sources, FileId file, Literals& literals);
// Into a buffer whose memory is used again.
void lex(const SourceMap& sources, FileId file, Literals& literals, TokenBuffer& out);

}  // namespace fathom
