#include "machine/event.h"

#include <algorithm>

#include "machine/bifs/tables.h"
#include "machine/machine.h"
#include "machine/maps.h"
#include "machine/match_spec.h"

namespace fathom::machine {
namespace {

constexpr std::string_view kWords[] = {
    "",
#define EVENT(Kind, word) word,
#include "machine/events.def"
};

constexpr VisibleNative kVisible[] = {
#define VISIBLE(module, name, arity, Kind, What) \
  {module, name, arity, EventKind::Kind, Shared::What},
#include "machine/events.def"
};

// A continuation of a search holds its table.
Value table_in(Value argument) {
  return argument.is_tuple() && argument.arity() > 0 ? argument.element(0) : argument;
}

// The table of that name or reference, if there is one.
const Table* touch_table(Machine& m, Value argument) {
  const Value name = table_in(argument);
  if (name.is_atom()) m.touched(Thing::TableName, TouchMode::Read, 0, name);
  const Table* table = m.tables().find(name);
  // That there is none any more depends on who has deleted it.
  if (!table && name.is_box(BoxKind::Reference)) {
    m.touched(Thing::Table, TouchMode::Read, name.reference_number());
  }
  return table;
}

// How something is touched.
struct How {
  TouchMode mode;
  bool is_tentative = false;
  Value content = Value::none();
};
constexpr How kRead{TouchMode::Read};
constexpr How kWrite{TouchMode::Write};
constexpr How kTry{TouchMode::Write, true};
// No object looks like that.
const How kClear{TouchMode::Write, false, Value::nil()};

void touch(Machine& m, Thing thing, uint64_t id, Value part, const How& how) {
  m.touched({thing, how.mode, id, part, how.content, how.is_tentative});
}

void touch_key(Machine& m, const Table& table, Value key, const How& how) {
  touch(m, Thing::Table, table.id, key, how);
  if (how.mode != TouchMode::Read) tell_change(m, table, key);
}

void touch_whole_table(Machine& m, Value argument, const How& how) {
  if (const Table* table = touch_table(m, argument)) {
    touch(m, Thing::Table, table->id, Value::none(), how);
  }
}

// Some of what ets:info/2 tells depends on the objects.
void touch_table_fact(Machine& m, std::span<const Value> arguments) {
  constexpr std::string_view kOfObjects[] = {"memory", "size",       "fixed",
                                             "stats",  "safe_fixed", "safe_fixed_monotonic_time"};
  const Value item = arguments[1];
  const bool is_of_objects =
      !item.is_atom() || std::ranges::find(kOfObjects, item.atom().text()) != std::end(kOfObjects);
  if (is_of_objects) return touch_whole_table(m, arguments[0], kRead);
  if (const Table* table = touch_table(m, arguments[0])) {
    m.touched(Thing::TableFacts, TouchMode::Read, table->id);
  }
}

void touch_objects(Machine& m, std::span<const Value> arguments, bool is_tentative) {
  const Table* table = touch_table(m, arguments[0]);
  if (!table) return;
  const auto touch_object = [&](Value object) {
    if (!table->can_hold(object)) return;
    const How how{TouchMode::Write, is_tentative, is_tentative ? Value::none() : object};
    touch_key(m, *table, table->key_of(object), how);
  };
  touch_object(arguments[1]);
  for (Value rest = arguments[1]; rest.is_cons(); rest = rest.tail()) touch_object(rest.head());
}

void touch_key(Machine& m, std::span<const Value> arguments, const How& how) {
  if (const Table* table = touch_table(m, arguments[0])) touch_key(m, *table, arguments[1], how);
}

// An array of atomics, or of counters: {_, Reference} is one of the latter too.
void touch_atomic(Machine& m, std::span<const Value> arguments, const How& how) {
  if (!arguments[0].is_box(BoxKind::Reference)) return;
  touch(m, Thing::Atomic, arguments[0].reference_number(), arguments[1], how);
}

void touch_timer(Machine& m, Value reference, TouchMode mode) {
  if (!reference.is_box(BoxKind::Reference)) return;
  m.touched(Thing::Timer, mode, reference.reference_number());
}

}  // namespace

std::string_view event_word(EventKind kind) { return kWords[static_cast<size_t>(kind)]; }

std::span<const VisibleNative> visible_natives() { return kVisible; }

bool is_released(const Event& receive, const Sent& sent) {
  return !sent.monitor.is_none() && !receive.released.is_none() &&
         !map_get(receive.released, sent.monitor).is_none();
}

void touch_arguments(Machine& m, Shared shared, std::span<const Value> arguments) {
  using enum TouchMode;
  switch (shared) {
    case Shared::Signals:
      return;
    case Shared::ReadKey:
      return touch_key(m, arguments, kRead);
    case Shared::WriteKey:
      return touch_key(m, arguments, kWrite);
    case Shared::TryKey:
      return touch_key(m, arguments, kTry);
    case Shared::ClearKey:
      return touch_key(m, arguments, kClear);
    case Shared::PutObject:
      return touch_objects(m, arguments, false);
    case Shared::TryObject:
      return touch_objects(m, arguments, true);
    case Shared::ReadTable:
      return touch_whole_table(m, arguments[0], kRead);
    case Shared::WriteTable:
      return touch_whole_table(m, arguments[0], kWrite);
    case Shared::SeekObjects:
    case Shared::TryObjects:
      m.current_event().sought = arguments[1];
      return touch_whole_table(m, arguments[0], shared == Shared::SeekObjects ? kRead : kTry);
    case Shared::ReadTableName:
      touch_table(m, arguments[0]);
      return;
    case Shared::ReadTableFact:
      return touch_table_fact(m, arguments);
    case Shared::ReadTerm:
      return touch(m, Thing::Term, 0, arguments[0], kRead);
    case Shared::PutTerm:
      return touch(m, Thing::Term, 0, arguments[0], {Write, false, arguments[1]});
    case Shared::TryTerm:
      return touch(m, Thing::Term, 0, arguments[0], kTry);
    case Shared::ReadTerms:
      return m.touched(Thing::Term, Read, 0);
    case Shared::WriteTerms:
      return m.touched(Thing::Term, Write, 0);
    case Shared::ReadAtomic:
      return touch_atomic(m, arguments, kRead);
    case Shared::WriteAtomic:
      return touch_atomic(m, arguments, kWrite);
    case Shared::PutAtomic:
      return touch_atomic(m, arguments, {Write, false, arguments[2]});
    case Shared::AddAtomic:
      return touch_atomic(m, arguments, {Append});
    case Shared::TryAtomic:
      return touch_atomic(m, arguments, kTry);
    case Shared::ReadTimer:
      return touch_timer(m, arguments[0], Read);
    case Shared::WriteTimer:
      return touch_timer(m, arguments[0], Write);
    case Shared::ReadEnvironment:
      return m.touched(Thing::Environment, Read, 0);
    case Shared::WriteEnvironment:
      return m.touched(Thing::Environment, Write, 0);
  }
}

void tell_change(Machine& m, const Table& table, Value key) {
  Event& event = m.current_event();
  if (!m.tells_changes() || event.kind == EventKind::None) return;
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

void mere_look(Event& event) {
  for (Touch& touch : event.touched) {
    if (touch.is_tentative) touch.mode = TouchMode::Read;
  }
}

}  // namespace fathom::machine
