// Labels: in a labelled heap, and on the stacks of a labelled machine, each word has a number
// beside it, in a second range of the same size at a fixed distance.
//
// An atom, a small integer, a pid, [] have no identity: their label belongs to the word that holds
// them, and is copied with it. Everything else is an object of the heap: its label belongs to the
// object, lies beside its first word, and is found from any word that leads there. So who moves
// a pointer need do nothing, and no message, table or exception can lose the origin of a structure.
//
// What a label means is its client's; the machine gives each value the label of the instruction
// that builds it. kNoLabel: nobody has said anything.
//
// Invariant: beyond the top of a labelled space all labels are kNoLabel. So whoever builds a
// value without knowing about labels leaves none, and Heap::label_new supplies them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fathom::machine {

using Label = uint32_t;
inline constexpr Label kNoLabel = 0;

struct WordLabels {
  Label word;    // of the immediate in it
  Label object;  // of the object that begins with it
};
static_assert(sizeof(WordLabels) == sizeof(uint64_t));

// Of a message: that of an immediate, and that of the instruction that has sent it.
struct MessageLabels {
  Label word = kNoLabel;
  Label sent = kNoLabel;
};

inline WordLabels& labels_at(const void* word, size_t distance) {
  return *reinterpret_cast<WordLabels*>(reinterpret_cast<uintptr_t>(word) + distance);
}

}  // namespace fathom::machine
