// What Fathom's own Erlang code tells whoever drives the machine: an event of a test, for
// one. No part of the machine's state, so going back does not take it back.
#include "machine/machine.h"
#include "natives/families.h"

namespace fathom::machine::note_natives {
namespace {

Value note_1(Context& c, const Value* a) {
  if (c.machine.on_note) c.machine.on_note(a[0]);
  return Value(atoms::ok);
}

constexpr NativeEntry kEntries[] = {{"fathom_eunit", "note", 1, note_1},
                                    {"fathom_ct", "note", 1, note_1},
                                    {"fathom_criterion", "note", 1, note_1}};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::note_natives
