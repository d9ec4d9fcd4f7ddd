// ETS: selecting objects by patterns and match specifications.
//
// Only objects that can match are looked at: those of the keys that the specification
// names, if each of its clauses names one; in an ordered table those whose keys begin as
// its only clause says; else all of them.
//
// A continuation has the shape that ets:repair_continuation/2 expects, and says after
// which key to go on: whatever has changed meanwhile, nothing is visited twice.
#include <algorithm>

#include "base/budget.h"
#include "machine/machine.h"
#include "machine/match_spec.h"
#include "natives/families.h"
#include "natives/options.h"
#include "natives/table_access.h"
#include "values/compare.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine::ets_match_natives {
namespace {

Value end_of_table() { return atom("$end_of_table"); }

// ---- Candidates -------------------------------------------------------------

// The keys that can match a pattern of which only the beginning is known: a tuple or a
// list whose first elements have no variables. In the order of keys they are a range.
class KeyRange {
 public:
  explicit KeyRange(Value pattern) : pattern_(pattern) {
    if (pattern.is_tuple()) {
      while (known_ < pattern.arity() && is_ground(pattern.element(known_))) ++known_;
    }
    for (Value list = pattern; list.is_cons() && is_ground(list.head()); list = list.tail()) {
      ++known_;
    }
  }

  bool is_limited() const { return known_ > 0; }

  // Negative: before the range; 0: in it; positive: after it.
  int order(Value key) const {
    if (pattern_.is_cons()) return list_order(key);
    if (!key.is_tuple(pattern_.arity())) return compare(key, pattern_);
    for (size_t i = 0; i < known_; ++i) {
      if (const int order = compare(key.element(i), pattern_.element(i))) return order;
    }
    return 0;
  }

 private:
  int list_order(Value key) const {
    Value pattern = pattern_;
    for (size_t i = 0; i < known_; ++i) {
      if (!key.is_cons()) return compare(key, pattern);
      if (const int order = compare(key.head(), pattern.head())) return order;
      key = key.tail();
      pattern = pattern.tail();
    }
    return 0;
  }

  Value pattern_;
  size_t known_ = 0;  // elements
};

class Candidates {
 public:
  // All of them, or those after a key.
  Candidates(const Table& table, const MatchSpec& spec, bool backwards,
             Value behind = Value::none())
      : table_(table) {
    if (std::optional<std::vector<Value>> keys = spec.keys(table.position)) {
      use_keys(std::move(*keys), backwards, behind);
      return;
    }
    if (table.is_ordered()) {
      use_range(KeyRange(spec.key_pattern(table.position)), backwards, behind);
    } else {
      walk_ = behind.is_none() ? TableWalk(table) : TableWalk::after(table, behind);
    }
  }

  // The objects of the next key; none() at the end.
  Value next() {
    spend();
    if (!walk_) {
      while (next_key_ < keys_.size()) {
        const Value group = Tables::get(table_, keys_[next_key_++]);
        if (!group.is_none()) return group;
      }
      return Value::none();
    }
    const Value group = walk_->next();
    if (group.is_none() || !range_) return group;
    const int order = range_->order(table_.key_of(group));
    return order == 0 ? group : Value::none();
  }

  // It is known that there are no more.
  bool is_at_end() const { return !walk_ && next_key_ == keys_.size(); }

 private:
  bool is_same_key(Value a, Value b) const {
    return table_.is_ordered() ? equal(a, b) : equal_exact(a, b);
  }

  void use_keys(std::vector<Value> keys, bool backwards, Value behind) {
    const bool ordered = table_.is_ordered();
    std::ranges::sort(keys, [&](Value a, Value b) {
      const int order = ordered ? compare(a, b) : compare_exact(a, b);
      return backwards ? order > 0 : order < 0;
    });
    const auto end =
        std::unique(keys.begin(), keys.end(), [&](Value x, Value y) { return is_same_key(x, y); });
    keys.erase(end, keys.end());
    keys_ = std::move(keys);
    if (behind.is_none()) return;
    const auto last = std::ranges::find_if(keys_, [&](Value k) { return is_same_key(k, behind); });
    next_key_ = static_cast<size_t>(last - keys_.begin()) + (last == keys_.end() ? 0 : 1);
  }

  void use_range(const KeyRange& range, bool backwards, Value behind) {
    if (range.is_limited()) range_ = range;
    walk_.emplace(table_, backwards, [&](Value object) {
      const Value key = table_.key_of(object);
      const int sign = backwards ? -1 : 1;
      if (range_ && range_->order(key) * sign < 0) return false;
      return behind.is_none() || compare(key, behind) * sign > 0;
    });
  }

  const Table& table_;
  std::vector<Value> keys_;
  size_t next_key_ = 0;
  std::optional<TableWalk> walk_;
  std::optional<KeyRange> range_;
};

// ---- Selections -------------------------------------------------------------

struct Selection {
  const Table& table;
  Value source;  // of the specification: a list, or what match_spec_compile/1 gave
  MatchSpec spec;
  bool backwards = false;
  size_t limit = 0;  // 0: none
  // Of one that goes on: the last key that was looked at, and results that are left over.
  Value last_key = Value::none();
  Value left_over = Value::nil();
};

Value continuation(Context& c, const Selection& s, Value last_key, std::span<const Value> rest) {
  const Value table = c.machine.tables().identifier(s.table);
  const Value limit = Value::small(static_cast<int64_t>(s.limit));
  const Value zero = Value::small(0);
  const Value left_over = c.heap.list(rest);
  if (s.table.is_ordered()) {
    return c.heap.tuple({table, last_key, Value::nil(), limit, s.source, left_over,
                         Value::small(s.backwards ? 1 : 0), zero});
  }
  return c.heap.tuple({table, zero, limit, s.source, c.heap.cons(last_key, left_over), zero});
}

void look_at_order(Context& c, const Table& table) {
  if (!table.is_ordered() && table.size > 1) c.machine.inputs().look_at(Input::TableOrder);
}

bool is_written_concurrently(const Table& table) {
  return !table.write_concurrency.is_atom(atoms::false_);
}

// A bag is walked from the newest object of a key to the oldest, and what is found is shown the
// other way round: all of them, or those of one chunk.
void order_chunk(const Table& table, std::span<Value> results) {
  if (table.is_bag()) std::ranges::reverse(results);
}

Value select_some(Context& c, Selection& s) {
  look_at_order(c, s.table);
  std::vector<Value> results;
  for (Value rest = s.left_over; rest.is_cons(); rest = rest.tail()) results.push_back(rest.head());
  Candidates candidates(s.table, s.spec, s.backwards, s.last_key);
  Value last_key = s.last_key;
  while (results.size() < s.limit) {
    const Value group = candidates.next();
    if (group.is_none()) {
      if (results.empty()) return end_of_table();
      order_chunk(s.table, results);
      return c.heap.tuple({c.heap.list(results), end_of_table()});
    }
    last_key = s.table.key_of(group.is_cons() ? group.head() : group);
    for_each_object(group, [&](Value object) {
      const Value result = s.spec.run(c, object);
      if (!result.is_none()) results.push_back(result);
    });
  }
  const std::span<Value> chunk = std::span(results).first(s.limit);
  const std::span<const Value> rest = std::span<const Value>(results).subspan(s.limit);
  const bool is_last = rest.empty() && candidates.is_at_end();
  const Value more = is_last ? end_of_table() : continuation(c, s, last_key, rest);
  order_chunk(s.table, chunk);
  return c.heap.tuple({c.heap.list(chunk), more});
}

Value select_all(Context& c, Selection& s) {
  std::vector<Value> results;
  Candidates candidates(s.table, s.spec, s.backwards);
  for (Value group = candidates.next(); !group.is_none(); group = candidates.next()) {
    const size_t before = results.size();
    for_each_object(group, [&](Value object) {
      const Value result = s.spec.run(c, object);
      if (!result.is_none()) results.push_back(result);
    });
    order_chunk(s.table, std::span(results).subspan(before));
  }
  if (results.size() > 1) look_at_order(c, s.table);
  return c.heap.list(results);
}

// The pattern of match/2 and match_object/2 as a specification.
Value spec_of_pattern(Context& c, Value pattern, std::string_view result) {
  const Value item = atom(result);
  const Value clause = c.heap.tuple({pattern, Value::nil(), c.heap.list({&item, 1})});
  return c.heap.list({&clause, 1});
}

Value select(Context& c, Value name, Value source, bool backwards, Value limit = Value::none()) {
  const Table* table = find_table(c, name, TableAccess::Read);
  if (!table) return Value::none();
  const std::optional<int64_t> most =
      limit.is_none() ? std::optional<int64_t>(0) : small_in(limit, 1, kMostSmallInOtp);
  std::optional<MatchSpec> spec = MatchSpec::compile(c, source);
  if (!most || !spec) return c.badarg();
  Selection s{.table = *table,
              .source = source,
              .spec = std::move(*spec),
              .backwards = backwards && table->is_ordered(),
              .limit = static_cast<size_t>(*most)};
  if (is_written_concurrently(*table)) c.machine.inputs().look_at(Input::ConcurrentWalk);
  return limit.is_none() ? select_all(c, s) : select_some(c, s);
}

Value select_2(Context& c, const Value* a) { return select(c, a[0], a[1], false); }
Value select_3(Context& c, const Value* a) { return select(c, a[0], a[1], false, a[2]); }
Value select_reverse_2(Context& c, const Value* a) { return select(c, a[0], a[1], true); }
Value select_reverse_3(Context& c, const Value* a) { return select(c, a[0], a[1], true, a[2]); }
Value match_2(Context& c, const Value* a) {
  return select(c, a[0], spec_of_pattern(c, a[1], "$$"), false);
}
Value match_3(Context& c, const Value* a) {
  return select(c, a[0], spec_of_pattern(c, a[1], "$$"), false, a[2]);
}
Value match_object_2(Context& c, const Value* a) {
  return select(c, a[0], spec_of_pattern(c, a[1], "$_"), false);
}
Value match_object_3(Context& c, const Value* a) {
  return select(c, a[0], spec_of_pattern(c, a[1], "$_"), false, a[2]);
}

// ---- Compiled specifications ------------------------------------------------

// What match_spec_compile/1 was given; none() if it is not a compiled specification.
Value source_of(Context& c, Value compiled) {
  const Value map = c.machine.shared().match_specs.map;
  if (map.is_none() || !compiled.is_box(BoxKind::Reference)) return Value::none();
  return map_get(map, Value::small(static_cast<int64_t>(compiled.reference_number())));
}

Value match_spec_compile_1(Context& c, const Value* a) {
  if (a[0].is_nil() || !MatchSpec::compile(c, a[0])) return c.badarg();
  Value& map = c.machine.shared().match_specs.map;
  const uint64_t number = c.machine.numbers().reference(c.machine.process());
  const Value before = map.is_none() ? empty_map(c.heap) : map;
  const Value key = Value::small(static_cast<int64_t>(number));
  c.machine.journal().set(map, map_put(c.heap, before, key, a[0]));
  return c.heap.reference(number);
}

Value is_compiled_ms_1(Context& c, const Value* a) {
  return Value::boolean(!source_of(c, a[0]).is_none());
}

Value match_spec_run_r_3(Context& c, const Value* a) {
  const Value source = source_of(c, a[1]);
  if (source.is_none()) return c.badarg();
  std::optional<MatchSpec> spec = MatchSpec::compile(c, source);
  Value results = a[2];
  Value list = a[0];
  for (; list.is_cons(); list = list.tail()) {
    const Value result = spec->run(c, list.head());
    if (!result.is_none()) results = c.heap.cons(result, results);
  }
  return list.is_nil() ? results : c.badarg();
}

Value match_spec_test_3(Context& c, const Value* a) {
  if (a[2] == atom("trace")) {
    static const Atom tests = Atom::intern("fathom_trace");
    static const Atom test = Atom::intern("match_spec_test");
    return c.machine.code().find_export(tests, test, 2)->native(c, a);
  }
  if (a[2] != atom("table")) return c.badarg();
  std::vector<std::string> problems;
  std::optional<MatchSpec> spec = MatchSpec::compile(c, a[1], &problems);
  if (spec && a[1].is_nil()) problems.emplace_back("Match programs are not in a list.");
  if (!problems.empty()) {
    std::vector<Value> items;
    items.reserve(problems.size());
    for (const std::string& problem : problems) {
      items.push_back(c.heap.tuple({Value(atoms::error), c.heap.string_utf8(problem)}));
    }
    return c.heap.tuple({Value(atoms::error), c.heap.list(items)});
  }
  const Value result = spec->run(c, a[0]);
  return c.heap.tuple({Value(atoms::ok), result.is_none() ? Value::boolean(false) : result,
                       Value::nil(), Value::nil()});
}

// ---- Continuations ----------------------------------------------------------

// The parts of a continuation, where they are in its tuple.
struct Shape {
  size_t arity, limit, source;
};
constexpr Shape kHashed{6, 2, 3};
constexpr Shape kOrdered{8, 3, 4};

Value go_on_1(Context& c, const Value* a) {
  const Value from = a[0];
  if (from == end_of_table()) return from;
  if (!from.is_tuple() || from.arity() == 0) return c.badarg();
  const Table* table = find_table(c, from.element(0), TableAccess::Read);
  if (!table) return Value::none();
  const Shape& shape = table->is_ordered() ? kOrdered : kHashed;
  if (!from.is_tuple(shape.arity)) return c.badarg();
  const std::optional<int64_t> limit = small_in(from.element(shape.limit), 1, kMostSmallInOtp);
  const Value source = from.element(shape.source);
  const Value compiled = source_of(c, source);
  std::optional<MatchSpec> spec = MatchSpec::compile(c, compiled.is_none() ? source : compiled);
  if (!limit || !spec) return c.badarg();
  Selection s{.table = *table,
              .source = source,
              .spec = std::move(*spec),
              .limit = static_cast<size_t>(*limit)};
  if (table->is_ordered()) {
    s.last_key = from.element(1);
    s.left_over = from.element(5);
    s.backwards = from.element(6) == Value::small(1);
  } else {
    if (!from.element(4).is_cons()) return c.badarg();
    s.last_key = from.element(4).head();
    s.left_over = from.element(4).tail();
  }
  return select_some(c, s);
}

// ---- Changes ----------------------------------------------------------------

// What is done with the objects of a table that match: f(object, result) says whether it
// counts.
template <class F>
Value for_matching(Context& c, const Table& table, MatchSpec& spec, F&& f) {
  Candidates candidates(table, spec, false);
  int64_t count = 0;
  for (Value group = candidates.next(); !group.is_none(); group = candidates.next()) {
    for_each_object(group, [&](Value object) {
      const Value result = spec.run(c, object);
      if (!result.is_none() && f(object, result)) ++count;
    });
  }
  return Value::small(count);
}

Value select_count_2(Context& c, const Value* a) {
  const Table* table = find_table(c, a[0], TableAccess::Read);
  if (!table) return Value::none();
  std::optional<MatchSpec> spec = MatchSpec::compile(c, a[1]);
  if (!spec) return c.badarg();
  return for_matching(c, *table, *spec,
                      [](Value, Value result) { return result.is_atom(atoms::true_); });
}

Value internal_select_delete_2(Context& c, const Value* a) {
  Table* table = find_table(c, a[0], TableAccess::Write);
  if (!table) return Value::none();
  std::optional<MatchSpec> spec = MatchSpec::compile(c, a[1]);
  if (!spec) return c.badarg();
  std::vector<Value> chosen;
  const Value count = for_matching(c, *table, *spec, [&](Value object, Value result) {
    if (result.is_atom(atoms::true_)) chosen.push_back(object);
    return result.is_atom(atoms::true_);
  });
  for (const Value object : chosen) {
    record_change(c.machine, *table, table->key_of(object));
    c.machine.tables().remove_object(*table, object);
  }
  return count;
}

// What a group becomes; none() if nothing in it matches. `count`: how many matched.
Value replaced(Context& c, MatchSpec& spec, Value group, int64_t& count) {
  std::vector<Value> objects;
  const int64_t before = count;
  for_each_object(group, [&](Value object) {
    const Value result = spec.run(c, object);
    if (!result.is_none()) ++count;
    objects.push_back(result.is_none() ? object : result);
  });
  if (count == before) return Value::none();
  return group.is_cons() ? c.heap.list(objects) : objects[0];
}

Value select_replace_2(Context& c, const Value* a) {
  Table* table = find_table(c, a[0], TableAccess::Write);
  if (!table) return Value::none();
  if (table->type == TableType::Bag) return c.badarg_because(Atom::intern("table_type"));
  std::optional<MatchSpec> spec = MatchSpec::compile(c, a[1]);
  if (!spec || !spec->keeps_keys(table->position)) return c.badarg();
  Candidates candidates(*table, *spec, false);
  std::vector<Value> groups;
  int64_t count = 0;
  for (Value group = candidates.next(); !group.is_none(); group = candidates.next()) {
    const Value changed = replaced(c, *spec, group, count);
    if (!changed.is_none()) groups.push_back(changed);
  }
  for (const Value group : groups) {
    record_change(c.machine, *table, table->key_of(group.is_cons() ? group.head() : group));
    c.machine.tables().replace(*table, group);
  }
  return Value::small(count);
}

constexpr NativeEntry kEntries[] = {
    {"ets", "select", 1, go_on_1},
    {"ets", "select", 2, select_2},
    {"ets", "select", 3, select_3},
    {"ets", "select_reverse", 1, go_on_1},
    {"ets", "select_reverse", 2, select_reverse_2},
    {"ets", "select_reverse", 3, select_reverse_3},
    {"ets", "match", 1, go_on_1},
    {"ets", "match", 2, match_2},
    {"ets", "match", 3, match_3},
    {"ets", "match_object", 1, go_on_1},
    {"ets", "match_object", 2, match_object_2},
    {"ets", "match_object", 3, match_object_3},
    {"ets", "select_count", 2, select_count_2},
    {"ets", "select_replace", 2, select_replace_2},
    {"ets", "internal_select_delete", 2, internal_select_delete_2},
    {"ets", "match_spec_compile", 1, match_spec_compile_1},
    {"ets", "match_spec_run_r", 3, match_spec_run_r_3},
    {"ets", "is_compiled_ms", 1, is_compiled_ms_1},
    {"erlang", "match_spec_test", 3, match_spec_test_3},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::ets_match_natives
