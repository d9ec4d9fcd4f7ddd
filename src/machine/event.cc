#include "machine/event.h"

#include "machine/machine.h"

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

void touch_whole_table(Machine& m, Value argument, TouchMode mode) {
  if (const Table* table = touch_table(m, argument)) m.touched(Thing::Table, mode, table->id);
}

void touch_objects(Machine& m, std::span<const Value> arguments) {
  const Table* table = touch_table(m, arguments[0]);
  if (!table) return;
  const auto touch = [&](Value object) {
    if (!table->can_hold(object)) return;
    m.touched(Thing::Table, TouchMode::Write, table->id, table->key_of(object));
  };
  touch(arguments[1]);
  for (Value rest = arguments[1]; rest.is_cons(); rest = rest.tail()) touch(rest.head());
}

void touch_key(Machine& m, std::span<const Value> arguments, TouchMode mode) {
  if (const Table* table = touch_table(m, arguments[0])) {
    m.touched(Thing::Table, mode, table->id, arguments[1]);
  }
}

// An array of atomics, or of counters: {_, Reference} is one of the latter too.
void touch_atomic(Machine& m, std::span<const Value> arguments, TouchMode mode) {
  if (!arguments[0].is_box(BoxKind::Reference)) return;
  m.touched(Thing::Atomic, mode, arguments[0].reference_number(), arguments[1]);
}

void touch_timer(Machine& m, Value reference, TouchMode mode) {
  if (!reference.is_box(BoxKind::Reference)) return;
  m.touched(Thing::Timer, mode, reference.reference_number());
}

}  // namespace

std::string_view event_word(EventKind kind) { return kWords[static_cast<size_t>(kind)]; }

std::span<const VisibleNative> visible_natives() { return kVisible; }

void touch_arguments(Machine& m, Shared shared, std::span<const Value> arguments) {
  using enum TouchMode;
  switch (shared) {
    case Shared::Signals:
      return;
    case Shared::ReadKey:
      return touch_key(m, arguments, Read);
    case Shared::WriteKey:
      return touch_key(m, arguments, Write);
    case Shared::WriteObject:
      return touch_objects(m, arguments);
    case Shared::ReadTable:
      return touch_whole_table(m, arguments[0], Read);
    case Shared::WriteTable:
      return touch_whole_table(m, arguments[0], Write);
    case Shared::ReadTerm:
      return m.touched(Thing::Term, Read, 0, arguments[0]);
    case Shared::WriteTerm:
      return m.touched(Thing::Term, Write, 0, arguments[0]);
    case Shared::ReadTerms:
      return m.touched(Thing::Term, Read, 0);
    case Shared::WriteTerms:
      return m.touched(Thing::Term, Write, 0);
    case Shared::ReadAtomic:
      return touch_atomic(m, arguments, Read);
    case Shared::WriteAtomic:
      return touch_atomic(m, arguments, Write);
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

}  // namespace fathom::machine
