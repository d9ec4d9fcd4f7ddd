// Watching the system: erlang:system_monitor, erlang:system_profile and tracing.
//
// What system_monitor and system_profile are set to is remembered, and nothing that they tell of
// ever happens: there are no long collections, large heaps or busy ports here. Tracing that is off
// can be asked for and be switched off; to switch it on is not modelled.
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

constexpr std::string_view kOn = "tracing that is on";

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

// ---- Tracing that is off ----------------------------------------------------

constexpr std::string_view kTraceFlags[] = {"all",
                                            "send",
                                            "receive",
                                            "call",
                                            "silent",
                                            "return_to",
                                            "procs",
                                            "ports",
                                            "scheduling",
                                            "arity",
                                            "set_on_spawn",
                                            "set_on_first_spawn",
                                            "timestamp",
                                            "exiting",
                                            "garbage_collection",
                                            "monotonic_timestamp",
                                            "running",
                                            "set_on_link",
                                            "set_on_first_link",
                                            "strict_monotonic_timestamp",
                                            "cpu_timestamp",
                                            "running_procs",
                                            "running_ports"};
constexpr std::string_view kNewOnes[] = {"new", "new_processes", "new_ports"};
constexpr std::string_view kExisting[] = {"all", "processes", "existing", "existing_processes"};
constexpr std::string_view kPorts[] = {"ports", "existing_ports"};

bool is_trace_flag(Value flag) {
  if (flag.is_tuple(2) || flag.is_tuple(3)) return flag.element(0) == atom("tracer");
  return is_word_in(flag, kTraceFlags);
}

// How many processes it is about.
Value trace_3(Context& c, const Value* a) {
  const auto flags = proper_items(a[2]);
  if (!flags || !std::ranges::all_of(*flags, is_trace_flag)) {
    return bad_option(c, "trace", {a, 3}, "badopt", "erts_internal");
  }
  if (!a[1].is_boolean()) return c.badarg();
  const bool is_one = a[0].is_local_pid() && look_up(c.machine, a[0]);
  if (!is_one && !is_word_in(a[0], kNewOnes) && !is_word_in(a[0], kExisting) &&
      !is_word_in(a[0], kPorts)) {
    return c.badarg();
  }
  if (a[1].is_atom(atoms::true_)) return c.unsupported(kOn);
  if (is_one) return Value::small(1);
  if (flags->empty() || !is_word_in(a[0], kExisting)) return Value::small(0);
  return Value::small(static_cast<int64_t>(all_pids(c.machine).size()));
}

bool is_wildcard(Value value) { return value == atom("_"); }

// How many functions {Module, Name, Arity} stands for, where '_' is any from there on.
int64_t count_functions(Context& c, Value pattern, bool local_too) {
  int64_t count = 0;
  const Value name = pattern.element(1);
  const Value arity = pattern.element(2);
  c.machine.code().for_each_module([&](const LoadedModule& module) {
    if (!is_wildcard(pattern.element(0)) && pattern.element(0) != Value(module.name)) return;
    for (const Function* function : module.functions) {
      const bool is_it = (is_wildcard(name) || name == Value(function->name)) &&
                         (is_wildcard(arity) || arity == Value::small(function->arity));
      const bool is_exported = (*module.core)[function->id].exported;
      if (is_it && (local_too || is_exported)) ++count;
    }
  });
  return count;
}

constexpr std::string_view kPatternFlags[] = {"global",     "local",     "meta",
                                              "call_count", "call_time", "call_memory"};

bool is_function_pattern(Value value) {
  if (!value.is_tuple(3)) return false;
  const Value module = value.element(0);
  const Value name = value.element(1);
  const Value arity = value.element(2);
  if (!module.is_atom() || !name.is_atom()) return false;
  if (!is_wildcard(arity) && !small_in(arity, 0, INT64_MAX)) return false;
  return (!is_wildcard(module) || is_wildcard(name)) && (!is_wildcard(name) || is_wildcard(arity));
}

Value trace_pattern_3(Context& c, const Value* a) {
  const auto refuse = [&](std::string_view cause) {
    return bad_option(c, "trace_pattern", {a, 3}, cause, "erts_internal");
  };
  const bool is_spec =
      a[1].is_boolean() || a[1].is_list() || a[1] == atom("restart") || a[1] == atom("pause");
  if (!is_spec) return refuse("match_spec");
  const auto flags = proper_items(a[2]);
  const auto is_flag = [](Value flag) {
    return is_word_in(flag, kPatternFlags) || (flag.is_tuple(2) && flag.element(0) == atom("meta"));
  };
  if (!flags || !std::ranges::all_of(*flags, is_flag)) return refuse("badopt");
  const bool is_event = a[0] == atom("send") || a[0] == atom("receive");
  if (is_event && (!flags->empty() || a[1] == atom("restart"))) return refuse("none");
  if (!is_event && a[0] != atom("on_load") && !is_function_pattern(a[0])) return refuse("none");
  if (!a[1].is_atom(atoms::false_)) return c.unsupported(kOn);
  if (is_event) return Value::small(1);
  if (a[0] == atom("on_load")) return Value::small(0);
  return Value::small(count_functions(c, a[0], !flags->empty()));
}

Value trace_info_2(Context& c, const Value* a) {
  const auto item = [&](Value value) { return c.heap.tuple({a[1], value}); };
  const bool is_process = a[0].is_local_pid() || is_word_in(a[0], kNewOnes);
  if (is_process) {
    const bool known = a[1] == atom("flags") || a[1] == atom("tracer");
    return known ? item(Value::nil()) : c.badarg();
  }
  if (a[0] == atom("send") || a[0] == atom("receive")) {
    return a[1] == atom("match_spec") ? item(Value::boolean(true)) : c.badarg();
  }
  if (a[0] == atom("on_load")) return item(Value::boolean(false));
  if (!a[0].is_tuple(3)) return bad_option(c, "trace_info", {a, 2});
  if (!a[0].element(0).is_atom() || !a[0].element(1).is_atom()) return c.badarg();
  const bool is_there = !is_wildcard(a[0].element(1)) && !is_wildcard(a[0].element(2)) &&
                        count_functions(c, a[0], true) > 0;
  return item(is_there ? Value::boolean(false) : Value(atoms::undefined));
}

// All that was traced, which is nothing, has arrived: {trace_delivered, Who, Reference}.
Value trace_delivered_1(Context& c, const Value* a) {
  if (!a[0].is_local_pid() && a[0] != atom("all")) return c.badarg();
  Machine& m = c.machine;
  const Value reference = c.heap.reference(m.numbers().reference(m.process()));
  m.deliver(m.process(), c.heap.tuple({atom("trace_delivered"), a[0], reference}));
  return reference;
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "system_monitor", 0, system_monitor_0},
    {"erlang", "system_monitor", 1, system_monitor_1},
    {"erlang", "system_monitor", 2, system_monitor_2},
    {"erlang", "system_profile", 0, system_profile_0},
    {"erlang", "system_profile", 2, system_profile_2, false, "what it would tell of"},
    {"erts_internal", "trace", 3, trace_3, false, kOn},
    {"erts_internal", "trace_pattern", 3, trace_pattern_3, false, kOn},
    {"erlang", "trace_info", 2, trace_info_2},
    {"erlang", "trace_delivered", 1, trace_delivered_1},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::monitoring_natives
