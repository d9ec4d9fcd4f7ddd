#include "machine/event.h"

#include <algorithm>
#include <vector>

#include "base/budget.h"
#include "machine/machine.h"
#include "machine/match_spec.h"
#include "values/maps.h"

// What a call of a native function accesses, as far as its arguments say. It is reported before the
// function runs, so that a call which fails has accessed it too. Two corrections follow when it has
// run: an operation that has changed nothing has only read (downgrade_to_read), and what its
// changes have left is filled in (complete_changes).
//
// In what a change is said to leave (Access::content) there must be nothing that depends on what
// was there before: an ets:insert in a set leaves its object whatever was there, a counter does
// not.

namespace fathom::machine {
namespace {

// The continuation of ets:select/1 and the like is a tuple that begins with its table.
Value table_in(Value argument) {
  return argument.is_tuple() && argument.arity() > 0 ? argument.element(0) : argument;
}

// The table of that name or reference, if there is one. To find it by name is an access of the
// name: an event that creates, renames or deletes a table of that name accesses it as well.
const Table* access_table(Machine& m, Value argument) {
  const Value name = table_in(argument);
  if (name.is_atom()) m.events().access(SharedObject::TableName, AccessMode::Read, 0, name);
  const Table* table = m.tables().find(name);
  // That there is none any more depends on the event that has deleted it, which has written the
  // whole table. A reference is the id of its table.
  if (!table && name.is_box(BoxKind::Reference)) {
    m.events().access(SharedObject::Table, AccessMode::Read, name.reference_number());
  }
  return table;
}

struct How {
  AccessMode mode;
  bool is_tentative = false;
  Value content = Value::none();
};
constexpr How kRead{AccessMode::Read};
constexpr How kWrite{AccessMode::Write};      // depending on what was there
constexpr How kTry{AccessMode::Write, true};  // or only a read
// Nothing is left. Two deletions of a key commute, so they have a content in common, which is that
// of no insertion: objects are tuples.
const How kClear{AccessMode::Write, false, Value::nil()};

void access(Machine& m, SharedObject object, uint64_t id, Value part, const How& how) {
  m.events().access({object, how.mode, id, part, how.content, how.is_tentative});
}

bool has_float(Value value) {
  std::vector<Value> left{value};
  while (!left.empty()) {
    spend();
    const Value next = left.back();
    left.pop_back();
    if (next.is_float()) return true;
    if (next.is_cons()) {
      left.push_back(next.tail());
      left.push_back(next.head());
    } else if (next.is_tuple()) {
      left.insert(left.end(), next.elements().begin(), next.elements().end());
    } else if (next.is_map()) {
      MapPairs pairs(next);
      for (Value key, of_key; pairs.next(key, of_key);) left.insert(left.end(), {key, of_key});
    }
  }
  return false;
}

// In an ordered_set keys are the same if they are equal: {1.0} is {1}. Parts are told apart by
// their hashes, which differ then, so a key with a float in it stands for all keys.
Value part_of(const Table& table, Value key) {
  return table.is_ordered() && !key.is_immediate() && has_float(key) ? Value::none() : key;
}

void access_key(Machine& m, const Table& table, Value key, const How& how) {
  access(m, SharedObject::Table, table.id, part_of(table, key), how);
  if (how.mode != AccessMode::Read) record_change(m, table, key);
}

void access_whole_table(Machine& m, Value argument, const How& how) {
  if (const Table* table = access_table(m, argument)) {
    access(m, SharedObject::Table, table->id, Value::none(), how);
  }
}

// Some of what ets:info/2 says depends on the objects, some only on the table itself.
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

// ets:insert and ets:insert_new, of one object or of a list of them. What the table cannot hold
// makes the call fail, and is not accessed.
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

// An array of atomics.
void access_atomic(Machine& m, std::span<const Value> arguments, const How& how) {
  if (!arguments[0].is_box(BoxKind::Reference)) return;
  access(m, SharedObject::Atomic, arguments[0].reference_number(), arguments[1], how);
}

void access_timer(Machine& m, Value reference, AccessMode mode) {
  if (!reference.is_box(BoxKind::Reference)) return;
  m.events().access(SharedObject::Timer, mode, reference.reference_number());
}

}  // namespace

// ---- Messages of monitors ---------------------------------------------------

bool is_demonitored(const Event& receive, const SentMessage& sent) {
  return !sent.monitor.is_none() && !receive.demonitored.is_none() &&
         !map_get(receive.demonitored, sent.monitor).is_none();
}

// ---- Arguments --------------------------------------------------------------

void access_arguments(Machine& m, NativeAccess how, std::span<const Value> arguments) {
  using enum AccessMode;
  switch (how) {
    case NativeAccess::Signals:
    case NativeAccess::CountProcesses:
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

// An event is the query of a table if that is all that it does: what a service reads beside counts
// as all of it.
void access_for_service(Machine& m, NativeAccess how, std::span<const Value> arguments) {
  access_arguments(m, how, arguments);
  m.events().current().query = Value::none();
}

// ---- Changes of tables ------------------------------------------------------
//
// Whether a query and a change of a key commute depends on which objects have that key before and
// after the change. To keep these is costly, so it is done only once a query was seen
// (Watched::changes). `before` is read when the access is reported, that is, before
// the function runs; `after` when it has.

void record_change(Machine& m, const Table& table, Value key) {
  Event& event = m.events().current();
  if (!m.events().watched().changes || event.kind == EventKind::None) return;
  event.changes.push_back({table.id, key, Tables::get(table, key), Value::none()});
}

void complete_changes(Machine& m, Event& event) {
  for (Change& change : event.changes) {
    const Table* table = m.tables().find_id(change.table);
    if (table) change.after = Tables::get(*table, change.key);
  }
}

// It may if it could match an object that was there before the change or is there after it. An
// object that both have and the query matches counts as well: that costs time only.
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

void downgrade_to_read(Event& event, size_t first) {
  for (size_t i = first; i < event.accesses.size(); ++i) {
    if (event.accesses[i].is_tentative) event.accesses[i].mode = AccessMode::Read;
  }
}

}  // namespace fathom::machine
