// ETS: tables as such. Creation, ownership, names, options, what they tell of themselves.
#include <algorithm>
#include <bit>

#include "machine/services.h"
#include "machine/signals.h"
#include "machine/table_owners.h"
#include "natives/clock.h"
#include "natives/families.h"
#include "natives/table_access.h"
#include "values/identifiers.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine::ets_table_natives {
namespace {

struct NamedType {
  std::string_view name;
  TableType type;
};
constexpr NamedType kTypes[] = {{"set", TableType::Set},
                                {"ordered_set", TableType::OrderedSet},
                                {"bag", TableType::Bag},
                                {"duplicate_bag", TableType::DuplicateBag}};
struct NamedProtection {
  std::string_view name;
  Protection protection;
};
constexpr NamedProtection kProtections[] = {{"public", Protection::Public},
                                            {"protected", Protection::Protected},
                                            {"private", Protection::Private}};

Value name_of(TableType type) {
  for (const NamedType& named : kTypes) {
    if (named.type == type) return atom(named.name);
  }
  return Value::none();
}

Value name_of(Protection protection) {
  for (const NamedProtection& named : kProtections) {
    if (named.protection == protection) return atom(named.name);
  }
  return Value::none();
}

std::optional<Protection> protection_of(Value value) {
  for (const NamedProtection& named : kProtections) {
    if (value == atom(named.name)) return named.protection;
  }
  return std::nullopt;
}

// ---- Creation ---------------------------------------------------------------

bool set_plain_option(Table& table, Value option) {
  for (const NamedType& named : kTypes) {
    if (option != atom(named.name)) continue;
    // `set` is what a table is if nothing else is said.
    if (named.type != TableType::Set) table.type = named.type;
    return true;
  }
  if (const std::optional<Protection> protection = protection_of(option)) {
    table.protection = *protection;
    return true;
  }
  if (option == atom("named_table")) return table.is_named = true;
  if (option == atom("compressed")) return table.is_compressed = true;
  return false;
}

// {heir, Pid, Data} or {heir, none}. A process that has ended is not an heir.
bool set_heir(Context& c, Value option, Value& heir, Value& data) {
  if (option.is_tuple(2) && option.element(1) == atom("none")) {
    heir = Value::none();
    data = Value::nil();
    return true;
  }
  if (!option.is_tuple(3) || !option.element(1).is_local_pid()) return false;
  const Value pid = option.element(1);
  heir = look_up(c.machine, pid) ? pid : Value::none();
  data = option.element(2);
  return true;
}

// Options with a value, as they are given.
struct Options {
  Table table;
  Value decentralized = Value::none();
};

// How many locks {debug_hash_fixed_number_of_locks, N} of write_concurrency is: an option by which
// OTP's own tests ask for so many. Empty: it is no such option.
std::optional<int64_t> fixed_locks(Value option) {
  constexpr int64_t kFewest = 64;
  constexpr int64_t kMost = 65535;
  if (option.element(0) != atom("debug_hash_fixed_number_of_locks")) return std::nullopt;
  const std::optional<int64_t> wanted = small_in(option.element(1), 1, kMost);
  if (!wanted) return std::nullopt;
  return std::max(kFewest, static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(*wanted))));
}

Value shown_concurrency(Context& c, const Table& table) {
  const Value value = table.write_concurrency;
  if (!value.is_small()) return value;
  return c.heap.tuple({atom("debug_hash_fixed_number_of_locks"), value});
}

bool set_option(Context& c, Options& options, Value option) {
  Table& table = options.table;
  if (set_plain_option(table, option)) return true;
  if (!option.is_tuple() || option.arity() < 2) return false;
  const Value name = option.element(0);
  if (name == atom("heir")) return set_heir(c, option, table.heir, table.heir_data);
  if (!option.is_tuple(2)) return false;
  const Value value = option.element(1);
  if (name == atom("keypos")) {
    const std::optional<int64_t> position = small_in(value, 1, Header::kMaxSize);
    if (position) table.position = static_cast<size_t>(*position) - 1;
    return position.has_value();
  }
  if (name == atom("write_concurrency") && value == atom("auto")) {
    table.write_concurrency = value;
    return true;
  }
  if (name == atom("write_concurrency") && value.is_tuple(2)) {
    const std::optional<int64_t> locks = fixed_locks(value);
    if (locks) table.write_concurrency = Value::small(*locks);
    return locks.has_value();
  }
  if (!value.is_boolean()) return false;
  if (name == atom("write_concurrency")) {
    table.write_concurrency = value;
  } else if (name == atom("read_concurrency")) {
    table.read_concurrency = value.is_atom(atoms::true_);
  } else if (name == atom("decentralized_counters")) {
    options.decentralized = value;
  } else {
    return false;
  }
  return true;
}

// What OTP makes of the wish for decentralized counters.
bool has_decentralized_counters(const Options& options) {
  const Value concurrency = options.table.write_concurrency;
  if (concurrency.is_atom(atoms::false_)) return false;
  if (!options.decentralized.is_none()) return options.decentralized.is_atom(atoms::true_);
  return concurrency == atom("auto") || concurrency.is_small() || options.table.is_ordered();
}

// Nobody else writes into a private table; the locks are those of hash tables.
bool settle_concurrency(Options& options) {
  Table& table = options.table;
  if (table.is_ordered() && table.write_concurrency.is_small()) return false;
  if (table.protection == Protection::Private) table.write_concurrency = Value(atoms::false_);
  table.decentralized_counters = has_decentralized_counters(options);
  return true;
}

Value new_2(Context& c, const Value* a) {
  if (!a[0].is_atom()) return c.badarg();
  Options options;
  Value list = a[1];
  for (; list.is_cons(); list = list.tail()) {
    if (!set_option(c, options, list.head())) return c.badarg();
  }
  if (!list.is_nil() || !settle_concurrency(options)) return c.badarg();
  options.table.name = a[0];
  options.table.owner = c.machine.process().pid;
  options.table.id = c.machine.numbers().reference(c.machine.process());
  c.machine.journal().set(c.machine.process().has_tables, true);
  c.machine.events().access(SharedObject::Tables, AccessMode::Append, 0);
  if (options.table.is_named)
    c.machine.events().access(SharedObject::TableName, AccessMode::Write, 0, a[0]);
  const bool is_taken = options.table.is_named && table_or_service(c.machine, a[0]);
  const Table* table = is_taken ? nullptr : c.machine.tables().add(options.table);
  if (!table) return c.badarg_because(Atom::intern("already_exists"));
  return c.machine.tables().identifier(*table);
}

Value delete_1(Context& c, const Value* a) {
  Table* table = find_table(c, a[0], TableAccess::Write);
  if (!table) return Value::none();
  delete_table(c.machine, *table);
  return Value::boolean(true);
}

// ---- Names ------------------------------------------------------------------

Value rename_2(Context& c, const Value* a) {
  Table* table = find_table(c, a[0], TableAccess::Write);
  if (!table) return Value::none();
  if (!a[1].is_atom()) return c.badarg();
  c.machine.events().access(SharedObject::TableFacts, AccessMode::Write, table->id);
  if (table->is_named) {
    c.machine.events().access(SharedObject::Tables, AccessMode::Append, 0);
    c.machine.events().access(SharedObject::TableName, AccessMode::Write, 0, table->name);
    c.machine.events().access(SharedObject::TableName, AccessMode::Write, 0, a[1]);
  }
  if (!c.machine.tables().rename(*table, a[1])) return c.badarg();
  return c.machine.tables().identifier(*table);
}

Value whereis_1(Context& c, const Value* a) {
  if (!a[0].is_atom()) return c.badarg();
  const Table* table = table_or_service(c.machine, a[0]);
  return table ? c.heap.reference(table->id) : Value(atoms::undefined);
}

// ets:all/0 waits for as many answers as there are schedulers: one.
Value internal_request_all_0(Context& c, const Value*) {
  std::vector<Value> tables;
  c.machine.events().access(SharedObject::Tables, AccessMode::Read, 0);
  c.machine.tables().for_each(
      [&](const Table& table) { tables.push_back(c.machine.tables().identifier(table)); });
  const Value reference = c.heap.reference(c.machine.numbers().reference(c.machine.process()));
  c.machine.deliver(c.machine.process(), c.heap.tuple({reference, c.heap.list(tables)}));
  return reference;
}

// ---- Ownership --------------------------------------------------------------

Value give_away_3(Context& c, const Value* a) {
  Table* table = find_table(c, a[0], TableAccess::Write);
  if (!table) return Value::none();
  Process* to = look_up(c.machine, a[1]);
  if (!to) return c.badarg();
  if (table->owner != c.machine.process().pid) return c.badarg_because(Atom::intern("not_owner"));
  if (to == &c.machine.process()) return c.badarg_because(Atom::intern("owner"));
  give_table(c.machine, c.machine.process(), *table, *to, a[2]);
  return Value::boolean(true);
}

// Each option at most once, and all of them or none.
Value setopts_2(Context& c, const Value* a) {
  Table* table = find_table(c, a[0], TableAccess::Write);
  if (!table) return Value::none();
  if (table->owner != c.machine.process().pid) return c.badarg();
  const std::optional<std::vector<Value>> options =
      a[1].is_list() ? proper_items(a[1]) : std::vector<Value>{a[1]};
  if (!options) return c.badarg();
  Table changed = *table;
  bool has_heir = false;
  bool has_protection = false;
  for (const Value option : *options) {
    if (!option.is_tuple() || option.arity() < 2) return c.badarg();
    if (option.element(0) == atom("heir") && !has_heir) {
      has_heir = true;
      if (!set_heir(c, option, changed.heir, changed.heir_data)) return c.badarg();
    } else if (option.element(0) == atom("protection") && option.is_tuple(2) && !has_protection) {
      has_protection = true;
      const std::optional<Protection> protection = protection_of(option.element(1));
      if (!protection) return c.badarg();
      changed.protection = *protection;
    } else {
      return c.badarg();
    }
  }
  c.machine.events().access(SharedObject::TableFacts, AccessMode::Write, table->id);
  Journal& journal = c.machine.journal();
  journal.set(table->heir, changed.heir);
  journal.set(table->heir_data, changed.heir_data);
  journal.set(table->protection, changed.protection);
  return Value::boolean(true);
}

Value safe_fixtable_2(Context& c, const Value* a) {
  Table* table = find_table(c, a[0], TableAccess::Read);
  if (!table) return Value::none();
  const Value pid = c.machine.process().pid;
  if (a[1].is_atom(atoms::true_)) {
    c.machine.journal().set(c.machine.process().has_tables, true);
    c.machine.tables().fix(*table, pid, c.machine.clock().read(c.machine.process()));
  } else if (a[1].is_atom(atoms::false_)) {
    c.machine.tables().unfix(*table, pid);
  } else {
    return c.badarg();
  }
  return Value::boolean(true);
}

// ---- Information ------------------------------------------------------------

// In words, as BEAM counts them for small objects; what a table really takes there
// depends on its history.
Value memory_of(const Table& table) {
  constexpr size_t kTableWords = 305;
  constexpr size_t kObjectWords = 7;
  return Value::small(static_cast<int64_t>(kTableWords + kObjectWords * table.size));
}

// [{Pid, Count}] of those that have fixed it.
Value fixers(Context& c, const Table& table) {
  std::vector<Value> items;
  MapPairs pairs(table.fixed_by);
  for (Value pid, count; pairs.next(pid, count);) items.push_back(c.heap.tuple({pid, count}));
  return c.heap.list(items);
}

Value fixation(Context& c, const Table& table, bool as_timestamp) {
  if (!table.is_fixed()) return Value::boolean(false);
  const Value since = as_timestamp ? timestamp(c.heap, table.fixed_since)
                                   : c.heap.integer(kMonotonicStart + table.fixed_since);
  return c.heap.tuple({since, fixers(c, table)});
}

// BEAM's figures on its hash table; that of an empty one.
Value stats(Context& c, const Table& table) {
  if (table.is_ordered()) return Value::boolean(false);
  const Value zero = c.heap.real(0);
  return c.heap.tuple({Value::small(kHashTreeSlots), zero, zero, zero, Value::small(0),
                       Value::small(0), Value::small(0), Value::small(1)});
}

struct Item {
  std::string_view name;
  Value (*value)(Context& c, const Table& table);
};
// Those of info/1 first, in its order.
constexpr size_t kListed = 15;
constexpr Item kItems[] = {
    {"id", [](Context& c, const Table& t) { return c.heap.reference(t.id); }},
    {"decentralized_counters",
     [](Context&, const Table& t) { return Value::boolean(t.decentralized_counters); }},
    {"read_concurrency",
     [](Context&, const Table& t) { return Value::boolean(t.read_concurrency); }},
    {"write_concurrency", shown_concurrency},
    {"compressed", [](Context&, const Table& t) { return Value::boolean(t.is_compressed); }},
    {"memory", [](Context&, const Table& t) { return memory_of(t); }},
    {"owner", [](Context&, const Table& t) { return t.owner; }},
    {"heir", [](Context&, const Table& t) { return t.heir.is_none() ? atom("none") : t.heir; }},
    {"name", [](Context&, const Table& t) { return t.name; }},
    {"size", [](Context&, const Table& t) { return Value::small(static_cast<int64_t>(t.size)); }},
    {"node", [](Context&, const Table&) { return Value(local_node()); }},
    {"named_table", [](Context&, const Table& t) { return Value::boolean(t.is_named); }},
    {"type", [](Context&, const Table& t) { return name_of(t.type); }},
    {"keypos",
     [](Context&, const Table& t) { return Value::small(static_cast<int64_t>(t.position) + 1); }},
    {"protection", [](Context&, const Table& t) { return name_of(t.protection); }},
    {"fixed", [](Context&, const Table& t) { return Value::boolean(t.is_fixed()); }},
    {"safe_fixed", [](Context& c, const Table& t) { return fixation(c, t, true); }},
    {"safe_fixed_monotonic_time", [](Context& c, const Table& t) { return fixation(c, t, false); }},
    {"stats", stats},
    {"binary", [](Context&, const Table&) { return Value::nil(); }},
};

// The table to tell of. Null: there is none, or (if `failed`) it cannot be one.
const Table* table_to_tell_of(Context& c, Value value, bool& failed) {
  Tables& tables = c.machine.tables();
  failed = !tables.is_identifier(value);
  if (failed) c.badarg_because(Atom::intern("type"));
  return table_or_service(c.machine, value);
}

Value info_1(Context& c, const Value* a) {
  bool failed = false;
  const Table* table = table_to_tell_of(c, a[0], failed);
  if (!table) return failed ? Value::none() : Value(atoms::undefined);
  std::vector<Value> items;
  items.reserve(kListed);
  for (size_t i = 0; i < kListed; ++i) {
    items.push_back(c.heap.tuple({atom(kItems[i].name), kItems[i].value(c, *table)}));
  }
  return c.heap.list(items);
}

Value info_2(Context& c, const Value* a) {
  bool failed = false;
  const Table* table = table_to_tell_of(c, a[0], failed);
  if (!table && failed && a[1] == atom("binary")) {
    // In OTP this item is found by Erlang code, which is where it fails.
    c.machine.state.pending = {};
    return c.tail_call(Atom::intern("erts_internal"), Atom::intern("ets_info_binary"), {a, 1});
  }
  if (!table) return failed ? Value::none() : Value(atoms::undefined);
  if (!a[1].is_atom()) return c.badarg();
  for (const Item& item : kItems) {
    if (item.name == a[1].atom().text()) return item.value(c, *table);
  }
  return c.badarg();
}

constexpr NativeEntry kEntries[] = {
    {"ets", "new", 2, new_2},
    {"ets", "delete", 1, delete_1},
    {"ets", "rename", 2, rename_2},
    {"ets", "whereis", 1, whereis_1},
    {"ets", "internal_request_all", 0, internal_request_all_0},
    {"ets", "give_away", 3, give_away_3},
    {"ets", "setopts", 2, setopts_2},
    {"ets", "safe_fixtable", 2, safe_fixtable_2},
    {"ets", "info", 1, info_1},
    {"ets", "info", 2, info_2, true},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::ets_table_natives
