#include "natives/table_access.h"

#include "machine/services.h"

namespace fathom::machine {
namespace {

bool is_allowed(const Table& table, TableAccess access, Value pid) {
  if (table.owner == pid || table.protection == Protection::Public) return true;
  return access == TableAccess::Read && table.protection == Protection::Protected;
}

}  // namespace

Table* find_table(Context& c, Value value, TableAccess access) {
  Tables& tables = c.machine.tables();
  Table* table = table_or_service(c.machine, value);
  if (!table) {
    c.badarg_because(Atom::intern(tables.is_identifier(value) ? "id" : "type"));
    return nullptr;
  }
  if (is_allowed(*table, access, c.machine.process().pid)) return table;
  c.badarg_because(Atom::intern("access"));
  return nullptr;
}

}  // namespace fathom::machine
