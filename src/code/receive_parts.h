// What every message that a receive takes has as a part: variables from before the receive with
// which each of its clauses compares some part of the message, by its pattern or by =:= in its
// guard.
//
// If one of them is a reference, older messages need not be tried (machine/mailbox.h). That
// is OTP's receive marker; here the reference may come from anywhere, since it is asked when it was
// made.
//
// Example: receive {[alias | Mref], Reply} -> …; {'DOWN', Mref, _, _, R} -> … end has Mref.
//
// O(nodes of the patterns and guards). Limits: a value with the reference in it ({Tag, X} where Tag
// is [alias | Mref]) is not looked into, nor are tests below andalso and orelse.
#pragma once

#include <vector>

#include "core/core.h"

namespace fathom::machine {

std::vector<core::VarId> parts_of_taken(const core::Module& module, core::NodeId receive);

}  // namespace fathom::machine
