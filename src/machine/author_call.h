// Where the author's own code has called into OTP's: what a report shows of a place in gen, lists
// or supervisor.
//
// Example: deposit/2 of the author's calls gen_server:call/2, which calls gen:call/4, which sends.
// The call of the author's is that in deposit/2, and it leads there via gen_server:call/2.
//
// A call in tail position leaves no frame: `reserve(S) -> gen_server:call(seats, S)` is gone when
// gen:call/4 sends. Where a frame of the author's has called a function of the author's that is
// gone, its tail calls are looked at (follow_tail_calls): if there is one way to OTP's code, that
// was it.
//
// Limits: of a deep stack only the innermost frames are looked at, since each event of OTP's code
// pays for it.
#pragma once

#include "code/code.h"
#include "code/code_table.h"
#include "values/value.h"

namespace fathom::machine {

struct AuthorCall {
  const Function* function = nullptr;  // that calls; none: nothing of the author's is on the stack
  core::NodeId node{};
  const Mfa* via = nullptr;        // the function that it has called
  const Function* gone = nullptr;  // of the author's, which it has called and which has gone on

  explicit operator bool() const { return function != nullptr; }
};

// Of the function that runs in this frame. None if it is the author's itself.
AuthorCall find_author_call(const CodeTable& code, const Function* function, const Value* fp);
// The tail call by which a function of the author's, or one that it calls so, has gone on to OTP's
// code. None if there are several.
AuthorCall follow_tail_calls(const Function& function);

}  // namespace fathom::machine
