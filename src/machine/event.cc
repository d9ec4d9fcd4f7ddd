#include "machine/event.h"

#include <algorithm>

#include "machine/machine.h"
#include "machine/match_spec.h"
#include "values/maps.h"

namespace fathom::machine {
namespace {

// A continuation of a search holds its table.
Value table_in(Value argument) {
  return argument.is_tuple() && argument.arity() > 0 ? argument.element(0) : argument;
}

// The table of that name or reference, if there is one.
const Table* access_table(Machine& m, Value argument) {
  const Value name = table_in(argument);
  if (name.is_atom()) m.events().access(SharedObject::TableName, AccessMode::Read, 0, name);
  const Table* table = m.tables().find(name);
  // That there is none any more depends on who has deleted it.
  if (!table && name.is_box(BoxKind::Reference)) {
    m.events().access(SharedObject::Table, AccessMode::Read, name.reference_number());
  }
  return table;
}

// How something is touched.
struct How {
  AccessMode mode;
  bool is_tentative = false;
  Value content = Value::none();
};
constexpr How kRead{AccessMode::Read};
constexpr How kWrite{AccessMode::Write};
constexpr How kTry{AccessMode::Write, true};
// No object looks like that.
const How kClear{AccessMode::Write, false, Value::nil()};

void access(Machine& m, SharedObject object, uint64_t id, Value part, const How& how) {
  m.events().access({object, how.mode, id, part, how.content, how.is_tentative});
}

void access_key(Machine& m, const Table& table, Value key, const How& how) {
  access(m, SharedObject::Table, table.id, key, how);
  if (how.mode != AccessMode::Read) record_change(m, table, key);
}

void access_whole_table(Machine& m, Value argument, const How& how) {
  if (const Table* table = access_table(m, argument)) {
    access(m, SharedObject::Table, table->id, Value::none(), how);
  }
}

// Some of what ets:info/2 tells depends on the objects.
void access_table_fact(Machine& m, std::span<const Value> arguments) {
  constexpr std::string_view kOfObjects[] = {"memory", "size",       "fixed",
                                             "stats",  "safe_fixed", "safe_fixed_monotonic_time"};
  const Value item = arguments[1];
  const bool is_of_objects =
      !item.is_atom() || std::ranges::find(kOfObjects, item.atom().text()) != std::end(kOfObjects);
  if (is_of_objects) return access_whole_table(m, arguments[0], kRead);
  if (const Table* table = access_table(m, arguments[0])) {
    m.events().access(SharedObject::TableFacts, AccessMode::Read, table->id);
  }
}

void access_objects(Machine& m, std::span<const Value> arguments, bool is_tentative) {
  const Table* table = access_table(m, arguments[0]);
  if (!table) return;
  const auto access_object = [&](Value object) {
    if (!table->can_hold(object)) return;
    const How how{AccessMode::Write, is_tentative, is_tentative ? Value::none() : object};
    access_key(m, *table, table->key_of(object), how);
  };
  access_object(arguments[1]);
  for (Value rest = arguments[1]; rest.is_cons(); rest = rest.tail()) access_object(rest.head());
}

void access_key(Machine& m, std::span<const Value> arguments, const How& how) {
  if (const Table* table = access_table(m, arguments[0])) access_key(m, *table, arguments[1], how);
}

// An array of atomics, or of counters: {_, Reference} is one of the latter too.
void access_atomic(Machine& m, std::span<const Value> arguments, const How& how) {
  if (!arguments[0].is_box(BoxKind::Reference)) return;
  access(m, SharedObject::Atomic, arguments[0].reference_number(), arguments[1], how);
}

void access_timer(Machine& m, Value reference, AccessMode mode) {
  if (!reference.is_box(BoxKind::Reference)) return;
  m.events().access(SharedObject::Timer, mode, reference.reference_number());
}

}  // namespace

bool is_demonitored(const Event& receive, const SentMessage& sent) {
  return !sent.monitor.is_none() && !receive.demonitored.is_none() &&
         !map_get(receive.demonitored, sent.monitor).is_none();
}

void access_arguments(Machine& m, NativeAccess how, std::span<const Value> arguments) {
  using enum AccessMode;
  switch (how) {
    case NativeAccess::Signals:
      return;
    case NativeAccess::ReadKey:
      return access_key(m, arguments, kRead);
    case NativeAccess::WriteKey:
      return access_key(m, arguments, kWrite);
    case NativeAccess::TryKey:
      return access_key(m, arguments, kTry);
    case NativeAccess::ClearKey:
      return access_key(m, arguments, kClear);
    case NativeAccess::PutObject:
      return access_objects(m, arguments, false);
    case NativeAccess::TryObject:
      return access_objects(m, arguments, true);
    case NativeAccess::ReadTable:
      return access_whole_table(m, arguments[0], kRead);
    case NativeAccess::WriteTable:
      return access_whole_table(m, arguments[0], kWrite);
    case NativeAccess::SeekObjects:
    case NativeAccess::TryObjects:
      m.events().current().query = arguments[1];
      return access_whole_table(m, arguments[0], how == NativeAccess::SeekObjects ? kRead : kTry);
    case NativeAccess::ReadTableName:
      access_table(m, arguments[0]);
      return;
    case NativeAccess::ReadTableFact:
      return access_table_fact(m, arguments);
    case NativeAccess::ReadTerm:
      return access(m, SharedObject::Term, 0, arguments[0], kRead);
    case NativeAccess::PutTerm:
      return access(m, SharedObject::Term, 0, arguments[0], {Write, false, arguments[1]});
    case NativeAccess::TryTerm:
      return access(m, SharedObject::Term, 0, arguments[0], kTry);
    case NativeAccess::ReadTerms:
      return m.events().access(SharedObject::Term, Read, 0);
    case NativeAccess::WriteTerms:
      return m.events().access(SharedObject::Term, Write, 0);
    case NativeAccess::ReadAtomic:
      return access_atomic(m, arguments, kRead);
    case NativeAccess::WriteAtomic:
      return access_atomic(m, arguments, kWrite);
    case NativeAccess::PutAtomic:
      return access_atomic(m, arguments, {Write, false, arguments[2]});
    case NativeAccess::AddAtomic:
      return access_atomic(m, arguments, {Append});
    case NativeAccess::TryAtomic:
      return access_atomic(m, arguments, kTry);
    case NativeAccess::ReadTimer:
      return access_timer(m, arguments[0], Read);
    case NativeAccess::WriteTimer:
      return access_timer(m, arguments[0], Write);
    case NativeAccess::ReadEnvironment:
      return m.events().access(SharedObject::Environment, Read, 0);
    case NativeAccess::WriteEnvironment:
      return m.events().access(SharedObject::Environment, Write, 0);
  }
}

void record_change(Machine& m, const Table& table, Value key) {
  Event& event = m.events().current();
  if (!m.events().records_changes() || event.kind == EventKind::None) return;
  event.changes.push_back({table.id, key, Tables::get(table, key), Value::none()});
}

void complete_changes(Machine& m, Event& event) {
  for (Change& change : event.changes) {
    const Table* table = m.tables().find_id(change.table);
    if (table) change.after = Tables::get(*table, change.key);
  }
}

bool may_see(Machine& m, Value sought, uint64_t table, std::span<const Change> changes) {
  const auto may_find = [&](Value group) {
    bool is_found = false;
    if (group.is_none()) return false;
    for_each_object(
        group, [&](Value object) { is_found = is_found || may_match(m.context, sought, object); });
    return is_found;
  };
  return std::any_of(changes.begin(), changes.end(), [&](const Change& change) {
    return change.table == table && (may_find(change.before) || may_find(change.after));
  });
}

void downgrade_to_read(Event& event) {
  for (Access& access : event.accesses) {
    if (access.is_tentative) access.mode = AccessMode::Read;
  }
}

}  // namespace fathom::machine
