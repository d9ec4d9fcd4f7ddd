// The system as a program sees it: facts, statistics, memory, its end.
//
// The machine is one scheduler on one processor, and says that it is the OTP whose libraries it
// runs.
#include <fmt/format.h>

#include <algorithm>

#include "machine/machine.h"
#include "machine/services.h"
#include "natives/dump_texts.h"
#include "natives/families.h"
#include "natives/options.h"
#include "natives/process_flags.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine::system_natives {
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
    {"ets_realloc_moves", "false"},
    {"hipe_architecture", "undefined"},
    {"port_tasks", "true"},
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
    {"outstanding_system_requests_limit", 4},
    {"trace_control_word", 0},
    {"wordsize", 8},
};

constexpr AtomFact kTextFacts[] = {
    {"driver_version", "3.3"},
    {"machine", "BEAM"},
    {"nif_version", "2.16"},
    {"system_architecture", "x86_64-pc-linux-gnu"},
};

template <class Facts>
auto find_fact(const Facts& facts, std::string_view name) -> decltype(&facts[0]) {
  const auto it = std::ranges::find(facts, name, [](const auto& fact) { return fact.name; });
  return it == std::end(facts) ? nullptr : &*it;
}

constexpr NumberFact kHeapFacts[] = {
    {"fullsweep_after", 65535}, {"min_bin_vheap_size", 46422}, {"min_heap_size", 233}};

// A number that system_flag/2 may have changed.
Value flag_number(Context& c, const NumberFact& fact) {
  const Value given = system_flag_value(c, atom(fact.name));
  return given.is_none() ? Value::small(fact.value) : given;
}

Value heap_limits(Context& c) {
  const Value given = system_flag_value(c, atom("max_heap_size"));
  return given.is_none() ? default_flag(c, atom("max_heap_size")) : given;
}

Value collection_facts(Context& c) {
  const Value limit = map_get(heap_limits(c), atom("size"));
  std::vector<Value> items = {c.heap.tuple({atom("max_heap_size"), limit})};
  for (const std::string_view name : {"min_bin_vheap_size", "min_heap_size", "fullsweep_after"}) {
    items.push_back(c.heap.tuple({atom(name), flag_number(c, *find_fact(kHeapFacts, name))}));
  }
  return c.heap.list(items);
}

Value listed(Context& c, std::initializer_list<Value> items) {
  return c.heap.list({items.begin(), items.size()});
}

// What an operating system's clock would tell of itself: this one is the machine's own.
Value clock_source(Context& c, std::string_view clock, bool is_monotonic) {
  const auto item = [&](std::string_view name, Value value) {
    return c.heap.tuple({atom(name), value});
  };
  std::vector<Value> items = {item("function", atom("clock_gettime")),
                              item("clock_id", atom(clock)),
                              item("resolution", Value::small(1'000'000'000))};
  if (is_monotonic) items.push_back(item("extended", atom("no")));
  items.push_back(item("parallel", atom("yes")));
  items.push_back(item("time", c.heap.integer(c.machine.clock().read(c.machine.process()))));
  return c.heap.list(items);
}

// The functions that OTP writes in C, as far as Fathom knows them.
Value known_natives(Context& c) {
  std::vector<Value> items;
  for (const NativeEntry& entry : native_functions()) {
    items.push_back(
        c.heap.tuple({atom(entry.module), atom(entry.name), Value::small(entry.arity)}));
  }
  return c.heap.list(items);
}

int64_t table_count(Context& c) {
  int64_t count = 0;
  c.machine.tables().for_each([&](const Table&) { ++count; });
  return count;
}

// Facts of BEAM's schedulers and allocators: one scheduler of each kind, and no allocator.
Value scheduler_or_allocator_fact(Context& c, std::string_view name) {
  const Value one = Value::small(1);
  if (name == "scheduler_bindings") return c.heap.tuple({atom("unbound")});
  if (name == "schedulers_state") return c.heap.tuple({one, one, one});
  if (name == "all_schedulers_state") {
    const Value ten = Value::small(10);
    return listed(c, {c.heap.tuple({atom("normal"), one, one, one}),
                      c.heap.tuple({atom("dirty_cpu"), one, one, one}),
                      c.heap.tuple({atom("dirty_io"), ten, ten, ten})});
  }
  if (name == "reader_groups_map") return listed(c, {c.heap.tuple({Value::small(0), one})});
  if (name == "allocator") {
    return c.heap.tuple({Value(atoms::undefined), Value::nil(), Value::nil(), Value::nil()});
  }
  if (name == "alloc_util_allocators" || name == "allocated_areas" || name == "check_io" ||
      name == "dist_ctrl" || name == "taints" || name.ends_with("multi_scheduling_blockers")) {
    return Value::nil();
  }
  return Value::none();
}

// That of erts: of OTP 25 the one that comparisons run against, of others the first of the release.
std::string erts_version(uint32_t release) {
  constexpr uint32_t kBehind = 12;  // OTP 25 has erts 13
  return release == 25 ? "13.1.5" : fmt::format("{}.0", release - kBehind);
}

// Of the release. none(): another fact.
Value release_fact(Context& c, std::string_view name) {
  const uint32_t release = c.machine.source().otp_release();
  if (name == "compat_rel") return Value::small(release);
  if (name == "otp_release") return c.heap.string(std::to_string(release));
  if (name == "version") return c.heap.string(erts_version(release));
  if (name == "system_version") {
    return c.heap.string(fmt::format("Erlang/OTP {} [erts-{}] [64-bit] [smp:1:1]\n", release,
                                     erts_version(release)));
  }
  return Value::none();
}

// Who is told of what the emulator logs: a pid, `logger` or `undefined`.
Value system_logger(Context& c) {
  const Value given = system_flag_value(c, atom("system_logger"));
  return given.is_none() ? atom("logger") : given;
}

Value composed_fact(Context& c, std::string_view name) {
  if (const Value fact = release_fact(c, name); !fact.is_none()) return fact;
  if (name == "process_count")
    return Value::small(static_cast<int64_t>(all_pids(c.machine).size()));
  if (name == "atom_count") return Value::small(atom_count());
  if (name == "ets_count") return Value::small(table_count(c));
  if (name == "start_time") return c.heap.integer(int64_t{-576'460'752'000'000'000});
  if (name == "end_time") return c.heap.integer(int64_t{8'646'911'283'000'000'000});
  if (name == "os_type") return c.heap.tuple({atom("unix"), atom("linux")});
  if (name == "os_version")
    return c.heap.tuple({Value::small(6), Value::small(1), Value::small(0)});
  if (name == "c_compiler_used") {
    return c.heap.tuple(
        {atom("gnuc"), c.heap.tuple({Value::small(__GNUC__), Value::small(__GNUC_MINOR__),
                                     Value::small(__GNUC_PATCHLEVEL__)})});
  }
  if (name == "max_heap_size") return heap_limits(c);
  if (name == "garbage_collection") return collection_facts(c);
  if (name == "os_monotonic_time_source") return clock_source(c, "CLOCK_MONOTONIC", true);
  if (name == "os_system_time_source") return clock_source(c, "CLOCK_REALTIME", false);
  if (name == "dist") return c.heap.binary("=node:'nonode@nohost'\n=no_distribution\n");
  if (name == "sequential_tracer")
    return c.heap.tuple({atom("sequential_tracer"), Value::boolean(false)});
  if (name == "heap_sizes") {
    std::vector<Value> sizes;
    for (const int64_t size : heap_sizes()) sizes.push_back(Value::small(size));
    return c.heap.list(sizes);
  }
  if (name == "snifs") return known_natives(c);
  if (name == "procs") return c.heap.binary(std::string_view(processes_text(c)));
  if (name == "info") return c.heap.binary(std::string_view(memory_text(c)));
  if (name == "loaded") return c.heap.binary(std::string_view(loaded_text(c)));
  if (name == "system_logger") return system_logger(c);
  return scheduler_or_allocator_fact(c, name);
}

constexpr std::string_view kAllocators[] = {
    "binary_alloc", "driver_alloc",  "eheap_alloc", "ets_alloc",  "exec_alloc",
    "fix_alloc",    "literal_alloc", "ll_alloc",    "mseg_alloc", "sl_alloc",
    "std_alloc",    "sys_alloc",     "temp_alloc",  "erts_mmap"};

bool is_allocator(Value name) {
  return name.is_atom() &&
         std::ranges::find(kAllocators, name.atom().text()) != std::end(kAllocators);
}

// {Fact, What}
Value fact_of(Context& c, Value fact, Value what) {
  if (fact == atom("wordsize")) {
    const bool known = what == atom("internal") || what == atom("external");
    return known ? Value::small(8) : c.badarg();
  }
  if (fact == atom("cpu_topology")) {
    const bool known = what == atom("defined") || what == atom("detected") || what == atom("used");
    return known ? Value(atoms::undefined) : c.badarg();
  }
  // `false`, as of an allocator that BEAM was started without.
  if (fact == atom("allocator") || fact == atom("allocator_sizes")) {
    return is_allocator(what) ? Value::boolean(false) : c.badarg();
  }
  return c.badarg();
}

Value system_info_1(Context& c, const Value* a) {
  if (a[0].is_tuple(2)) return fact_of(c, a[0].element(0), a[0].element(1));
  if (!a[0].is_atom()) return c.badarg();
  const std::string_view name = a[0].atom().text();
  if (const auto* fact = find_fact(kAtomFacts, name)) {
    const Value given = system_flag_value(c, a[0]);
    return given.is_none() ? atom(fact->value) : given;
  }
  if (const auto* fact = find_fact(kNumberFacts, name)) return flag_number(c, *fact);
  if (const auto* fact = find_fact(kTextFacts, name)) return c.heap.string(fact->value);
  if (const auto* fact = find_fact(kHeapFacts, name)) {
    return c.heap.tuple({a[0], flag_number(c, *fact)});
  }
  const Value value = composed_fact(c, name);
  return value.is_none() ? c.badarg() : value;
}

// ---- system_flag ------------------------------------------------------------

// Flags that are numbers: what they may be, and what they are if nobody has set them.
struct NumberFlag {
  std::string_view name;
  int64_t value;
  int64_t least;
  int64_t most;
};
constexpr NumberFlag kNumberFlags[] = {{"backtrace_depth", 8, 0, kMostSmallInOtp},
                                       {"dirty_cpu_schedulers_online", 1, 1, 1},
                                       {"fullsweep_after", 65535, 0, kMostSmallInOtp},
                                       {"min_bin_vheap_size", 46422, 0, kMostSmallInOtp},
                                       {"min_heap_size", 233, 0, kMostSmallInOtp},
                                       {"outstanding_system_requests_limit", 4, 1, 134217727},
                                       {"schedulers_online", 1, 1, 1},
                                       {"trace_control_word", 0, 0, UINT32_MAX}};

// Flags that are words: what they are if nobody has set them, and what they may be set to.
struct WordFlag {
  std::string_view name;
  std::string_view value;
  std::vector<std::string_view> values;
};
const std::vector<WordFlag>& word_flags() {
  static const std::vector<WordFlag> flags = {
      {"scheduler_wall_time", "false", {"true", "false"}},
      {"microstate_accounting", "false", {"true", "false", "reset"}},
      {"scheduler_bind_type",
       "unbound",
       {"default_bind", "no_node_processor_spread", "no_node_thread_spread", "no_spread",
        "processor_spread", "spread", "thread_no_node_processor_spread", "thread_spread",
        "unbound"}},
      {"cpu_topology", "undefined", {"undefined"}},
  };
  return flags;
}

Value set_number_flag(Context& c, const NumberFlag& flag, const Value* a) {
  const auto wanted = small_in(a[1], flag.least, flag.most);
  if (!wanted) return c.badarg();
  const bool is_size = flag.name.starts_with("min_");
  const Value old = flag_number(c, {flag.name, flag.value});
  constexpr int64_t kDeepest = 64;
  const bool is_depth = flag.name == "backtrace_depth";
  const int64_t kept = is_size    ? heap_size_for(*wanted)
                       : is_depth ? std::min(*wanted, kDeepest)
                                  : *wanted;
  set_system_flag(c, a[0], Value::small(kept));
  return old;
}

Value set_word_flag(Context& c, const WordFlag& flag, const Value* a) {
  const bool known =
      a[1].is_atom() && std::ranges::find(flag.values, a[1].atom().text()) != flag.values.end();
  if (!known) return c.badarg();
  const Value given = system_flag_value(c, a[0]);
  const Value old = given.is_none() ? atom(flag.value) : given;
  set_system_flag(c, a[0], a[1] == atom("reset") ? old : a[1]);
  return old;
}

Value set_heap_limit(Context& c, const Value* a) {
  const Value least = system_flag_value(c, atom("min_heap_size"));
  constexpr int64_t kLeast = 233;
  const Value limit = checked_heap_limit(c, a[1], least.is_none() ? kLeast : least.small());
  if (limit.is_none()) return c.badarg();
  c.machine.inputs().look_at(Input::HeapLimit);
  const Value old = heap_limits(c);
  set_system_flag(c, a[0], limit);
  return old;
}

// With one scheduler there is nothing to block.
Value multi_scheduling(Context& c, Value how) {
  for (const std::string_view known : {"block", "unblock", "block_normal", "unblock_normal"}) {
    if (how == atom(known)) return atom("disabled");
  }
  return c.badarg();
}

// The emulator logs nothing by itself here; whoever has asked for it gets nothing.
Value set_system_logger(Context& c, const Value* a) {
  const bool known =
      a[1].is_local_pid() || a[1] == atom("logger") || a[1] == Value(atoms::undefined);
  if (!known) return c.badarg();
  const Value old = system_logger(c);
  set_system_flag(c, a[0], a[1]);
  return old;
}

// Other processes can see what is set, and a check does not explore that.
Value system_flag_2(Context& c, const Value* a) {
  if (c.machine.stops_at_events()) return c.unsupported("in a check");
  if (!a[0].is_atom()) return bad_option(c, "system_flag", {a, 2});
  const std::string_view name = a[0].atom().text();
  if (const auto* flag = find_fact(kNumberFlags, name)) return set_number_flag(c, *flag, a);
  const auto word = std::ranges::find(word_flags(), name, &WordFlag::name);
  if (word != word_flags().end()) return set_word_flag(c, *word, a);
  if (name == "max_heap_size") return set_heap_limit(c, a);
  if (name == "multi_scheduling") return multi_scheduling(c, a[1]);
  if (name == "time_offset" && a[1] == atom("finalize")) return atom("final");
  if (name == "debug_flags" || name == "reset_seq_trace") return Value::boolean(true);
  if (name == "erts_alloc") return c.badarg();
  if (name == "system_logger") return set_system_logger(c, a);
  if (name == "sequential_tracer") return c.unsupported(name);
  return bad_option(c, "system_flag", {a, 2});
}

// ---- statistics and memory --------------------------------------------------

Value pair(Context& c, Value first, Value second) { return c.heap.tuple({first, second}); }

bool is_flag_on(Context& c, std::string_view flag) {
  return system_flag_value(c, atom(flag)) == Value::boolean(true);
}

// [{Id, Time that it worked, Time that there was}]: the one scheduler has always worked, the
// dirty ones never.
Value scheduler_times(Context& c) {
  if (!is_flag_on(c, "scheduler_wall_time")) return Value(atoms::undefined);
  const Value now = c.heap.integer(c.machine.clock().read(c.machine.process()));
  return listed(c, {c.heap.tuple({Value::small(1), now, now}),
                    c.heap.tuple({Value::small(2), Value::small(0), now})});
}

Value microstates(Context& c) {
  const bool is_on = is_flag_on(c, "microstate_accounting");
  const int64_t now = is_on ? c.machine.clock().read(c.machine.process()) : 0;
  std::vector<Value> counters;
  for (const std::string_view name :
       {"aux", "check_io", "emulator", "gc", "other", "port", "sleep"}) {
    counters.push_back(atom(name));
    counters.push_back(name == "emulator" ? c.heap.integer(now) : Value::small(0));
  }
  const Value pairs[] = {atom("counters"),   map_from_pairs(c.heap, counters),
                         atom("id"),         Value::small(1),
                         Value(atoms::type), atom("scheduler")};
  return listed(c, {map_from_pairs(c.heap, pairs)});
}

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
  if (name.starts_with("scheduler_wall_time")) return scheduler_times(c);
  if (name == "microstate_accounting") return microstates(c);
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
    {"erlang", "system_info", 1, system_info_1},
    {"erlang", "system_flag", 2, system_flag_2, false, "sequential_tracer"},
    {"erlang", "statistics", 1, statistics_1},
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

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::system_natives
