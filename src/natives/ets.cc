// ETS: objects one by one. What selects by patterns is in ets_match.cc, tables as such
// are in ets_tables.cc.
#include <algorithm>

#include "machine/machine.h"
#include "natives/families.h"
#include "natives/options.h"
#include "natives/table_access.h"
#include "values/arithmetic.h"
#include "values/compare.h"
#include "values/lists.h"

namespace fathom::machine::ets_natives {
namespace {

Value end_of_table() {
  static const Atom end = Atom::intern("$end_of_table");
  return Value(end);
}

// ---- Insertion and removal --------------------------------------------------

// The objects of an argument, one or a list of them. Empty: the table cannot hold them.
std::optional<std::vector<Value>> objects_of(const Table& table, Value argument) {
  if (table.can_hold(argument)) return std::vector<Value>{argument};
  std::optional<std::vector<Value>> objects = proper_items(argument);
  if (!objects) return std::nullopt;
  const bool fit = std::ranges::all_of(*objects, [&](Value o) { return table.can_hold(o); });
  return fit ? std::move(objects) : std::nullopt;
}

// Of a list the last object with a key counts; in a bag OTP puts the last one first.
void put_all(Context& c, Table& table, std::vector<Value>& objects) {
  if (table.type == TableType::Bag) std::ranges::reverse(objects);
  c.machine.tables().put_all(table, objects);
}

Value insert_2(Context& c, const Value* a) {
  Table* table = find_table(c, a[0], TableAccess::Write);
  if (!table) return Value::none();
  std::optional<std::vector<Value>> objects = objects_of(*table, a[1]);
  if (!objects) return c.badarg();
  put_all(c, *table, *objects);
  return Value::boolean(true);
}

Value insert_new_2(Context& c, const Value* a) {
  Table* table = find_table(c, a[0], TableAccess::Write);
  if (!table) return Value::none();
  std::optional<std::vector<Value>> objects = objects_of(*table, a[1]);
  if (!objects) return c.badarg();
  for (const Value object : *objects) {
    if (!Tables::get(*table, table->key_of(object)).is_none()) return Value::boolean(false);
  }
  put_all(c, *table, *objects);
  return Value::boolean(true);
}

Value delete_2(Context& c, const Value* a) {
  Table* table = find_table(c, a[0], TableAccess::Write);
  if (!table) return Value::none();
  c.machine.tables().remove_key(*table, a[1]);
  return Value::boolean(true);
}

Value delete_object_2(Context& c, const Value* a) {
  Table* table = find_table(c, a[0], TableAccess::Write);
  if (!table) return Value::none();
  if (!table->can_hold(a[1])) return c.badarg();
  c.machine.tables().remove_object(*table, a[1]);
  return Value::boolean(true);
}

Value internal_delete_all_2(Context& c, const Value* a) {
  Table* table = find_table(c, a[0], TableAccess::Write);
  if (!table) return Value::none();
  const auto size = static_cast<int64_t>(table->size);
  c.machine.tables().clear(*table);
  // Who goes on with a deletion has counted already.
  return a[1] == Value(atoms::undefined) ? Value::small(size) : a[1];
}

Value take_2(Context& c, const Value* a) {
  Table* table = find_table(c, a[0], TableAccess::Write);
  if (!table) return Value::none();
  const Value objects = c.heap.list(Tables::lookup(*table, a[1]));
  c.machine.tables().remove_key(*table, a[1]);
  return objects;
}

// ---- Looking up -------------------------------------------------------------

Value lookup_2(Context& c, const Value* a) {
  const Table* table = find_table(c, a[0], TableAccess::Read);
  if (!table) return Value::none();
  const Value group = Tables::get(*table, a[1]);
  if (group.is_none()) return Value::nil();
  if (!group.is_cons()) return c.heap.cons(group, Value::nil());
  return c.heap.list(Tables::lookup(*table, a[1]));
}

Value member_2(Context& c, const Value* a) {
  const Table* table = find_table(c, a[0], TableAccess::Read);
  return table ? Value::boolean(!Tables::get(*table, a[1]).is_none()) : Value::none();
}

// `missing`: what stands for a key that is not there; none(): that is an error.
Value lookup_element(Context& c, const Value* a, Value missing) {
  static const Atom badkey = Atom::intern("badkey");
  const Table* table = find_table(c, a[0], TableAccess::Read);
  if (!table) return Value::none();
  const std::optional<int64_t> position = small_in(a[2], 1, Header::kMaxSize);
  if (!position) return c.badarg();
  std::vector<Value> objects = Tables::lookup(*table, a[1]);
  if (objects.empty()) return missing.is_none() ? c.badarg_because(badkey) : missing;
  for (Value& object : objects) {
    if (static_cast<int64_t>(object.arity()) < *position) return c.badarg();
    object = object.element(static_cast<size_t>(*position) - 1);
  }
  return table->is_bag() ? c.heap.list(objects) : objects[0];
}

Value lookup_element_3(Context& c, const Value* a) { return lookup_element(c, a, Value::none()); }
Value lookup_element_4(Context& c, const Value* a) { return lookup_element(c, a, a[3]); }

// ---- Traversal --------------------------------------------------------------

// The key of the next group.
Value key_after(const Table& table, TableWalk walk) {
  const Value group = walk.next();
  if (group.is_none()) return end_of_table();
  return table.key_of(group.is_cons() ? group.head() : group);
}

void look_at_order(Context& c, const Table& table) {
  if (!table.is_ordered() && table.size > 1) c.machine.inputs().look_at(Input::TableOrder);
}

Value first(Context& c, const Value* a, bool backwards) {
  const Table* table = find_table(c, a[0], TableAccess::Read);
  if (table) look_at_order(c, *table);
  return table ? key_after(*table, TableWalk(*table, backwards)) : Value::none();
}

Value next(Context& c, const Value* a, bool backwards) {
  const Table* table = find_table(c, a[0], TableAccess::Read);
  if (!table) return Value::none();
  if (!Tables::may_follow(*table, a[1])) return c.badarg();
  look_at_order(c, *table);
  return key_after(*table, TableWalk::after(*table, a[1], backwards));
}

// {Key, Objects} instead of the key.
Value with_objects(Context& c, Value table, Value key) {
  if (key.is_none() || key == end_of_table()) return key;
  const Table* found = find_table(c, table, TableAccess::Read);
  return c.heap.tuple({key, c.heap.list(Tables::lookup(*found, key))});
}
Value first_lookup_1(Context& c, const Value* a) {
  return with_objects(c, a[0], first(c, a, false));
}
Value last_lookup_1(Context& c, const Value* a) { return with_objects(c, a[0], first(c, a, true)); }
Value next_lookup_2(Context& c, const Value* a) { return with_objects(c, a[0], next(c, a, false)); }
Value prev_lookup_2(Context& c, const Value* a) { return with_objects(c, a[0], next(c, a, true)); }

Value first_1(Context& c, const Value* a) { return first(c, a, false); }
// As first/1 and next/2, beside which OTP's see what was deleted in a fixed table. No events.
constexpr std::string_view kRawWalk = "what was deleted while the table is fixed";
Value raw_first_1(Context& c, const Value* a) {
  return c.machine.stops_at_events() ? c.unsupported("in a check") : first_1(c, a);
}
Value raw_next_2(Context& c, const Value* a) {
  return c.machine.stops_at_events() ? c.unsupported("in a check") : next(c, a, false);
}

Value last_1(Context& c, const Value* a) { return first(c, a, true); }
Value next_2(Context& c, const Value* a) { return next(c, a, false); }
Value prev_2(Context& c, const Value* a) { return next(c, a, true); }

// The slots of an ordered table are its objects; any other has a fixed number of them.
Value slot_2(Context& c, const Value* a) {
  const Table* table = find_table(c, a[0], TableAccess::Read);
  if (!table) return Value::none();
  const auto slots = static_cast<int64_t>(table->is_ordered() ? table->size : kHashTreeSlots);
  const std::optional<int64_t> slot = small_in(a[1], 0, slots);
  if (!slot) return c.badarg();
  if (*slot == slots) return end_of_table();
  const auto index = static_cast<unsigned>(*slot);
  if (table->is_ordered()) {
    const Value object = ordered_tree_at(table->objects, index);
    return c.heap.list({&object, 1});
  }
  look_at_order(c, *table);
  std::vector<Value> objects;
  for (const Value group : hash_tree_slot(table->objects, index)) {
    const auto before = static_cast<ptrdiff_t>(objects.size());
    for_each_object(group, [&](Value object) { objects.push_back(object); });
    std::reverse(objects.begin() + before, objects.end());
  }
  return c.heap.list(objects);
}

// ---- Updates ----------------------------------------------------------------

Value with_element(Heap& heap, Value tuple, size_t i, Value element) {
  Value changed = heap.tuple(tuple.elements());
  changed.words()[1 + i] = element.raw();
  return changed;
}

// An operation of update_counter: {Position, Increment} or {Position, Increment,
// Threshold, SetValue}.
struct CounterChange {
  size_t position = 0;  // from 0
  Value increment;
  Value threshold = Value::none();
  Value set_value;
};

// Empty: an exception has been raised.
std::optional<CounterChange> counter_change(Context& c, const Table& table, Value object,
                                            Value operation) {
  static const Atom keypos = Atom::intern("keypos");
  static const Atom bad_position = Atom::intern("position");
  const auto fail = [&](Value) { return std::nullopt; };
  const bool has_limit = operation.is_tuple(4);
  if (!operation.is_tuple(2) && !has_limit) return fail(c.badarg());
  for (const Value part : operation.elements()) {
    if (!part.is_integer()) return fail(c.badarg());
  }
  if (!small_in(operation.element(0), -kMostSmallInOtp - 1, kMostSmallInOtp)) {
    return fail(c.badarg());
  }
  const auto arity = static_cast<int64_t>(object.arity());
  const std::optional<int64_t> position = small_in(operation.element(0), 1, arity);
  if (!position) return fail(c.badarg_because(bad_position));
  CounterChange change{.position = static_cast<size_t>(*position) - 1,
                       .increment = operation.element(1),
                       .threshold = has_limit ? operation.element(2) : Value::none(),
                       .set_value = has_limit ? operation.element(3) : Value()};
  if (change.position == table.position) return fail(c.badarg_because(keypos));
  if (!object.element(change.position).is_integer()) return fail(c.badarg());
  return change;
}

Value changed_counter(Heap& heap, Value counter, const CounterChange& change) {
  const Value sum = add(heap, counter, change.increment);
  if (change.threshold.is_none()) return sum;
  const bool is_up = sign(change.increment) >= 0;
  const int order = compare(sum, change.threshold);
  return (is_up ? order > 0 : order < 0) ? change.set_value : sum;
}

// Changes the object and puts it into the table: all operations, or none.
Value update_counters(Context& c, Table& table, Value object, Value operations) {
  const bool is_list = operations.is_list();
  if (operations.is_integer()) {
    const auto behind_key = static_cast<int64_t>(table.position) + 2;
    operations = c.heap.tuple({Value::small(behind_key), operations});
  }
  const std::optional<std::vector<Value>> all =
      is_list ? proper_items(operations) : std::vector<Value>{operations};
  if (!all) return c.badarg();
  std::vector<Value> results;
  results.reserve(all->size());
  for (const Value operation : *all) {
    const std::optional<CounterChange> change = counter_change(c, table, object, operation);
    if (!change) return Value::none();
    results.push_back(changed_counter(c.heap, object.element(change->position), *change));
    object = with_element(c.heap, object, change->position, results.back());
  }
  c.machine.tables().put(table, object);
  return is_list ? c.heap.list(results) : results[0];
}

Table* table_with_counters(Context& c, Value name) {
  static const Atom table_type = Atom::intern("table_type");
  Table* table = find_table(c, name, TableAccess::Write);
  if (!table || !table->is_bag()) return table;
  c.badarg_because(table_type);
  return nullptr;
}

Value update_counter_3(Context& c, const Value* a) {
  static const Atom badkey = Atom::intern("badkey");
  Table* table = table_with_counters(c, a[0]);
  if (!table) return Value::none();
  const Value object = Tables::get(*table, a[1]);
  return object.is_none() ? c.badarg_because(badkey) : update_counters(c, *table, object, a[2]);
}

Value update_counter_4(Context& c, const Value* a) {
  // OTP looks at the default before the type of the table.
  if (!find_table(c, a[0], TableAccess::Write)) return Value::none();
  if (!a[3].is_tuple()) return c.badarg();
  Table* table = table_with_counters(c, a[0]);
  if (!table) return Value::none();
  if (!table->can_hold(a[3])) return c.badarg();
  Value object = Tables::get(*table, a[1]);
  if (object.is_none()) object = with_element(c.heap, a[3], table->position, a[1]);
  return update_counters(c, *table, object, a[2]);
}

// `missing`: the object that stands for a key that is not there, but for its key; or none().
Value update_element(Context& c, const Value* a, Value missing) {
  static const Atom keypos = Atom::intern("keypos");
  Table* table = find_table(c, a[0], TableAccess::Write);
  if (!table) return Value::none();
  if (table->is_bag()) return c.badarg();
  Value object = Tables::get(*table, a[1]);
  if (!missing.is_none() && !table->can_hold(missing)) return c.badarg();
  if (object.is_none() && missing.is_none()) return Value::boolean(false);
  if (object.is_none()) object = with_element(c.heap, missing, table->position, a[1]);
  const std::optional<std::vector<Value>> changes =
      a[2].is_tuple() ? std::vector<Value>{a[2]} : proper_items(a[2]);
  if (!changes) return c.badarg();
  for (const Value change : *changes) {
    if (!change.is_tuple(2)) return c.badarg();
    const auto arity = static_cast<int64_t>(object.arity());
    const std::optional<int64_t> position = small_in(change.element(0), 1, arity);
    if (!position) return c.badarg();
    const auto i = static_cast<size_t>(*position) - 1;
    if (i == table->position) return c.badarg_because(keypos);
    object = with_element(c.heap, object, i, change.element(1));
  }
  c.machine.tables().put(*table, object);
  return Value::boolean(true);
}

Value update_element_3(Context& c, const Value* a) { return update_element(c, a, Value::none()); }
Value update_element_4(Context& c, const Value* a) { return update_element(c, a, a[3]); }

constexpr NativeEntry kEntries[] = {
    {"ets", "insert", 2, insert_2},
    {"ets", "insert_new", 2, insert_new_2},
    {"ets", "delete", 2, delete_2},
    {"ets", "delete_object", 2, delete_object_2},
    {"ets", "internal_delete_all", 2, internal_delete_all_2},
    {"ets", "take", 2, take_2},
    {"ets", "lookup", 2, lookup_2},
    {"ets", "lookup_element", 3, lookup_element_3},
    {"ets", "member", 2, member_2},
    {"ets", "first", 1, first_1},
    {"ets", "last", 1, last_1},
    {"ets", "next", 2, next_2},
    {"erts_internal", "ets_raw_first", 1, raw_first_1, false, kRawWalk},
    {"erts_internal", "ets_raw_next", 2, raw_next_2, false, kRawWalk},
    {"ets", "prev", 2, prev_2},
    {"ets", "slot", 2, slot_2},
    {"ets", "update_counter", 3, update_counter_3},
    {"ets", "update_counter", 4, update_counter_4},
    {"ets", "update_element", 3, update_element_3},
    {"ets", "lookup_element", 4, lookup_element_4, false, {}, 26},
    {"ets", "update_element", 4, update_element_4, false, {}, 27},
    {"ets", "first_lookup", 1, first_lookup_1, false, {}, 27},
    {"ets", "last_lookup", 1, last_lookup_1, false, {}, 27},
    {"ets", "next_lookup", 2, next_lookup_2, false, {}, 27},
    {"ets", "prev_lookup", 2, prev_lookup_2, false, {}, 27},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::ets_natives
