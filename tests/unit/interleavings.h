// All interleavings of a small program, without any reduction: what a search that leaves out
// most of them is held against.
//
// The tree of all choices is walked depth first, with a mark before each. What is found:
// each sequence of events that is complete, how the processes have ended there, and to which
// class of equivalent sequences it belongs.
//
// A class is known by what all its sequences have in common: the events of each process; for
// each receive, who sent the message that it took; and the order of any two events of
// different processes that touch the same thing, unless both only look at it or only add to
// it, or leave the same behind. Here nothing is said of patterns of receives: if a receive could
// have taken either of two messages, it takes another one when they change places.
//
// The cost is the size of the tree, so `limit` bounds the number of sequences.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "explore/execution.h"
#include "machine/machine.h"

namespace fathom::explore {

// Who did something in which order: each the number of a process or timer.
using Steps = std::vector<uint64_t>;

struct Interleavings {
  uint64_t count() const { return sequences.size(); }

  bool is_complete = true;  // false: the limit was reached
  std::set<std::string> classes;
  // Each with its class and its ending.
  std::map<Steps, std::pair<const std::string*, const std::string*>> sequences;
  // "P: {saw,1}; P.1: normal; P.2 waits": the processes, by name.
  std::set<std::string> endings;
  // Sequences that neighbours in another one make when they change places, although they
  // touch nothing in common: each of them must be there, in the same class.
  std::set<std::pair<Steps, const std::string*>> swapped;
};

// How all processes have ended in an execution, in the words of
// Interleavings::endings.
std::string ending_text(const Execution& execution);

// The machine is observed, outlives its first process, and has been started.
Interleavings all_interleavings(machine::Machine& m, uint64_t limit);
// Whether there are no more. Sooner known than what they are.
bool has_at_most(machine::Machine& m, uint64_t limit);

}  // namespace fathom::explore
