// Equality and order of values.
//
//   number < atom < reference < fun < port < pid < tuple < map < [] < list < bitstring
//
// Two orders: Erlang's (==, <), in which 1 and 1.0 are equivalent, and the exact
// one (=:=, the order of map keys), in which at every depth any integer is below
// any float. Atoms are ordered by their text. Loops with an explicit stack: a
// value may be deep. O(size of the smaller value).
#pragma once

#include "values/value.h"

namespace fathom::machine {

// Whether this thread has asked in which order pids or references of different processes are. (Not
// whether they are equal, nor their order as keys of a map.)
inline thread_local bool identifiers_were_ordered = false;

// Negative, zero or positive.
template <class T>
int three_way(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}
int compare(Value a, Value b);
int compare_exact(Value a, Value b);

bool equal_exact_slow(Value a, Value b);

// =:=
inline bool equal_exact(Value a, Value b) {
  if (a == b) return true;
  if (a.is_immediate() || b.is_immediate()) return false;
  return equal_exact_slow(a, b);
}
// ==
inline bool equal(Value a, Value b) {
  if (a == b) return true;
  if (a.is_small() && b.is_small()) return false;
  return compare(a, b) == 0;
}

}  // namespace fathom::machine
