#include "machine/table_owners.h"

#include "machine/signals.h"

namespace fathom::machine {

void delete_table(Machine& m, Table& table) {
  m.events().access(SharedObject::Tables, AccessMode::Append, 0);
  m.events().access(SharedObject::Table, AccessMode::Write, table.id);
  m.events().access(SharedObject::TableFacts, AccessMode::Write, table.id);
  if (table.is_named) m.events().access(SharedObject::TableName, AccessMode::Write, 0, table.name);
  m.tables().remove(table);
}

void give_table(Machine& m, const Process& from, Table& table, Process& to, Value data) {
  m.events().access(SharedObject::Table, AccessMode::Write, table.id);
  m.events().access(SharedObject::TableFacts, AccessMode::Write, table.id);
  m.events().access(SharedObject::Life, AccessMode::Read, from);
  m.events().access(SharedObject::Life, AccessMode::Read, to);
  m.journal().set(table.owner, to.pid);
  m.journal().set(to.has_tables, true);
  const Value message =
      m.heap().tuple({atom("ETS-TRANSFER"), m.tables().identifier(table), from.pid, data});
  send_message(m, from, to, message);
}

}  // namespace fathom::machine
