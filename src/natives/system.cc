// The system as a program sees it: facts, statistics, memory, its end.
//
// The machine is one scheduler on one processor, and says that it is OTP 25.
#include <fmt/format.h>

#include <algorithm>

#include "machine/machine.h"
#include "machine/services.h"
#include "natives/families.h"
#include "natives/options.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine {
namespace {

// ---- system_info ------------------------------------------------------------

// Facts that are one atom, one number or one text.
struct AtomFact {
  std::string_view name;
  std::string_view value;
};
constexpr AtomFact kAtomFacts[] = {
    {"build_type", "opt"},
    {"cpu_quota", "unknown"},
    {"cpu_topology", "undefined"},
    {"debug_compiled", "false"},
    {"dynamic_trace", "none"},
    {"dynamic_trace_probes", "false"},
    {"eager_check_io", "true"},
    {"emu_flavor", "emu"},
    {"emu_type", "opt"},
    {"endian", "little"},
    {"heap_type", "private"},
    {"kernel_poll", "false"},
    {"message_queue_data", "on_heap"},
    {"modified_timing_level", "undefined"},
    {"multi_scheduling", "disabled"},
    {"port_parallelism", "false"},
    {"scheduler_bind_type", "unbound"},
    {"smp_support", "true"},
    {"threads", "true"},
    {"time_correction", "true"},
    {"time_offset", "final"},
    {"time_warp_mode", "no_time_warp"},
    {"tolerant_timeofday", "enabled"},
    {"update_cpu_info", "unchanged"},
};

struct NumberFact {
  std::string_view name;
  int64_t value;
};
constexpr NumberFact kNumberFacts[] = {
    {"atom_limit", 1048576},
    {"compat_rel", 25},
    {"creation", 0},
    {"delayed_node_table_gc", 60},
    {"dirty_cpu_schedulers", 1},
    {"dirty_cpu_schedulers_online", 1},
    {"dirty_io_schedulers", 10},
    {"dist_buf_busy_limit", 1048576},
    {"ets_limit", 8192},
    {"logical_processors", 1},
    {"logical_processors_available", 1},
    {"logical_processors_online", 1},
    {"port_count", 0},
    {"port_limit", 65536},
    {"process_limit", 262144},
    {"scheduler_id", 1},
    {"schedulers", 1},
    {"schedulers_online", 1},
    {"thread_pool_size", 1},
    {"trace_control_word", 0},
    {"wordsize", 8},
};

constexpr AtomFact kTextFacts[] = {
    {"driver_version", "3.3"},
    {"machine", "BEAM"},
    {"nif_version", "2.16"},
    {"otp_release", "25"},
    {"system_architecture", "x86_64-pc-linux-gnu"},
    {"system_version", "Erlang/OTP 25 [erts-13.1.5] [64-bit] [smp:1:1]\n"},
    {"version", "13.1.5"},
};

// Facts that are known to exist, and are not modelled.
constexpr std::string_view kUnmodelledFacts[] = {
    "allocated_areas",
    "allocator",
    "alloc_util_allocators",
    "c_compiler_used",
    "check_io",
    "dist_ctrl",
    "ets_count",
    "heap_sizes",
    "info",
    "loaded",
    "os_monotonic_time_source",
    "os_system_time_source",
    "os_version",
    "procs",
    "scheduler_bindings",
    "snifs",
    "system_logger",
    "dist",
};

template <class Facts>
auto find_fact(const Facts& facts, std::string_view name) -> decltype(&facts[0]) {
  const auto it = std::ranges::find(facts, name, [](const auto& fact) { return fact.name; });
  return it == std::end(facts) ? nullptr : &*it;
}

constexpr NumberFact kHeapFacts[] = {
    {"fullsweep_after", 65535}, {"min_bin_vheap_size", 46422}, {"min_heap_size", 233}};

Value heap_limits(Context& c) {
  const Value pairs[] = {atom("error_logger"), Value::boolean(true), atom("kill"),
                         Value::boolean(true), atom("size"),         Value::small(0)};
  return map_from_pairs(c.heap, pairs);
}

Value collection_facts(Context& c) {
  std::vector<Value> items = {c.heap.tuple({atom("max_heap_size"), Value::small(0)})};
  for (const std::string_view name : {"min_bin_vheap_size", "min_heap_size", "fullsweep_after"}) {
    items.push_back(c.heap.tuple({atom(name), Value::small(find_fact(kHeapFacts, name)->value)}));
  }
  return c.heap.list(items);
}

Value system_info_1(Context& c, const Value* a) {
  if (a[0].is_tuple(2) && a[0].element(0) == atom("wordsize")) {
    const bool known = a[0].element(1) == atom("internal") || a[0].element(1) == atom("external");
    return known ? Value::small(8) : c.badarg();
  }
  if (a[0].is_tuple() && a[0].arity() > 0 && a[0].element(0).is_atom()) {
    const std::string_view name = a[0].element(0).atom().text();
    if (name == "allocator" || name == "allocator_sizes" || name == "cpu_topology") {
      return c.unsupported(name);
    }
  }
  if (!a[0].is_atom()) return c.badarg();
  const std::string_view name = a[0].atom().text();
  if (const auto* fact = find_fact(kAtomFacts, name)) return atom(fact->value);
  if (const auto* fact = find_fact(kNumberFacts, name)) return Value::small(fact->value);
  if (const auto* fact = find_fact(kTextFacts, name)) return c.heap.string(fact->value);
  if (const auto* fact = find_fact(kHeapFacts, name)) {
    return c.heap.tuple({a[0], Value::small(fact->value)});
  }
  if (name == "process_count")
    return Value::small(static_cast<int64_t>(all_pids(c.machine).size()));
  if (name == "atom_count") return Value::small(atom_count());
  if (name == "start_time") return c.heap.integer(int64_t{-576'460'752'000'000'000});
  if (name == "end_time") return c.heap.integer(int64_t{8'646'911'283'000'000'000});
  if (name == "os_type") return c.heap.tuple({atom("unix"), atom("linux")});
  if (name == "max_heap_size") return heap_limits(c);
  if (name == "garbage_collection") return collection_facts(c);
  if (name.ends_with("multi_scheduling_blockers")) return Value::nil();
  if (std::ranges::find(kUnmodelledFacts, name) != std::end(kUnmodelledFacts)) {
    return c.unsupported(name);
  }
  return c.badarg();
}

// A flag may be set to what it is.
Value system_flag_2(Context& c, const Value* a) {
  constexpr NumberFact kFlags[] = {{"backtrace_depth", 8},   {"fullsweep_after", 65535},
                                   {"min_heap_size", 233},   {"min_bin_vheap_size", 46422},
                                   {"schedulers_online", 1}, {"trace_control_word", 0}};
  if (!a[0].is_atom()) return bad_option(c, "system_flag", {a, 2});
  const std::string_view name = a[0].atom().text();
  const auto* flag = find_fact(kFlags, name);
  if (flag && !a[1].is_integer()) return c.badarg();
  if (flag && a[1] == Value::small(flag->value)) return a[1];
  if (name == "scheduler_wall_time" && a[1].is_atom(atoms::false_)) return a[1];
  const bool known = flag || name == "scheduler_wall_time" || name == "multi_scheduling" ||
                     name == "scheduler_bind_type" || name == "time_offset" ||
                     name == "cpu_topology" || name == "max_heap_size" || name == "system_logger" ||
                     name == "microstate_accounting" || name == "dirty_cpu_schedulers_online" ||
                     name == "erts_alloc";
  if (!known) return bad_option(c, "system_flag", {a, 2});
  return c.unsupported(name);
}

// ---- statistics and memory --------------------------------------------------

Value pair(Context& c, Value first, Value second) { return c.heap.tuple({first, second}); }

Value statistics_1(Context& c, const Value* a) {
  const std::string_view name = a[0].is_atom() ? a[0].atom().text() : std::string_view();
  const Statistics& s = c.machine.statistics();
  const Value zero = Value::small(0);
  if (name == "runtime" || name == "wall_clock") {
    const Value milliseconds =
        Value::small(c.machine.clock().read(c.machine.process()) / 1'000'000);
    return pair(c, milliseconds, zero);
  }
  if (name == "reductions" || name == "exact_reductions") {
    return pair(c, Value::small(static_cast<int64_t>(s.reductions)), zero);
  }
  if (name == "context_switches") return pair(c, zero, zero);
  if (name == "garbage_collection") {
    return c.heap.tuple({Value::small(static_cast<int64_t>(s.collections)), zero, zero});
  }
  if (name == "io") {
    const Value written = Value::small(static_cast<int64_t>(c.machine.output().text().size()));
    return pair(c, pair(c, atom("input"), zero), pair(c, atom("output"), written));
  }
  if (name == "run_queue" || name.starts_with("total_run_queue_lengths")) return zero;
  if (name.starts_with("total_active_tasks")) return Value::small(1);
  if (name == "run_queue_lengths" || name == "run_queue_lengths_all") {
    return c.heap.list({&zero, 1});
  }
  if (name == "active_tasks" || name == "active_tasks_all") {
    const Value one = Value::small(1);
    return c.heap.list({&one, 1});
  }
  if (name.starts_with("scheduler_wall_time")) return Value(atoms::undefined);
  if (name == "microstate_accounting") {
    return c.unsupported("microstate_accounting");
  }
  return c.badarg();
}

constexpr std::string_view kMemory[] = {
    "total", "processes", "processes_used", "system", "atom", "atom_used", "binary", "code", "ets"};

// What there is before anything is made for the answer.
struct Memory {
  int64_t heap;
  int64_t binary;
  int64_t atoms;

  explicit Memory(const Heap& h)
      : heap(static_cast<int64_t>(h.used_bytes() - h.buffer_bytes())),
        binary(static_cast<int64_t>(h.buffer_bytes())),
        atoms(int64_t{atom_count()} * 32) {}

  Value of(std::string_view kind) const {
    if (kind == "processes" || kind == "processes_used") return Value::small(heap);
    if (kind == "binary") return Value::small(binary);
    if (kind == "atom" || kind == "atom_used") return Value::small(atoms);
    if (kind == "system") return Value::small(binary + atoms);
    if (kind == "total") return Value::small(heap + binary + atoms);
    return Value::small(0);
  }
};

bool is_memory_kind(Value kind) {
  return kind.is_atom() && std::ranges::find(kMemory, kind.atom().text()) != std::end(kMemory);
}

Value memory_0(Context& c, const Value*) {
  const Memory memory(c.heap);
  std::vector<Value> items;
  for (const std::string_view kind : kMemory) {
    items.push_back(pair(c, atom(kind), memory.of(kind)));
  }
  return c.heap.list(items);
}

Value memory_1(Context& c, const Value* a) {
  const Memory memory(c.heap);
  if (is_memory_kind(a[0])) return memory.of(a[0].atom().text());
  const auto kinds = a[0].is_list() ? proper_items(a[0]) : std::nullopt;
  if (!kinds || !std::ranges::all_of(*kinds, is_memory_kind)) return c.badarg();
  std::vector<Value> items;
  for (const Value kind : *kinds) {
    items.push_back(pair(c, kind, memory.of(kind.atom().text())));
  }
  return c.heap.list(items);
}

// ---- The end -----------------------------------------------------------------

// The exit code for what halt/1 takes; empty if it takes it not.
std::optional<int> exit_code(Value status) {
  constexpr int kAborted = 134;
  constexpr int kCrashed = 1;
  if (status.is_small() && status.small() >= 0) return static_cast<int>(status.small() & 0xFF);
  if (status == atom("abort")) return kAborted;
  if (!status.is_list()) return std::nullopt;
  for (; status.is_cons(); status = status.tail()) {
    if (!small_in(status.head(), 0, 0x10FFFF)) return std::nullopt;
  }
  if (!status.is_nil()) return std::nullopt;
  return kCrashed;
}

Value halt(Context& c, std::optional<int> code) {
  if (!code) return c.badarg();
  c.machine.events().access(SharedObject::System, AccessMode::Write, 0);
  c.machine.stop(Outcome::Kind::Halt, "");
  c.machine.outcome->exit_code = *code;
  return Value::none();
}

Value halt_0(Context& c, const Value*) { return halt(c, 0); }
Value halt_1(Context& c, const Value* a) { return halt(c, exit_code(a[0])); }

Value halt_2(Context& c, const Value* a) {
  Value list = a[1];
  for (; list.is_cons(); list = list.tail()) {
    const Value option = list.head();
    if (!option.is_tuple(2) || option.element(0) != atom("flush") ||
        !option.element(1).is_boolean()) {
      return bad_option(c, "halt", {a, 2});
    }
  }
  if (!list.is_nil()) return bad_option(c, "halt", {a, 2});
  return halt(c, exit_code(a[0]));
}

// ---- NIFs -------------------------------------------------------------------

// Where compiled code calls it, that is OTP's stub for a function written in C which
// the machine does not have. A program's own stub raises, as if its library were
// not there.
Value nif_error(Context& c, const Value* a) {
  const Function* stub = c.machine.code().function_at(c.call.site);
  if (!stub || !stub->owner->unit->path.ends_with(".beam")) return c.error(a[0]);
  return c.unsupported("its caller is written in C");
}

Value load_nif_2(Context& c, const Value* a) {
  if (!latin1_text(a[0])) return c.badarg();
  const Value text = c.heap.string("Failed to load NIF library: the machine has none");
  return pair(c, Value(atoms::error), pair(c, atom("load_failed"), text));
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "system_info", 1, system_info_1, false,
     "allocators, drivers and other internals of BEAM"},
    {"erlang", "system_flag", 2, system_flag_2, false, "a flag can be set only to what it is"},
    {"erlang", "statistics", 1, statistics_1, false, "microstate_accounting"},
    {"erlang", "memory", 0, memory_0},
    {"erlang", "memory", 1, memory_1},
    {"erlang", "halt", 0, halt_0},
    {"erlang", "halt", 1, halt_1},
    {"erlang", "halt", 2, halt_2},
    {"erlang", "nif_error", 1, nif_error, true},
    {"erlang", "nif_error", 2, nif_error, true},
    {"erlang", "load_nif", 2, load_nif_2},
};

}  // namespace

std::span<const NativeEntry> system_natives() { return kEntries; }

}  // namespace fathom::machine
