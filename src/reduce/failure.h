// Slices of an execution that went wrong: what of the program led to it, across processes.
//
// Idea: an interleaving with the failure is found by a check (or given as a schedule) and replayed
// with a counter before every node. The dependences of the program are those of the calls that were
// given, without what was not executed; if all messages went from one of the author's sends to one
// of the author's receives, a receive depends on the sends whose messages it took alone. The slice
// starts from what raised, or from the receives in which processes wait.
//
// A slice is a program, so it is run in turn, in the interleaving of the original without the steps
// that it has not (projected.h): it must fail in the same way (kind, reason and function), and the
// race of the original is its own. If it does not, coarser dependences are taken: those of messages
// as a whole. If it then fails in other interleavings alone, that is what is told; and if in none,
// the dependences of the program without the execution are taken. Which they were is told.
//
// Limits: where a failure in one line is one of several expressions, all that may have raised
// count. Interleavings of the slice are searched up to a number.
#pragma once

#include <optional>

#include "explore/check.h"
#include "reduce/minimal.h"
#include "slice/reasons.h"

namespace fathom::reduce {

struct FailingCall {
  session::Expression expression;
  std::string text;
  std::optional<explore::Schedule> schedule = {};  // none: the first interleaving that fails
  // What a check has found in that schedule; none: a check is asked which race it is.
  std::optional<explore::Finding> found = {};
  explore::CheckOptions options = {};
  bool delays_delivery = false;
  bool is_silent = true;
  bool notes_dependences = false;  // all of them, for a picture
};

enum class Dependences : uint8_t { Execution, Messages, Program };

struct FailureSlice {
  slice::Slice slice;           // its texts are those of the smaller one, if that was asked for
  explore::Finding original;    // what is explained
  explore::Finding reproduced;  // the same in the slice; its places are those of the original text
  // It fails in the interleaving of the original, without the steps that the slice has not; else in
  // another one.
  bool is_in_same_order = false;
  Dependences dependences = Dependences::Execution;
  slice::Reasons reasons = {};  // of the slice as it was before it was made smaller
  std::optional<Minimal> minimal = {};
};

// Without a slice and without reasons: nothing fails.
struct FailureAnswer {
  std::optional<FailureSlice> slice;
  std::vector<std::string> reasons;  // why it is not known whether anything fails
};

// An error: it is not known where it fails, or no slice fails in the same way.
Result<FailureAnswer> slice_of_failure(session::Session& session, const std::vector<Atom>& own,
                                       const FailingCall& call, slice::Precision precision,
                                       bool is_minimal);

// Whether they are the same failure, in programs that differ in their places and processes.
bool is_same_failure(const explore::Finding& a, const explore::Finding& b);

}  // namespace fathom::reduce
