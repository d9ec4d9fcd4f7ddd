// Slices of an execution that went wrong: what of the program led to it, across processes.
//
// Idea: an interleaving with the failure is found by a check (or given as a schedule) and replayed
// with a counter before every node. The dependences of the program are those of the calls that were
// given, without what was not executed; if all messages went from one of the author's sends to one
// of the author's receives, a receive depends on the sends whose messages it took alone. The slice
// starts from what raised, or from the receives in which processes wait.
//
// A slice is a program, so it is checked in turn: it must fail in the same way (kind, reason and
// function) in some interleaving. If it does not, coarser dependences are taken: those of messages
// as a whole, then those of the program without the execution. Which they were is told.
//
// Limits: where a failure in one line is one of several expressions, all that may have raised
// count. Interleavings of the slice are searched up to a number.
#pragma once

#include <optional>

#include "explore/check.h"
#include "reduce/minimal.h"

namespace fathom::reduce {

struct FailingCall {
  session::Expression expression;
  std::string text;
  std::optional<explore::Schedule> schedule = {};  // none: the first interleaving that fails
  explore::CheckOptions options = {};
  bool delays_delivery = false;
  bool is_silent = true;
};

enum class Dependences : uint8_t { Execution, Messages, Program };

struct FailureSlice {
  slice::Slice slice;           // its texts are those of the smaller one, if that was asked for
  explore::Finding original;    // what is explained
  explore::Finding reproduced;  // the same in the slice; its places are those of the original text
  Dependences dependences = Dependences::Execution;
  std::optional<Minimal> minimal = {};
};

// An error: nothing fails, or it is not known where, or no slice fails in the same way.
Result<FailureSlice> slice_of_failure(session::Session& session, const std::vector<Atom>& own,
                                      const FailingCall& call, slice::Precision precision,
                                      bool is_minimal);

// Whether they are the same failure, in programs that differ in their places and processes.
bool is_same_failure(const explore::Finding& a, const explore::Finding& b);

}  // namespace fathom::reduce
