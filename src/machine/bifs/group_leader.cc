// The group leader: where output goes.
//
// It has a pid, but it is no process: whoever sends it a request handles it at once,
// by embedded/fathom_io.erl, in place of sending. So output does not add to what can happen in
// which order, and stands where it was written. There is no input: reading gives eof.
#include "machine/group_leader.h"

#include "machine/bifs/arguments.h"
#include "machine/bifs/families.h"
#include "machine/node_things.h"
#include "machine/signals.h"

namespace fathom::machine {

bool is_group_leader(Machine& m, Value destination) {
  if (destination.is_tuple(2) && destination.element(1).is_atom(local_node())) {
    destination = destination.element(0);
  }
  return destination == kGroupLeader ||
         (is_group_leader_name(destination) && !registered(m, destination.atom()));
}

namespace {

Value write_1(Context& c, const Value* a) {
  c.machine.write(BytesOf(a[0]).text());
  return Value(atoms::ok);
}

constexpr NativeEntry kEntries[] = {{"fathom_io", "write", 1, write_1}};

}  // namespace

std::span<const NativeEntry> group_leader_natives() { return kEntries; }

}  // namespace fathom::machine
