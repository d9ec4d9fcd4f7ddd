// Quasi-minimal slices (S. Pérez, 2023, chapter 6): a slice from which nothing more can be taken
// such that an oracle still accepts it, one part at a time.
//
// Idea: the parts of the tree are tried from the top down, so that much goes at once; what is in a
// removed part is not tried. After a removal that was accepted, the next parts are tried on what is
// left, and all of them again until none can go. Then pairs of expressions of bodies are tried,
// which may only go together (`put(x, get(x) + 1)` and a later `put(x, get(x) - 1)`).
//
// Invariant: the texts compile and were accepted. Candidates that do not compile cost reading them.
// Cost: the parts, times the rounds (two or three), times one run of all calls; pairs are tried
// until a time is over.
// Limits: what is accepted depends on the calls; one that is missing may make the slice too small.
#pragma once

#include <functional>

#include "reduce/oracle.h"

namespace fathom::reduce {

struct Minimal {
  TextSlice texts;
  size_t nodes_kept = 0;
  size_t candidates = 0;
  size_t executed = 0;  // of those: that compile
};

// `texts` are accepted by the oracle. `pair_seconds`: for which pairs are tried. `slice_again`: a
// slice of what is left, which is then reduced further; it may be empty. An error: the values of
// the criteria cannot be shown.
Result<Minimal> minimised(session::Session& session, const TextSlice& texts, Oracle& oracle,
                          double pair_seconds,
                          const std::function<TextSlice(const TextSlice&)>& slice_again = {});

// The slice with these texts.
void take_texts(slice::Slice& slice, const Minimal& minimal);

}  // namespace fathom::reduce
