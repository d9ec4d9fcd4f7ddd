// Watching the system: erlang:system_monitor and erlang:system_profile.
//
// What they are set to is remembered, and nothing that they tell of ever happens: there are no long
// collections, large heaps or busy ports here.
#include <algorithm>

#include "machine/machine.h"
#include "machine/services.h"
#include "machine/signals.h"
#include "natives/families.h"
#include "natives/options.h"
#include "natives/process_flags.h"
#include "values/lists.h"

namespace fathom::machine::monitoring_natives {
namespace {

template <class Names>
bool is_word_in(Value value, const Names& names) {
  return value.is_atom() && std::ranges::find(names, value.atom().text()) != std::end(names);
}

// ---- system_monitor, system_profile -----------------------------------------

Value setting(Context& c, std::string_view name) {
  const Value given = system_flag_value(c, atom(name));
  return given.is_none() ? Value(atoms::undefined) : given;
}

// `value`: undefined, or {Who, Options}.
Value change_setting(Context& c, std::string_view name, Value value) {
  if (c.machine.stops_at_events()) return c.unsupported("in a check");
  const Value old = setting(c, name);
  c.machine.inputs().look_at(Input::SystemMonitor);
  set_system_flag(c, atom(name), value);
  return old;
}

bool is_watcher(Context& c, Value who) { return who.is_local_pid() && look_up(c.machine, who); }

// In the order in which OTP lists them; empty: one of them is none.
std::optional<std::vector<Value>> monitored(Value options) {
  const auto items = proper_items(options);
  if (!items) return std::nullopt;
  constexpr std::string_view kWords[] = {"busy_dist_port", "busy_port"};
  constexpr std::string_view kLimits[] = {"large_heap", "long_schedule", "long_gc"};
  std::vector<Value> ordered;
  const auto add = [&](std::string_view name, bool has_limit) {
    for (const Value item : *items) {
      const Value word = has_limit && item.is_tuple(2) ? item.element(0) : item;
      if (word != atom(name) || item.is_tuple() != has_limit) continue;
      ordered.push_back(item);
      return;
    }
  };
  for (const std::string_view name : kWords) add(name, false);
  for (const std::string_view name : kLimits) add(name, true);
  const bool all_known = std::ranges::all_of(*items, [&](Value item) {
    if (!item.is_tuple(2)) return is_word_in(item, kWords);
    return is_word_in(item.element(0), kLimits) && small_in(item.element(1), 1, INT64_MAX);
  });
  return all_known ? std::optional(ordered) : std::nullopt;
}

Value set_system_monitor(Context& c, Value who, Value options) {
  if (who == Value(atoms::undefined) && options.is_nil()) {
    return change_setting(c, "system_monitor", who);
  }
  const auto events = monitored(options);
  if (!events || !is_watcher(c, who)) return c.badarg();
  const Value value =
      events->empty() ? Value(atoms::undefined) : c.heap.tuple({who, c.heap.list(*events)});
  return change_setting(c, "system_monitor", value);
}

Value system_monitor_0(Context& c, const Value*) { return setting(c, "system_monitor"); }
Value system_monitor_1(Context& c, const Value* a) {
  if (a[0].is_tuple(2)) return set_system_monitor(c, a[0].element(0), a[0].element(1));
  return a[0] == Value(atoms::undefined) ? set_system_monitor(c, a[0], Value::nil()) : c.badarg();
}
Value system_monitor_2(Context& c, const Value* a) { return set_system_monitor(c, a[0], a[1]); }

Value system_profile_0(Context& c, const Value*) { return setting(c, "system_profile"); }
Value system_profile_2(Context& c, const Value* a) {
  constexpr std::string_view kWords[] = {
      "runnable_procs", "runnable_ports",      "scheduler",
      "exclusive",      "monotonic_timestamp", "strict_monotonic_timestamp",
      "timestamp"};
  const auto options = proper_items(a[1]);
  const bool known = options && std::ranges::all_of(*options, [&](Value option) {
                       return is_word_in(option, kWords);
                     });
  if (a[0] == Value(atoms::undefined) && known) return change_setting(c, "system_profile", a[0]);
  if (!known || !is_watcher(c, a[0])) return c.badarg();
  return change_setting(c, "system_profile", c.heap.tuple({a[0], a[1]}));
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "system_monitor", 0, system_monitor_0},
    {"erlang", "system_monitor", 1, system_monitor_1},
    {"erlang", "system_monitor", 2, system_monitor_2},
    {"erlang", "system_profile", 0, system_profile_0},
    {"erlang", "system_profile", 2, system_profile_2, false, "what it would tell of"},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::monitoring_natives
