#include "machine/ended_processes.h"

#include "machine/signals.h"
#include "values/maps.h"

namespace fathom::machine {

void note_ended(Machine& m, const Process& p) {
  const bool traps = traps_exits(p);
  // Signals to it that are on their way may find it ended.
  const bool may_delay =
      m.mode().delays_delivery || !m.events().watched().late.empty() || !m.shared().transit.empty();
  if (!m.mode().is_observed || (!traps && !may_delay)) return;
  Value& map = m.shared().ended.map;
  const Value before = map.is_none() ? empty_map(m.heap()) : map;
  const Value entry =
      m.heap().tuple({p.lineage, Value(traps ? atoms::true_ : atoms::false_), p.links});
  m.journal().set(map, map_put(m.heap(), before, p.pid, entry));
}

Value ended_entry(Machine& m, Value pid) {
  const Value map = m.shared().ended.map;
  return map.is_none() ? map : map_get(map, pid);
}

Value lineage_of_ended(Machine& m, Value pid) { return ended_entry(m, pid).element(0); }

bool has_trapped(Machine& m, Value pid) {
  const Value entry = ended_entry(m, pid);
  return !entry.is_none() && entry.element(1).is_atom(atoms::true_);
}

bool was_linked(Machine& m, Value pid, Value other) {
  return !map_get(ended_entry(m, pid).element(2), other).is_none();
}

}  // namespace fathom::machine
