// ETS tables.
//
// What a table holds is one immutable value: for the types set, bag and duplicate_bag a
// hash tree (hash_tree.h) from the key to the object, or to the list of objects, the
// newest first; for ordered_set an ordered tree (ordered_tree.h). A change replaces that
// word through the journal, so a mark costs nothing, and going back restores a word.
//
// Traversal of a table that is not ordered follows the hashes of the keys, which do not
// depend on what else is there: going on after a key visits whatever has not been
// visited, also if that key is gone. OTP allows this only while the table is fixed; so
// the keys that are removed meanwhile are remembered, for nothing else.
//
// Who may do what is decided by the callers (bifs/ets*.cc).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "machine/journal.h"
#include "values/hash_tree.h"
#include "values/heap.h"
#include "values/ordered_tree.h"
#include "values/value.h"

namespace fathom::machine {

enum class TableType : uint8_t { Set, OrderedSet, Bag, DuplicateBag };
enum class Protection : uint8_t { Public, Protected, Private };

struct Table {
  uint64_t id = 0;  // the number of its reference
  TableType type = TableType::Set;
  Protection protection = Protection::Protected;
  bool is_named = false;
  bool is_deleted = false;
  size_t position = 0;  // of the key in an object, from 0
  Value name;
  Value owner;                 // a pid
  Value heir = Value::none();  // a pid
  Value heir_data = Value::nil();

  // Without meaning here, but a program may ask.
  bool is_compressed = false;
  bool read_concurrency = false;
  bool decentralized_counters = false;
  Value write_concurrency = Value(atoms::false_);

  // ---- Its contents
  Value objects;
  size_t size = 0;  // number of objects

  // ---- Fixation: a map from pids to how often they have fixed it; [] if nobody has
  Value fixed_by = Value::nil();
  int64_t fixed_since = 0;       // on the virtual clock
  Value removed = Value::nil();  // a hash tree of keys, or []

  bool is_ordered() const { return type == TableType::OrderedSet; }
  bool is_bag() const { return type == TableType::Bag || type == TableType::DuplicateBag; }
  bool is_fixed() const { return !fixed_by.is_nil(); }
  Value key_of(Value object) const { return object.element(position); }
  bool can_hold(Value value) const { return value.is_tuple() && value.arity() > position; }

  template <class Visitor>
  void visit_values(Visitor&& visit) {
    visit(heir_data);
    visit(objects);
    visit(fixed_by);
    visit(removed);
  }
};

// The objects of one key: one object, or a list of them, the newest first.
template <class F>
void for_each_object(Value group, F&& f) {
  if (!group.is_cons()) return f(group);
  for (; group.is_cons(); group = group.tail()) f(group.head());
}

// The groups of a table one after another. Holds values: no collection may happen in
// between; changes of the table meanwhile are not seen.
class TableWalk {
 public:
  explicit TableWalk(const Table& table, bool backwards = false);
  // Begins after a key (before it, backwards).
  static TableWalk after(const Table& table, Value key, bool backwards = false);
  // For ordered tables: begins where the objects are wanted, see OrderedTreeWalk.
  template <class Predicate>
  TableWalk(const Table& table, bool backwards, Predicate is_wanted)
      : ordered_(std::in_place, table.objects, backwards, is_wanted) {}

  // The next group; none() at the end.
  Value next();

 private:
  std::optional<HashTreePairs> hashed_;
  std::optional<OrderedTreeWalk> ordered_;
};

class Tables {
 public:
  Tables(Heap& heap, Journal& journal) : heap_(heap), journal_(journal) {}

  // ---- The tables

  // A new one, as described; null if its name is taken.
  Table* add(Table description);
  void remove(Table& table);
  // By its name or reference. Null: there is none such.
  Table* find(Value name_or_reference) const;
  Table* find_id(uint64_t id) const;
  // Whether it can stand for a table: an atom, or the reference of one that there was.
  bool is_identifier(Value value) const;
  // False: the name is taken.
  bool rename(Table& table, Value name);
  // What a program calls the table.
  Value identifier(const Table& table) const {
    return table.is_named ? table.name : heap_.reference(table.id);
  }
  template <class F>
  void for_each(F&& f) const {
    for (const std::unique_ptr<Table>& table : tables_) {
      if (!table->is_deleted) f(*table);
    }
  }
  // Those that are deleted. Only where there is a mark they are all known.
  template <class F>
  void for_each_deleted(F&& f) const {
    for (const std::unique_ptr<Table>& table : tables_) {
      if (table->is_deleted) f(*table);
    }
  }
  // Frees those that are deleted, if there is no mark.
  void drop_deleted();

  // ---- Their contents

  // What is stored for the key: a group, or none().
  static Value get(const Table& table, Value key);
  // The objects of the key, the oldest first.
  static std::vector<Value> lookup(const Table& table, Value key);
  void put(Table& table, Value object);
  // One after another.
  void put_all(Table& table, std::span<const Value> objects);
  // Takes the place of the group with the same key and as many objects.
  void replace(Table& table, Value group);
  // Whether there was such a key.
  bool remove_key(Table& table, Value key);
  // Objects that are =:= to it.
  void remove_object(Table& table, Value object);
  void clear(Table& table);

  // ---- Fixation

  void fix(Table& table, Value pid, int64_t now);
  void unfix(Table& table, Value pid);
  // However often the process has fixed it.
  void forget_fixation(Table& table, Value pid);
  // Whether next/2 may go on after the key.
  static bool may_follow(const Table& table, Value key);

  template <class Visitor>
  void visit_values(Visitor&& visit) {
    visit(names_);
    for (const std::unique_ptr<Table>& table : tables_) table->visit_values(visit);
  }

 private:
  using Place = std::vector<std::unique_ptr<Table>>::const_iterator;
  Place place_of(uint64_t id) const;
  void set_objects(Table& table, Value objects, size_t size);
  // The group of a key in a table that is not ordered.
  void set_group(Table& table, Value key, Value group, size_t size);
  void put_in_bag(Table& table, Value object);
  void set_name(Value name, Value id);
  void set_fixed_by(Table& table, Value map);

  Heap& heap_;
  Journal& journal_;
  std::vector<std::unique_ptr<Table>> tables_;  // by ascending id; deleted ones may be there
  std::vector<uint64_t> ids_;                   // of all there have ever been, ascending
  Value names_ = Value::nil();                  // a map: atom => id; [] until the first one
};

}  // namespace fathom::machine
