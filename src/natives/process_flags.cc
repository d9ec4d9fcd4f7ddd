#include "natives/process_flags.h"

#include <algorithm>
#include <vector>

#include "machine/machine.h"
#include "values/maps.h"

namespace fathom::machine {
namespace {

constexpr int64_t kMinHeap = 233;  // words, OTP's defaults
constexpr int64_t kMinBinaryHeap = 46422;
constexpr int64_t kFullsweep = 65535;

// A Fibonacci-like sequence at first, then a fifth more each time.
std::vector<int64_t> make_heap_sizes() {
  constexpr size_t kSlow = 23;
  constexpr size_t kAll = 137;
  std::vector<int64_t> sizes = {12, 38};
  while (sizes.size() < kSlow) sizes.push_back(sizes.back() + sizes[sizes.size() - 2] + 1);
  while (sizes.size() < kAll) sizes.push_back(sizes.back() + sizes.back() / 5);
  return sizes;
}

bool is_among(Value value, std::initializer_list<std::string_view> names) {
  return value.is_atom() && std::ranges::find(names, value.atom().text()) != names.end();
}

Value heap_limit(Context& c, Value size) {
  const Value pairs[] = {atom("error_logger"), Value::boolean(true), atom("kill"),
                         Value::boolean(true), atom("size"),         size};
  return map_from_pairs(c.heap, pairs);
}

// The least size that a process may ask for: what system_flag/2 was given, or OTP's own.
int64_t least_size(Context& c, Value flag, int64_t usual) {
  const Value given = system_flag_value(c, flag);
  return given.is_none() ? usual : given.small();
}

}  // namespace

std::span<const int64_t> heap_sizes() {
  static const std::vector<int64_t> sizes = make_heap_sizes();
  return sizes;
}

int64_t heap_size_for(int64_t words) {
  const std::span<const int64_t> sizes = heap_sizes();
  const auto at = std::ranges::lower_bound(sizes, words);
  return at == sizes.end() ? sizes.back() : *at;
}

// 0, or at least the least heap that the process has; alone, or as the size in a map.
Value checked_heap_limit(Context& c, Value value, int64_t least) {
  const auto is_limit = [&](Value size) {
    return size.is_small() && (size.small() == 0 || size.small() >= least);
  };
  if (!value.is_map()) return is_limit(value) ? heap_limit(c, value) : Value::none();
  Value limit = heap_limit(c, Value::small(0));
  const Value size = map_get(value, atom("size"));
  if (!is_limit(size)) return Value::none();
  limit = map_put(c.heap, limit, atom("size"), size);
  for (const std::string_view name : {"kill", "error_logger"}) {
    const Value flag = map_get(value, atom(name));
    if (flag.is_none()) continue;
    if (!flag.is_boolean()) return Value::none();
    limit = map_put(c.heap, limit, atom(name), flag);
  }
  return limit;
}

Value default_flag(Context& c, Value flag) {
  if (flag == atom("trap_exit") || flag == atom("sensitive")) return Value::boolean(false);
  if (flag == atom("priority")) return atom("normal");
  if (flag == atom("error_handler")) return flag;
  if (flag == atom("min_heap_size")) return Value::small(kMinHeap);
  if (flag == atom("min_bin_vheap_size")) return Value::small(kMinBinaryHeap);
  if (flag == atom("fullsweep_after")) return Value::small(kFullsweep);
  if (flag == atom("max_heap_size")) return heap_limit(c, Value::small(0));
  if (flag == atom("message_queue_data")) return atom("on_heap");
  if (flag == atom("save_calls") || flag == atom("scheduler")) return Value::small(0);
  return Value::none();
}

Value flag_value(Context& c, const Process& p, Value flag) {
  const Value set = map_get(p.flags, flag);
  return set.is_none() ? default_flag(c, flag) : set;
}

Value checked_flag(Context& c, Value flag, Value value, int64_t least) {
  constexpr int64_t kMostCalls = 10000;
  constexpr int64_t kSchedulers = 1;
  const bool natural = value.is_small() && value.small() >= 0;
  bool ok = natural;
  if (flag == atom("trap_exit") || flag == atom("sensitive")) {
    ok = value.is_boolean();
  } else if (flag == atom("priority")) {
    ok = is_among(value, {"low", "normal", "high", "max"});
  } else if (flag == atom("error_handler")) {
    ok = value.is_atom();
  } else if (flag == atom("message_queue_data")) {
    ok = is_among(value, {"on_heap", "off_heap"});
  } else if (flag == atom("save_calls")) {
    ok = natural && value.small() <= kMostCalls;
  } else if (flag == atom("scheduler")) {
    ok = natural && value.small() <= kSchedulers;
  } else if (flag == atom("fullsweep_after") && natural) {
    return Value::small(value.small() & 0xFFFF);  // as many bits as BEAM has for it
  } else if (flag == atom("min_heap_size") && natural) {
    return Value::small(std::max(heap_size_for(value.small()), least_size(c, flag, kMinHeap)));
  } else if (flag == atom("min_bin_vheap_size") && natural) {
    return Value::small(
        std::max(heap_size_for(value.small()), least_size(c, flag, kMinBinaryHeap)));
  } else if (flag == atom("max_heap_size")) {
    c.machine.inputs().look_at(Input::HeapLimit);
    return checked_heap_limit(c, value, least);
  }
  return ok ? value : Value::none();
}

Value system_flag_value(Context& c, Value flag) {
  const Value map = c.machine.shared().system_flags.map;
  return map.is_none() ? map : map_get(map, flag);
}

void set_system_flag(Context& c, Value flag, Value value) {
  Value& map = c.machine.shared().system_flags.map;
  const Value before = map.is_none() ? empty_map(c.heap) : map;
  c.machine.journal().set(map, map_put(c.heap, before, flag, value));
}

Value with_system_flags(Context& c, Value flags) {
  if (c.machine.shared().system_flags.map.is_none()) return flags;
  for (const std::string_view name :
       {"min_heap_size", "min_bin_vheap_size", "max_heap_size", "fullsweep_after"}) {
    const Value given = system_flag_value(c, atom(name));
    if (given.is_none()) continue;
    if (flags.is_none()) flags = empty_map(c.heap);
    if (map_get(flags, atom(name)).is_none()) flags = map_put(c.heap, flags, atom(name), given);
  }
  return flags;
}

}  // namespace fathom::machine
