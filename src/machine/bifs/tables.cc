#include "machine/bifs/tables.h"

namespace fathom::machine {
namespace {

bool is_allowed(const Table& table, Access access, Value pid) {
  if (table.owner == pid || access == Access::Any) return true;
  if (access == Access::Read) return table.protection != Protection::Private;
  return access == Access::Write && table.protection == Protection::Public;
}

}  // namespace

Table* find_table(Context& c, Value value, Access access) {
  Tables& tables = c.machine.tables();
  Table* table = tables.find(value);
  if (!table) {
    c.badarg_because(Atom::intern(tables.is_identifier(value) ? "id" : "type"));
    return nullptr;
  }
  if (is_allowed(*table, access, c.machine.process().pid)) return table;
  c.badarg_because(Atom::intern("access"));
  return nullptr;
}

}  // namespace fathom::machine
