#include "machine/ets.h"

#include <algorithm>

#include "values/compare.h"
#include "values/maps.h"

namespace fathom::machine {
namespace {

Value small(uint64_t n) { return Value::small(static_cast<int64_t>(n)); }

}  // namespace

// ---- The tables -------------------------------------------------------------

Table* Tables::add(Table description) {
  if (description.is_named) {
    if (find(description.name)) return nullptr;
    set_name(description.name, small(description.id));
  }
  description.objects = description.is_ordered() ? empty_ordered_tree() : empty_hash_tree(heap_);
  const auto at = tables_.insert(place_of(description.id), std::make_unique<Table>(description));
  ids_.insert(std::ranges::lower_bound(ids_, description.id), description.id);
  journal_.record(
      [](std::span<const uint64_t> words) {
        auto* tables = reinterpret_cast<Tables*>(words[0]);
        tables->tables_.erase(tables->place_of(words[1]));
        tables->ids_.erase(std::ranges::lower_bound(tables->ids_, words[1]));
      },
      {reinterpret_cast<uint64_t>(this), description.id});
  return at->get();
}

void Tables::remove(Table& table) {
  if (table.is_named) set_name(table.name, Value::none());
  journal_.set(table.is_deleted, true);
  if (journal_.active()) return;
  std::erase_if(tables_, [&](const auto& other) { return other.get() == &table; });
}

void Tables::drop_deleted() {
  if (journal_.active()) return;
  std::erase_if(tables_, [](const auto& table) { return table->is_deleted; });
}

// Where it is, or would be.
Tables::Place Tables::place_of(uint64_t id) const {
  return std::ranges::lower_bound(tables_, id, {}, [](const auto& t) { return t->id; });
}

Table* Tables::find(Value value) const {
  uint64_t id = 0;
  if (value.is_atom()) {
    const Value known = names_.is_nil() ? Value::none() : map_get(names_, value);
    if (known.is_none()) return nullptr;
    id = static_cast<uint64_t>(known.small());
  } else if (value.is_box(BoxKind::Reference)) {
    id = value.reference_number();
  } else {
    return nullptr;
  }
  return find_id(id);
}

Table* Tables::find_id(uint64_t id) const {
  const auto at = place_of(id);
  if (at == tables_.end() || (*at)->id != id || (*at)->is_deleted) return nullptr;
  return at->get();
}

bool Tables::is_identifier(Value value) const {
  if (value.is_atom()) return true;
  return value.is_box(BoxKind::Reference) &&
         std::ranges::binary_search(ids_, value.reference_number());
}

void Tables::set_name(Value name, Value id) {
  const Value before = names_.is_nil() ? empty_map(heap_) : names_;
  journal_.set(names_,
               id.is_none() ? map_remove(heap_, before, name) : map_put(heap_, before, name, id));
}

bool Tables::rename(Table& table, Value name) {
  if (table.is_named) {
    if (find(name)) return false;
    set_name(table.name, Value::none());
    set_name(name, small(table.id));
  }
  journal_.set(table.name, name);
  return true;
}

// ---- Their contents ---------------------------------------------------------

Value Tables::get(const Table& table, Value key) {
  return table.is_ordered() ? ordered_tree_get(table.objects, table.position, key)
                            : hash_tree_get(table.objects, key);
}

std::vector<Value> Tables::lookup(const Table& table, Value key) {
  std::vector<Value> objects;
  const Value group = get(table, key);
  if (group.is_none()) return objects;
  for_each_object(group, [&](Value object) { objects.push_back(object); });
  std::ranges::reverse(objects);
  return objects;
}

void Tables::set_objects(Table& table, Value objects, size_t size) {
  journal_.set(table.objects, objects);
  if (size != table.size) journal_.set(table.size, size);
}

void Tables::set_group(Table& table, Value key, Value group, size_t size) {
  if (!group.is_none() && !group.is_nil()) {
    return set_objects(table, hash_tree_put(heap_, table.objects, key, group), size);
  }
  set_objects(table, hash_tree_remove(heap_, table.objects, key), size);
  if (!table.is_fixed()) return;
  const Value before = table.removed.is_nil() ? empty_hash_tree(heap_) : table.removed;
  journal_.set(table.removed, hash_tree_put(heap_, before, key, Value(atoms::true_)));
}

void Tables::put_in_bag(Table& table, Value object) {
  const Value key = table.key_of(object);
  const Value group = hash_tree_get(table.objects, key);
  const Value others = group.is_none() ? Value::nil() : group;
  if (table.type == TableType::Bag) {
    for (Value list = others; list.is_cons(); list = list.tail()) {
      if (equal_exact(list.head(), object)) return;
    }
  }
  set_group(table, key, heap_.cons(object, others), table.size + 1);
}

void Tables::put(Table& table, Value object) {
  if (table.is_bag()) return put_in_bag(table, object);
  if (table.is_ordered()) {
    const Value tree = ordered_tree_put(heap_, table.objects, table.position, object);
    return set_objects(table, tree, ordered_tree_size(tree));
  }
  const Value tree = hash_tree_put(heap_, table.objects, table.key_of(object), object);
  set_objects(table, tree, hash_tree_size(tree));
}

// A set that at least doubles is made anew, without all the trees in between.
void Tables::put_all(Table& table, std::span<const Value> objects) {
  if (table.type != TableType::Set || objects.size() < std::max<size_t>(table.size, 32)) {
    for (const Value object : objects) put(table, object);
    return;
  }
  std::vector<Value> pairs;
  pairs.reserve(2 * (table.size + objects.size()));
  const auto add = [&](Value object) {
    pairs.push_back(table.key_of(object));
    pairs.push_back(object);
  };
  TableWalk walk(table);
  for (Value object = walk.next(); !object.is_none(); object = walk.next()) add(object);
  for (const Value object : objects) add(object);
  std::vector<HashedPair> entries = distinct_pairs(pairs);
  set_objects(table, hash_tree_of(heap_, pairs, entries), entries.size());
}

void Tables::replace(Table& table, Value group) {
  if (!group.is_cons()) return put(table, group);
  set_group(table, table.key_of(group.head()), group, table.size);
}

bool Tables::remove_key(Table& table, Value key) {
  const Value group = get(table, key);
  if (group.is_none()) return false;
  if (table.is_ordered()) {
    const Value tree = ordered_tree_remove(heap_, table.objects, table.position, key);
    set_objects(table, tree, table.size - 1);
    return true;
  }
  size_t count = 0;
  for_each_object(group, [&](Value) { ++count; });
  set_group(table, key, Value::none(), table.size - count);
  return true;
}

void Tables::remove_object(Table& table, Value object) {
  const Value key = table.key_of(object);
  const Value group = get(table, key);
  if (group.is_none()) return;
  if (!table.is_bag()) {
    if (equal_exact(group, object)) remove_key(table, key);
    return;
  }
  std::vector<Value> left;
  size_t count = 0;
  for_each_object(group, [&](Value other) {
    ++count;
    if (!equal_exact(other, object)) left.push_back(other);
  });
  if (left.size() == count) return;
  set_group(table, key, heap_.list(left), table.size - (count - left.size()));
}

void Tables::clear(Table& table) {
  if (table.is_fixed() && !table.is_ordered()) {
    Value removed = table.removed;
    if (removed.is_nil()) {
      removed = table.objects;
    } else {
      HashTreePairs pairs(table.objects);
      for (Value key, group; pairs.next(key, group);) {
        removed = hash_tree_put(heap_, removed, key, Value(atoms::true_));
      }
    }
    journal_.set(table.removed, removed);
  }
  set_objects(table, table.is_ordered() ? empty_ordered_tree() : empty_hash_tree(heap_), 0);
}

// ---- Fixation ---------------------------------------------------------------

void Tables::fix(Table& table, Value pid, int64_t now) {
  if (!table.is_fixed()) journal_.set(table.fixed_since, now);
  const Value before = table.is_fixed() ? table.fixed_by : empty_map(heap_);
  const Value count = map_get(before, pid);
  const Value more = Value::small(count.is_none() ? 1 : count.small() + 1);
  journal_.set(table.fixed_by, map_put(heap_, before, pid, more));
}

void Tables::set_fixed_by(Table& table, Value map) {
  const bool is_free = map_size(map) == 0;
  journal_.set(table.fixed_by, is_free ? Value::nil() : map);
  if (is_free) journal_.set(table.removed, Value::nil());
}

void Tables::unfix(Table& table, Value pid) {
  const Value count = table.is_fixed() ? map_get(table.fixed_by, pid) : Value::none();
  if (count.is_none()) return;
  if (count.small() == 1) return forget_fixation(table, pid);
  const Value less = Value::small(count.small() - 1);
  set_fixed_by(table, map_put(heap_, table.fixed_by, pid, less));
}

void Tables::forget_fixation(Table& table, Value pid) {
  if (table.is_fixed()) set_fixed_by(table, map_remove(heap_, table.fixed_by, pid));
}

bool Tables::may_follow(const Table& table, Value key) {
  static const Atom end = Atom::intern("$end_of_table");
  if (table.is_ordered()) return !key.is_atom(end);
  if (!get(table, key).is_none()) return true;
  return !table.removed.is_nil() && !hash_tree_get(table.removed, key).is_none();
}

// ---- Walks ------------------------------------------------------------------

TableWalk::TableWalk(const Table& table, bool backwards) {
  if (table.is_ordered()) {
    ordered_.emplace(table.objects, backwards);
  } else {
    hashed_.emplace(table.objects);
  }
}

TableWalk TableWalk::after(const Table& table, Value key, bool backwards) {
  if (table.is_ordered()) {
    return {table, backwards, [&](Value object) {
              const int order = compare(table.key_of(object), key);
              return backwards ? order < 0 : order > 0;
            }};
  }
  TableWalk walk(table);
  walk.hashed_->go_behind(key);
  return walk;
}

Value TableWalk::next() {
  if (ordered_) return ordered_->next();
  Value key;
  Value group;
  return hashed_->next(key, group) ? group : Value::none();
}

}  // namespace fathom::machine
