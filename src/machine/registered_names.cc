#include "machine/registered_names.h"

#include "machine/services.h"
#include "values/maps.h"

namespace fathom::machine {

Process* registered(Machine& m, Atom name) {
  m.events().access(SharedObject::Name, AccessMode::Read, 0, Value(name));
  const Value map = m.shared().names.map;
  const Value pid = map.is_none() ? map : map_get(map, Value(name));
  return pid.is_local_pid() ? m.processes().find(pid) : nullptr;
}

bool register_name(Machine& m, Atom name, Process& p) {
  Value& map = m.shared().names.map;
  m.events().access(SharedObject::Life, AccessMode::Read, p);
  m.events().access(SharedObject::Name, AccessMode::Write, 0, Value(name));
  m.events().access(SharedObject::Name, AccessMode::Write, p);
  if (!p.name.is_none() || registered(m, name)) return false;
  const Value before = map.is_none() ? empty_map(m.heap()) : map;
  m.journal().set(map, map_put(m.heap(), before, Value(name), p.pid));
  m.journal().set(p.name, Value(name));
  return true;
}

void unregister(Machine& m, Process& p) {
  if (p.name.is_none()) return;
  m.events().access(SharedObject::Life, AccessMode::Read, p);
  m.events().access(SharedObject::Name, AccessMode::Write, 0, p.name);
  m.events().access(SharedObject::Name, AccessMode::Write, p);
  Value& map = m.shared().names.map;
  const bool was_of_service = is_name_of_answering_service(p.name.atom());
  if (was_of_service) {
    give_name_to_nobody(m, p.name.atom());
  } else {
    m.journal().set(map, map_remove(m.heap(), map, p.name));
  }
  m.journal().set(p.name, Value::none());
}

void give_name_to_nobody(Machine& m, Atom name) {
  Value& map = m.shared().names.map;
  const Value before = map.is_none() ? empty_map(m.heap()) : map;
  m.journal().set(map, map_put(m.heap(), before, Value(name), Value(atoms::undefined)));
}

}  // namespace fathom::machine
