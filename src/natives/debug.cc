// erts_debug and erts_internal as far as they look at values, and small facts about
// the system that other modules ask for.
#include "base/budget.h"
#include "machine/machine.h"
#include "machine/services.h"
#include "machine/signals.h"
#include "natives/families.h"
#include "values/compare.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine::debug_natives {
namespace {

// ---- erts_internal ----------------------------------------------------------

Value cmp_term_2(Context&, const Value* a) {
  const int order = compare_exact(a[0], a[1]);
  return Value::small(order < 0 ? -1 : order > 0 ? 1 : 0);
}

std::string_view type_of_box(Value value) {
  switch (value.header().kind()) {
    case BoxKind::Tuple:
      return "tuple";
    case BoxKind::Float:
      return "hfloat";
    case BoxKind::BigPositive:
    case BoxKind::BigNegative:
      return "bignum";
    case BoxKind::FlatMap:
      return "flatmap";
    case BoxKind::HashMap:
      return "hashmap";
    case BoxKind::InlineBits:
      return value.is_binary() ? "heap_binary" : "sub_binary";
    case BoxKind::SharedBits:
      return value.is_binary() ? "refc_binary" : "sub_binary";
    case BoxKind::Fun:
      return "fun";
    case BoxKind::ExternalFun:
      return "export";
    case BoxKind::Reference:
      return "reference";
    case BoxKind::Foreign:
      if (value.is_pid()) return "external_pid";
      if (value.is_port()) return "external_port";
      return value.is_reference() ? "external_reference" : "fun";
    case BoxKind::MapBranch:
    case BoxKind::Unknown:
      break;
  }
  return "hashmap_node";
}

Value term_type_1(Context&, const Value* a) {
  if (a[0].is_small()) return atom("fixnum");
  if (a[0].is_atom()) return atom("atom");
  if (a[0].is_nil()) return atom("nil");
  if (a[0].is_cons()) return atom("list");
  if (a[0].is_local_pid()) return atom("pid");
  if (a[0].is_local_port()) return atom("port");
  return atom(type_of_box(a[0]));
}

// ---- erts_debug -------------------------------------------------------------

// Adds the words that a box of its own takes in BEAM, and its parts to `open`. False
// where BEAM would have another shape.
bool add_box_words(Value value, uint64_t& words, std::vector<Value>& open) {
  switch (value.header().kind()) {
    case BoxKind::Tuple:
      words += value.arity() == 0 ? 0 : 1 + value.arity();
      for (const Value element : value.elements()) open.push_back(element);
      return true;
    case BoxKind::Float:
      words += 2;
      return true;
    case BoxKind::BigPositive:
    case BoxKind::BigNegative:
      words += 1 + value.limbs().size();
      return true;
    case BoxKind::FlatMap: {
      const size_t size = map_size(value);
      words += 3 + size + (size == 0 ? 0 : 1 + size);
      for (const Value part : sorted_pairs(value)) open.push_back(part);
      return true;
    }
    case BoxKind::InlineBits:
    case BoxKind::SharedBits:
      if (!value.is_binary()) return false;
      words += value.bit_size() / 8 <= 64 ? 2 + (value.bit_size() / 8 + 7) / 8 : 6;
      return true;
    case BoxKind::Fun:
      words += 5 + value.captures().size();
      for (const Value captured : value.captures()) open.push_back(captured);
      return true;
    case BoxKind::ExternalFun:
      words += 5;
      return true;
    case BoxKind::Reference:
      words += 3;
      return true;
    case BoxKind::HashMap:
    case BoxKind::MapBranch:
    case BoxKind::Foreign:
    case BoxKind::Unknown:
      break;
  }
  return false;
}

Value flat_size_1(Context& c, const Value* a) {
  uint64_t words = 0;
  std::vector<Value> open = {a[0]};
  while (!open.empty()) {
    spend();
    Value value = open.back();
    open.pop_back();
    for (; value.is_cons(); value = value.tail()) {
      words += 2;
      if (!value.head().is_immediate()) open.push_back(value.head());
    }
    if (value.is_immediate()) continue;
    if (!add_box_words(value, words, open)) {
      return c.unsupported("large maps and bitstrings have another shape in BEAM");
    }
  }
  return Value::small(static_cast<int64_t>(words));
}

Value same_2(Context&, const Value* a) { return Value::boolean(a[0] == a[1]); }

// ---- The state of BEAM ------------------------------------------------------

constexpr std::string_view kInternalState = "most of it: the state is that of BEAM";

constexpr int64_t kMostBytes = int64_t{1} << 30;

// What OTP's own tests ask for first is granted; what they then set concerns BEAM alone.
Value set_internal_state_2(Context& c, const Value* a) {
  if (a[0] == atom("binary") && small_in(a[1], 0, kMostBytes)) {
    return c.heap.binary(std::string_view(std::string(static_cast<size_t>(a[1].small()), '\0')));
  }
  if (a[0] == atom("reds_left") || a[0] == atom("block") || a[0] == atom("sleep") ||
      a[0] == atom("force_gc")) {
    return Value::boolean(true);
  }
  if (a[0] == atom("kill_dist_connection")) return Value::boolean(false);
  if (a[0] != atom("available_internal_state")) return Value(atoms::ok);
  return Value::boolean(a[1] == Value::boolean(false));
}

// [{erl_link, process, Pid, linked, Identifier}]
Value link_list(Context& c, const Process& p) {
  std::vector<Value> items;
  MapPairs all(p.links);
  for (Value pid, unused; all.next(pid, unused);) {
    items.push_back(c.heap.tuple({atom("erl_link"), atom("process"), pid, atom("linked"), pid}));
  }
  return c.heap.list(items);
}

// [{erl_monitor, process, origin | target, Reference, Pid, []}]
Value monitor_list(Context& c, const Process& p) {
  std::vector<Value> items;
  const auto add = [&](std::string_view side, Value reference, Value pid) {
    items.push_back(c.heap.tuple(
        {atom("erl_monitor"), atom("process"), atom(side), reference, pid, Value::nil()}));
  };
  MapPairs own(p.monitors);
  for (Value reference, entry; own.next(reference, entry);) {
    add("origin", reference, entry.element(0));
  }
  MapPairs others(p.monitored_by);
  for (Value reference, pid; others.next(reference, pid);) add("target", reference, pid);
  return c.heap.list(items);
}

// There is one node, and nobody else refers to it.
Value node_references(Context& c) {
  const auto one = [&](Value value) { return c.heap.list({&value, 1}); };
  const auto pair = [&](Value first, Value second) { return c.heap.tuple({first, second}); };
  const Value system = atom("system");
  const Value by_system =
      one(pair(pair(system, Value(atoms::undefined)), one(pair(system, Value::small(1)))));
  const Value node = atom("nonode@nohost");
  const Value nodes = one(c.heap.tuple({pair(node, Value::small(0)), Value::small(1), by_system}));
  return pair(pair(atom("node_references"), nodes),
              pair(atom("dist_references"), one(c.heap.tuple({node, Value::small(1), by_system}))));
}

// The flag that OTP's own tests ask for first, and few facts that have a meaning here.
Value get_internal_state_1(Context& c, const Value* a) {
  if (a[0] == atom("available_internal_state")) return Value::boolean(true);
  if (a[0] == atom("reds_left")) return Value::small(4000);
  if (a[0] == atom("check_io_debug")) {
    return c.heap.tuple({Value::small(0), Value::small(0), Value::small(0), Value::small(0)});
  }
  if (a[0] == atom("processes")) return c.heap.list(all_pids(c.machine));
  if (a[0] == atom("max_atom_out_cache_index")) return Value::small(2039);
  if (a[0] == atom("monitoring_nodes") || a[0] == atom("process_info_args")) {
    return Value::nil();
  }
  if (a[0] == atom("force_heap_frags")) return Value::boolean(false);
  if (a[0] == atom("next_port")) return Value::small(5);
  if (a[0] == atom("next_pid")) {
    return Value::small(static_cast<int64_t>(all_pids(c.machine).size()));
  }
  if (a[0] == atom("nbalance")) return Value::small(0);
  if (a[0] == atom("DbTable_words")) return c.heap.tuple({Value::small(49), Value::small(6)});
  if (a[0] == atom("node_and_dist_references")) return node_references(c);
  const bool is_of_pid = a[0].is_tuple(2) && a[0].element(1).is_local_pid();
  if (is_of_pid) {
    const Process* p = c.machine.processes().find(a[0].element(1));
    if (!p) return Value(atoms::undefined);
    if (a[0].element(0) == atom("link_list")) return link_list(c, *p);
    if (a[0].element(0) == atom("monitor_list")) return monitor_list(c, *p);
    if (a[0].element(0) == atom("process_status")) {
      return atom(p == &c.machine.process()                 ? "running"
                  : p->status == Process::Status::Waiting   ? "waiting"
                  : p->status == Process::Status::Suspended ? "suspended"
                                                            : "runable");
    }
    if (a[0].element(0) == atom("have_pending_exit")) return Value::boolean(p->is_exiting);
  }
  const bool is_of_node = a[0].is_tuple(2) && (a[0].element(0) == atom("channel_number") ||
                                               a[0].element(0) == atom("dist_ctrl"));
  if (is_of_node) return Value(atoms::undefined);
  return c.unsupported("the state is that of BEAM");
}

// Of what BEAM is not built with here, as OTP says it of itself as it is delivered.
Value badarg_here(Context& c, const Value*) { return c.badarg(); }
Value copy_shared_2(Context& c, const Value* a) { return a[1].is_boolean() ? a[0] : c.badarg(); }
Value error_here(Context&, const Value*) { return Value(atoms::error); }
Value zero_here(Context&, const Value*) { return Value::small(0); }
Value none_here(Context&, const Value*) { return Value::nil(); }

// Only of large maps is there something to tell, and theirs is another shape in BEAM.
Value map_info_1(Context& c, const Value* a) {
  if (!a[0].is_map()) return c.error(c.heap.tuple({atom("badmap"), a[0]}));
  return map_size(a[0]) <= kMaxFlatMap ? c.badarg() : c.unsupported("large maps");
}

// On which kind of scheduler it runs, by name; or a pause.
Value on_scheduler(Context& c, Value kind, const Value* a) {
  if (a[0] == atom("scheduler") && a[1] == atom("type")) return kind;
  if (a[0] == atom("wait") && small_in(a[1], 0, INT32_MAX)) return Value(atoms::ok);
  return c.unsupported("schedulers of BEAM");
}
Value dirty_cpu_2(Context& c, const Value* a) { return on_scheduler(c, atom("dirty_cpu"), a); }
Value dirty_io_2(Context& c, const Value* a) { return on_scheduler(c, atom("dirty_io"), a); }
Value dirty_3(Context& c, const Value* a) {
  const bool known =
      a[0] == atom("normal") || a[0] == atom("dirty_cpu") || a[0] == atom("dirty_io");
  return known ? on_scheduler(c, a[0], a + 1) : c.badarg();
}

// There are no instructions of BEAM: only what is no function has the same answer.
Value disassemble_1(Context& c, const Value* a) {
  const bool may_be_one = a[0].is_tuple(3) || a[0].is_integer();
  return may_be_one ? c.unsupported("instructions of BEAM") : Value::boolean(false);
}

// Binaries that an object refers to: their addresses are not told.
Value ets_lookup_binary_info_2(Context&, const Value*) { return Value::nil(); }

Value ets_super_user_1(Context& c, const Value* a) {
  return a[0].is_boolean() ? Value(atoms::ok) : c.badarg();
}
Value false_of_process_1(Context& c, const Value* a) {
  return a[0].is_local_pid() ? Value::boolean(false) : c.badarg();
}
Value never_dirty_2(Context& c, const Value*) { return c.error(atom("notsup")); }
Value scheduler_wall_time_1(Context&, const Value*) { return Value::boolean(false); }
Value no_aux_work_threads_0(Context&, const Value*) { return Value::small(2); }

// ---- Facts ------------------------------------------------------------------

Value printable_range_0(Context&, const Value*) { return atom("latin1"); }
Value warning_map_0(Context&, const Value*) { return Value(atoms::warning); }
Value native_name_encoding_0(Context&, const Value*) { return Value(atoms::utf8); }

Value dflag_unicode_io_1(Context& c, const Value* a) {
  return a[0].is_pid() ? Value(atoms::true_) : c.badarg();
}

constexpr NativeEntry kEntries[] = {
    {"erts_internal", "cmp_term", 2, cmp_term_2},
    {"erts_internal", "term_type", 1, term_type_1},
    {"erts_debug", "flat_size", 1, flat_size_1, false,
     "large maps and bitstrings have another shape in BEAM"},
    {"erts_debug", "same", 2, same_2},
    {"erts_debug", "set_internal_state", 2, set_internal_state_2},
    {"erts_debug", "get_internal_state", 1, get_internal_state_1, true, kInternalState},
    {"erts_debug", "copy_shared", 2, copy_shared_2},
    {"erts_debug", "interpreter_size", 0, zero_here},
    {"erts_debug", "dirty", 3, dirty_3, false, "schedulers of BEAM"},
    {"erts_debug", "dirty_cpu", 2, dirty_cpu_2, false, "schedulers of BEAM"},
    {"erts_debug", "dirty_io", 2, dirty_io_2, false, "schedulers of BEAM"},
    {"erts_debug", "disassemble", 1, disassemble_1, false, "instructions of BEAM"},
    {"erts_internal", "ets_lookup_binary_info", 2, ets_lookup_binary_info_2, false,
     "addresses of binaries"},
    {"erts_debug", "instructions", 0, none_here, false, "there are none of BEAM's"},
    {"erts_debug", "lcnt_clear", 0, error_here},
    {"erts_debug", "lcnt_collect", 0, error_here},
    {"erts_debug", "lcnt_control", 1, badarg_here},
    {"erts_debug", "lcnt_control", 2, badarg_here},
    {"erts_debug", "map_info", 1, map_info_1, false, "large maps"},
    {"erts_internal", "ets_super_user", 1, ets_super_user_1},
    {"erts_internal", "is_process_executing_dirty", 1, false_of_process_1},
    {"erts_internal", "check_dirty_process_code", 2, never_dirty_2},
    {"erts_internal", "scheduler_wall_time", 1, scheduler_wall_time_1, false, "schedulers of BEAM"},
    {"erts_internal", "no_aux_work_threads", 0, no_aux_work_threads_0},
    {"io", "printable_range", 0, printable_range_0},
    {"error_logger", "warning_map", 0, warning_map_0},
    {"file", "native_name_encoding", 0, native_name_encoding_0},
    {"net_kernel", "dflag_unicode_io", 1, dflag_unicode_io_1},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::debug_natives
