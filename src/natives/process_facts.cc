// Flags and facts of processes. Sizes (heap, stack, memory) are those of this machine.
#include <algorithm>
#include <optional>

#include "machine/machine.h"
#include "machine/services.h"
#include "machine/signals.h"
#include "machine/stack_trace.h"
#include "natives/families.h"
#include "natives/options.h"
#include "values/identifiers.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine {
namespace {

Value true_1(Context&, const Value*) { return Value::boolean(true); }

bool is_alive(Context& c, Value pid) { return ask(c.machine, pid) != nullptr; }

// Of a flag, the group leader or the dictionary of a process.
void access_flag(Context& c, AccessMode mode, uint64_t process, Value which) {
  c.machine.events().access(SharedObject::Flags, mode, process, which);
}

Value group_leader_0(Context& c, const Value*) {
  const Process& p = c.machine.process();
  if (c.machine.events().watched().leaders) {
    access_flag(c, AccessMode::Read, p.pid.local_number(), atom("group_leader"));
  }
  return p.group_leader;
}

Value group_leader_2(Context& c, const Value* a) {
  Process* p = a[0].is_pid() ? ask(c.machine, a[1]) : nullptr;
  if (!p) return c.badarg();
  access_flag(c, AccessMode::Write, p->pid.local_number(), atom("group_leader"));
  c.machine.journal().set(p->group_leader, a[0]);
  c.machine.mark_dirty(*p);
  return Value::boolean(true);
}

// ---- Flags ------------------------------------------------------------------

constexpr int64_t kMinHeap = 233;  // words, OTP's defaults
constexpr int64_t kMinBinaryHeap = 46422;
constexpr int64_t kFullsweep = 65535;

Value heap_limit(Context& c, Value size) {
  const Value pairs[] = {atom("error_logger"), Value::boolean(true), atom("kill"),
                         Value::boolean(true), atom("size"),         size};
  return map_from_pairs(c.heap, pairs);
}

// 0, or at least the least heap that a process has; alone, or as the size in a map.
Value checked_heap_limit(Context& c, Value value) {
  const auto is_limit = [](Value size) {
    return size.is_small() && (size.small() == 0 || size.small() >= kMinHeap);
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
  if (flag == atom("save_calls")) return Value::small(0);
  return Value::none();
}

Value flag_value(Context& c, const Process& p, Value flag) {
  const Value set = map_get(p.flags, flag);
  return set.is_none() ? default_flag(c, flag) : set;
}

bool is_one_of(Value value, std::initializer_list<std::string_view> names) {
  return value.is_atom() && std::ranges::find(names, value.atom().text()) != names.end();
}

// The value as the flag keeps it, or none() if it is not one for it.
Value checked_flag(Context& c, Value flag, Value value) {
  const bool natural = value.is_small() && value.small() >= 0;
  bool ok = natural;
  if (flag == atom("trap_exit") || flag == atom("sensitive")) {
    ok = value.is_boolean();
  } else if (flag == atom("priority")) {
    ok = is_one_of(value, {"low", "normal", "high", "max"});
  } else if (flag == atom("error_handler")) {
    ok = value.is_atom();
  } else if (flag == atom("message_queue_data")) {
    ok = is_one_of(value, {"on_heap", "off_heap"});
  } else if (flag == atom("save_calls")) {
    ok = natural && value.small() <= 10000;
  } else if (flag == atom("min_heap_size") && natural) {
    return Value::small(std::max(value.small(), kMinHeap));
  } else if (flag == atom("min_bin_vheap_size") && natural) {
    return Value::small(std::max(value.small(), kMinBinaryHeap));
  } else if (flag == atom("max_heap_size")) {
    c.machine.inputs().look_at(Input::HeapLimit);
    return checked_heap_limit(c, value);
  }
  return ok ? value : Value::none();
}

Value process_flag_2(Context& c, const Value* a) {
  // No node ever comes or goes, so it does not matter how often that was asked for.
  const bool is_options = a[0].is_tuple(2) && a[0].element(0) == atom("monitor_nodes");
  if (is_options || a[0] == atom("monitor_nodes")) {
    return a[1].is_boolean() ? Value::small(0) : c.badarg();
  }
  const Value old = flag_value(c, c.machine.process(), a[0]);
  if (old.is_none()) return bad_option(c, "process_flag", {a, 2});
  const Value value = checked_flag(c, a[0], a[1]);
  if (value.is_none() && a[0] == atom("save_calls")) {
    return bad_option(c, "process_flag", {a, 2}, "none");
  }
  if (value.is_none()) return c.badarg();
  access_flag(c, AccessMode::Write, c.machine.process().pid.local_number(), a[0]);
  Value& flags = c.machine.process().flags;
  c.machine.journal().set(flags, map_put(c.heap, flags, a[0], value));
  return old;
}

// Only save_calls, and here only of the process itself.
Value process_flag_3(Context& c, const Value* a) {
  if (a[0] != c.machine.process().pid || a[1] != atom("save_calls")) return c.badarg();
  return process_flag_2(c, a + 1);
}

// ---- Facts ------------------------------------------------------------------

constexpr std::string_view kEmptyFacts[] = {"sequential_trace_token"};
constexpr std::string_view kUnmodelledFacts[] = {"backtrace", "binary", "catchlevel",
                                                 "garbage_collection_info"};

Value words(uint64_t bytes) { return Value::small(static_cast<int64_t>(bytes / 8)); }

Value dictionary_list(Context& c, Value map) {
  std::vector<Value> items;
  MapPairs all(map);
  for (Value key, value; all.next(key, value);) items.push_back(c.heap.tuple({key, value}));
  return c.heap.list(items);
}

Value collection_facts(Context& c, const Process& p) {
  std::vector<Value> items;
  for (const std::string_view flag :
       {"max_heap_size", "min_bin_vheap_size", "min_heap_size", "fullsweep_after"}) {
    items.push_back(c.heap.tuple({atom(flag), flag_value(c, p, atom(flag))}));
  }
  const auto minor = static_cast<int64_t>(c.machine.statistics().collections);
  items.push_back(c.heap.tuple({atom("minor_gcs"), Value::small(minor)}));
  return c.heap.list(items);
}

Value size_fact(Context& c, const Process& p, std::string_view item) {
  if (item == "memory") return Value::small(static_cast<int64_t>(c.heap.used_bytes()));
  if (item == "heap_size") return words(c.heap.young_bytes());
  if (item == "total_heap_size") return words(c.heap.used_bytes());
  if (item == "stack_size") {
    return Value::small(static_cast<int64_t>(p.stack.size()));
  }
  if (item == "reductions") {
    return Value::small(static_cast<int64_t>(c.machine.statistics().reductions));
  }
  return Value::none();
}

Value place_fact(Context& c, const Process& p, std::string_view item) {
  const bool is_self = &p == &c.machine.process();
  const Value trace =
      is_self
          ? stack_trace(c.machine, capture_trace(c.machine, c.call.site, c.call.node, c.call.frame))
          : stack_trace(c.machine, p);
  if (item == "current_stacktrace" || !trace.is_cons()) return trace;
  const Value frame = trace.head();
  if (item == "current_location") return frame;
  return c.heap.tuple(frame.elements().first(3));
}

// An observed machine keeps links whose other end is gone, and monitors that were taken back
// (signals.cc): what is shown depends on that.
Value links_list(Context& c, const Process& p) {
  std::vector<Value> items;
  MapPairs all(p.links);
  for (Value pid, unused; all.next(pid, unused);) {
    c.machine.events().access(SharedObject::Life, AccessMode::Read, pid.local_number());
    if (c.machine.processes().find(pid)) items.push_back(pid);
  }
  return c.heap.list(items);
}

// {process, Pid or {Name, Node}} for each.
Value monitors_list(Context& c, const Process& p) {
  std::vector<Value> items;
  const auto look_at = [&](Value reference) {
    c.machine.events().access(SharedObject::Links, AccessMode::Read, 0, reference);
  };
  MapPairs all(p.monitors);
  for (Value reference, entry; all.next(reference, entry);) {
    look_at(reference);
    items.push_back(c.heap.tuple({atom("process"), entry.element(1)}));
  }
  MapPairs demonitored(p.demonitored);
  for (Value reference, entry; demonitored.next(reference, entry);) look_at(reference);
  return c.heap.list(items);
}

Value monitored_by_list(Context& c, const Process& p) {
  std::vector<Value> items;
  MapPairs all(p.monitored_by);
  for (Value reference, pid; all.next(reference, pid);) {
    c.machine.events().access(SharedObject::Life, AccessMode::Read, pid.local_number());
    c.machine.events().access(SharedObject::Links, AccessMode::Read, 0, reference);
    const Process* by = c.machine.processes().find(pid);
    if (by && !map_get(by->monitors, reference).is_none()) items.push_back(pid);
  }
  return c.heap.list(items);
}

// [{Pid, How often, How often that is still to happen}]
Value suspending_list(Context& c, const Process& p) {
  std::vector<Value> items;
  MapPairs all(p.suspending);
  for (Value pid, times; all.next(pid, times);) {
    items.push_back(c.heap.tuple({pid, times, Value::small(0)}));
  }
  return c.heap.list(items);
}

Value status_of(Context& c, const Process& p) {
  if (&p == &c.machine.process()) return atom("running");
  if (p.status == Process::Status::Suspended) return atom("suspended");
  return atom(p.status == Process::Status::Waiting ? "waiting" : "runnable");
}

// The value of an item, or none() if there is none such.
Value fact(Context& c, const Process& p, Value name) {
  const std::string_view item = name.is_atom() ? name.atom().text() : std::string_view();
  const auto among = [&](std::span<const std::string_view> names) {
    return std::ranges::find(names, item) != names.end();
  };
  if (among(kEmptyFacts)) return Value::nil();
  if (item == "registered_name") return p.name.is_none() ? Value::nil() : p.name;
  if (item == "status") return status_of(c, p);
  if (item == "suspending") return suspending_list(c, p);
  if (item == "links") return links_list(c, p);
  if (item == "monitors") return monitors_list(c, p);
  if (item == "monitored_by") return monitored_by_list(c, p);
  if (item == "messages") return c.heap.list(p.mailbox.messages());
  if (item == "message_queue_len") return Value::small(static_cast<int64_t>(p.mailbox.size()));
  if (item == "dictionary") return dictionary_list(c, p.dictionary);
  if (item == "group_leader") return p.group_leader;
  if (item == "initial_call") {
    return c.heap.tuple({atom("erlang"), atom("apply"), Value::small(2)});
  }
  if (item == "garbage_collection") return collection_facts(c, p);
  if (item.starts_with("current_")) return place_fact(c, p, item);
  if (item == "last_calls") return Value::boolean(false);
  if (item == "trace") return Value::small(0);
  if (item == "parent") return Value(atoms::undefined);
  if (among(kUnmodelledFacts)) {
    return c.unsupported(item);
  }
  if (item == "save_calls" || item == "sensitive") return Value::none();
  const Value size = size_fact(c, p, item);
  return size.is_none() ? flag_value(c, p, name) : size;
}

// Where it is in its code, how much it has done, and how much memory it has taken for that.
bool tells_progress(std::string_view item) {
  return item.starts_with("current_") || item.starts_with("garbage_collection") ||
         item.ends_with("_size") || item == "status" || item == "memory" || item == "reductions";
}

// What an answer about the process depends on.
void access_fact(Context& c, Value pid, Value name) {
  const std::string_view item = name.is_atom() ? name.atom().text() : std::string_view();
  const auto look_at = [&](SharedObject object) {
    c.machine.events().access(object, AccessMode::Read, pid.local_number());
  };
  if (item == "registered_name") return look_at(SharedObject::Name);
  if (is_one_of(name, {"links", "monitored_by"})) return look_at(SharedObject::Links);
  if (item == "monitors") {
    look_at(SharedObject::Links);
    return look_at(SharedObject::Mailbox);  // one is gone when its message has come
  }
  if (is_one_of(name, {"messages", "message_queue_len"})) {
    look_at(SharedObject::Mailbox);
    if (item == "messages") {
      c.machine.events().access(SharedObject::MailboxOrder, AccessMode::Read, pid.local_number(),
                                Value::small(0));
    }
    return;
  }
  if (is_one_of(name, {"group_leader", "dictionary"}) || !default_flag(c, name).is_none())
    return access_flag(c, AccessMode::Read, pid.local_number(), name);
  look_at(SharedObject::Progress);
  if (pid != c.machine.process().pid && tells_progress(item)) {
    c.machine.inputs().look_at(Input::Progress);
  }
  if (item == "status") look_at(SharedObject::Mailbox);
}

// As a service that only answers would look if it were a process: it waits for a message.
Process answering_process(Machine& m, Value pid) {
  Process p;
  p.pid = pid;
  p.status = Process::Status::Waiting;
  p.name = answering_name(pid);
  p.group_leader = kGroupLeader;
  p.dictionary = p.flags = p.links = p.monitors = p.monitored_by = p.aliases = p.suspending =
      p.demonitored = empty_map(m.heap());
  p.stack.grow(4);
  for (size_t i = 0; i < 4; ++i) p.stack[i] = Value::nil();
  return p;
}

// What an answer is about; none: the process has ended.
class Asked {
 public:
  Asked(Machine& m, Value pid) {
    if (is_answering_service(pid)) {
      answering_ = answering_process(m, pid);
    } else {
      process_ = ask(m, pid);
    }
  }
  const Process* process() const { return answering_ ? &*answering_ : process_; }

 private:
  std::optional<Process> answering_;
  const Process* process_ = nullptr;
};

Value process_info_2(Context& c, const Value* a) {
  const auto names = a[1].is_atom() ? std::vector<Value>{a[1]} : proper_items(a[1]);
  if (!a[0].is_local_pid() || !names) return c.badarg();
  for (const Value name : *names) access_fact(c, a[0], name);
  const Asked asked(c.machine, a[0]);
  const Process* p = asked.process();
  std::vector<Value> items;
  items.reserve(names->size());
  for (const Value name : *names) {
    // Of a process that has ended the names are looked at all the same.
    const Value value = fact(c, p ? *p : c.machine.process(), name);
    if (c.machine.state.stopped) return value;
    if (value.is_none()) return c.badarg();
    items.push_back(c.heap.tuple({name, value}));
  }
  if (!p) return Value(atoms::undefined);
  if (a[1].is_list()) return c.heap.list(items);
  return a[1] == atom("registered_name") && p->name.is_none() ? Value::nil() : items[0];
}

constexpr std::string_view kUsualFacts[] = {
    "current_function", "initial_call", "status",        "message_queue_len", "links",
    "dictionary",       "trap_exit",    "error_handler", "priority",          "group_leader",
    "total_heap_size",  "heap_size",    "stack_size",    "reductions",        "garbage_collection",
    "suspending"};

Value process_info_1(Context& c, const Value* a) {
  if (!a[0].is_local_pid()) return c.badarg();
  access_fact(c, a[0], atom("registered_name"));
  for (const std::string_view item : kUsualFacts) access_fact(c, a[0], atom(item));
  const Asked asked(c.machine, a[0]);
  const Process* p = asked.process();
  if (!p) return Value(atoms::undefined);
  std::vector<Value> items;
  if (!p->name.is_none()) items.push_back(c.heap.tuple({atom("registered_name"), p->name}));
  for (const std::string_view item : kUsualFacts) {
    items.push_back(c.heap.tuple({atom(item), fact(c, *p, atom(item))}));
  }
  return c.heap.list(items);
}

// ---- Collection and reductions ----------------------------------------------

Value garbage_collect_1(Context& c, const Value* a) {
  return a[0].is_local_pid() ? Value::boolean(is_alive(c, a[0])) : c.badarg();
}

Value garbage_collect_2(Context& c, const Value* a) {
  if (!a[0].is_local_pid()) return c.badarg();
  Value list = a[1];
  for (; list.is_cons(); list = list.tail()) {
    const Value option = list.head();
    if (option.is_tuple(2) && option.element(0) == atom("async")) {
      return c.unsupported("async");
    }
    if (!option.is_tuple(2) || option.element(0) != atoms::type) {
      return bad_option(c, "garbage_collect", {a, 2}, "bad_option");
    }
    if (!is_one_of(option.element(1), {"major", "minor"})) return c.badarg();
  }
  if (!list.is_nil()) return bad_option(c, "garbage_collect", {a, 2}, "bad_option");
  return Value::boolean(is_alive(c, a[0]));
}

Value bump_reductions_1(Context& c, const Value* a) {
  constexpr int64_t kMost = (int64_t{1} << 59) - 1;  // OTP's largest small integer
  return small_in(a[0], 0, kMost) ? Value::boolean(true) : c.badarg();
}

// ---- Tracing that is off ----------------------------------------------------

Value untraced(Context&, const Value*) { return Value::boolean(false); }
Value undefined(Context&, const Value*) { return Value(atoms::undefined); }
Value dt_spread_tag_1(Context& c, const Value* a) {
  return a[0].is_boolean() ? Value::boolean(true) : c.badarg();
}
Value dt_restore_tag_1(Context& c, const Value* a) {
  return a[0].is_atom(atoms::true_) ? a[0] : c.badarg();
}
Value itself_1(Context&, const Value* a) { return a[0]; }

Value seq_trace_info_1(Context& c, const Value* a) {
  if (is_one_of(a[0], {"label", "serial"})) return Value::nil();
  if (!is_one_of(a[0], {"send", "receive", "print", "timestamp", "monotonic_timestamp",
                        "strict_monotonic_timestamp"})) {
    return c.badarg();
  }
  return c.heap.tuple({a[0], Value::boolean(false)});
}

Value seq_trace_2(Context& c, const Value* a) {
  if (a[0] == atom("sequential_trace_token") && a[1].is_nil()) return Value::nil();
  return c.unsupported("sequential tracing");
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "group_leader", 0, group_leader_0},
    {"erlang", "group_leader", 2, group_leader_2},
    {"erlang", "process_flag", 2, process_flag_2},
    {"erlang", "process_flag", 3, process_flag_3},
    {"erlang", "process_info", 1, process_info_1, true},
    {"erlang", "process_info", 2, process_info_2, true,
     "backtrace, binary, catchlevel, garbage_collection_info"},
    {"erlang", "garbage_collect", 0, true_1},
    {"erlang", "garbage_collect", 1, garbage_collect_1},
    {"erlang", "garbage_collect", 2, garbage_collect_2, false, "async"},
    {"erts_internal", "garbage_collect", 1, true_1},
    {"erlang", "bump_reductions", 1, bump_reductions_1},
    {"erlang", "yield", 0, true_1},
    {"erlang", "seq_trace", 2, seq_trace_2, false, "sequential tracing"},
    {"erlang", "seq_trace_info", 1, seq_trace_info_1},
    {"erlang", "seq_trace_print", 1, untraced},
    {"erlang", "seq_trace_print", 2, untraced},
    {"erlang", "dt_put_tag", 1, undefined},
    {"erlang", "dt_get_tag", 0, undefined},
    {"erlang", "dt_get_tag_data", 0, undefined},
    {"erlang", "dt_spread_tag", 1, dt_spread_tag_1},
    {"erlang", "dt_restore_tag", 1, dt_restore_tag_1},
    {"erlang", "dt_append_vm_tag_data", 1, itself_1},
    {"erlang", "dt_prepend_vm_tag_data", 1, itself_1},
};

}  // namespace

std::span<const NativeEntry> process_fact_natives() { return kEntries; }

}  // namespace fathom::machine
