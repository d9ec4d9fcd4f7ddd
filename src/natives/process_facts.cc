// Flags and facts of processes. Sizes (heap, stack, memory) are those of this machine.
#include <algorithm>
#include <optional>

#include "machine/machine.h"
#include "machine/services.h"
#include "machine/signals.h"
#include "machine/stack_trace.h"
#include "natives/dump_texts.h"
#include "natives/families.h"
#include "natives/options.h"
#include "natives/process_flags.h"
#include "values/identifiers.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine::process_fact_natives {
namespace {

Value true_1(Context&, const Value*) { return Value::boolean(true); }

bool is_alive(Context& c, Value pid) { return ask_living(c.machine, pid) != nullptr; }

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
  Process* p = a[0].is_pid() ? ask_living(c.machine, a[1]) : nullptr;
  if (!p) return c.badarg();
  access_flag(c, AccessMode::Write, p->pid.local_number(), atom("group_leader"));
  c.machine.journal().set(p->group_leader, a[0]);
  c.machine.mark_dirty(*p);
  return Value::boolean(true);
}

// The two of erts_internal return the reason, or answer by a message: {Reference, Result}.
Value group_leader_internal_2(Context& c, const Value* a) {
  if (c.machine.stops_at_events()) return c.unsupported("in a check");
  if (!a[0].is_pid() || !ask_living(c.machine, a[1])) return atom("badarg");
  return group_leader_2(c, a);
}
Value group_leader_internal_3(Context& c, const Value* a) {
  const Value result = group_leader_internal_2(c, a);
  c.machine.deliver(c.machine.process(), c.heap.tuple({a[2], result}));
  return Value(atoms::ok);
}

// ---- Flags ------------------------------------------------------------------

bool is_one_of(Value value, std::initializer_list<std::string_view> names) {
  return value.is_atom() && std::ranges::find(names, value.atom().text()) != names.end();
}

// How often it was asked for, before and from now on; no node ever comes or goes.
Value monitor_nodes(Context& c, Value flag, Value on) {
  const Value options = flag.is_tuple(2) ? flag.element(1) : Value::nil();
  if (!on.is_boolean() || (!options.is_nil() && !options.is_map())) return c.badarg();
  Value& flags = c.machine.process().flags;
  const Value times = map_get(flags, flag);
  const Value before = times.is_none() ? Value::small(0) : times;
  const bool is_on = on.is_atom(atoms::true_);
  const Value after = is_on ? Value::small(before.small() + 1) : Value::small(0);
  c.machine.journal().set(flags, map_put(c.heap, flags, flag, after));
  return before;
}

Value process_flag_2(Context& c, const Value* a) {
  const bool is_options = a[0].is_tuple(2) && a[0].element(0) == atom("monitor_nodes");
  if (is_options || a[0] == atom("monitor_nodes")) return monitor_nodes(c, a[0], a[1]);
  const Process& self = c.machine.process();
  const Value old = flag_value(c, self, a[0]);
  if (old.is_none()) return bad_option(c, "process_flag", {a, 2});
  const int64_t least = flag_value(c, self, atom("min_heap_size")).small();
  const Value value = checked_flag(c, a[0], a[1], least);
  if (value.is_none() && a[0] == atom("save_calls")) {
    return bad_option(c, "process_flag", {a, 2}, "none");
  }
  if (value.is_none()) return c.badarg();
  access_flag(c, AccessMode::Write, self.pid.local_number(), a[0]);
  Value& flags = c.machine.process().flags;
  c.machine.journal().set(flags, map_put(c.heap, flags, a[0], value));
  return old;
}

// Only save_calls, and here only of the process itself.
Value process_flag_3(Context& c, const Value* a) {
  if (a[0] != c.machine.process().pid || a[1] != atom("save_calls")) return c.badarg();
  return process_flag_2(c, a + 1);
}

Value process_flag_internal_3(Context& c, const Value* a) {
  if (!a[0].is_local_pid()) return atom("badtype");
  if (a[0] != c.machine.process().pid || a[1] != atom("save_calls") || !small_in(a[2], 0, 10000)) {
    return atom("badarg");
  }
  return process_flag_2(c, a + 1);
}

// ---- Facts ------------------------------------------------------------------

constexpr std::string_view kEmptyFacts[] = {"sequential_trace_token", "binary", "magic_ref"};
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

// One heap is all there is: no old one, no buffers of messages, no heap of binaries.
Value heap_facts(Context& c, const Process& p) {
  const Value zero = Value::small(0);
  const Value block = words(c.heap.young_bytes());
  const Value stack = Value::small(static_cast<int64_t>(p.stack.size()));
  const Value binaries = flag_value(c, p, atom("min_bin_vheap_size"));
  const std::pair<std::string_view, Value> facts[] = {{"old_heap_block_size", zero},
                                                      {"heap_block_size", block},
                                                      {"mbuf_size", zero},
                                                      {"recent_size", zero},
                                                      {"stack_size", stack},
                                                      {"old_heap_size", zero},
                                                      {"heap_size", block},
                                                      {"bin_vheap_size", zero},
                                                      {"bin_vheap_block_size", binaries},
                                                      {"bin_old_vheap_size", zero},
                                                      {"bin_old_vheap_block_size", binaries}};
  std::vector<Value> items;
  for (const auto& [name, value] : facts) items.push_back(c.heap.tuple({atom(name), value}));
  return c.heap.list(items);
}

Value trace_of(Context& c, const Process& p) {
  if (&p != &c.machine.process()) return stack_trace(c.machine, p);
  return stack_trace(c.machine, capture_trace(c.machine, c.call.site, c.call.node, c.call.frame));
}

Value place_fact(Context& c, const Process& p, std::string_view item) {
  const Value trace = trace_of(c, p);
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
    const Mfa& call = p.initial_call;
    return c.heap.tuple({Value(call.module), Value(call.name), Value::small(call.arity)});
  }
  if (item == "garbage_collection") return collection_facts(c, p);
  if (item.starts_with("current_")) return place_fact(c, p, item);
  if (item == "last_calls") return Value::boolean(false);
  if (item == "trace") return Value::small(0);
  if (item == "parent") return p.parent.is_none() ? Value(atoms::undefined) : p.parent;
  if (item == "garbage_collection_info") return heap_facts(c, p);
  if (item == "backtrace") return c.heap.binary(std::string_view(backtrace_text(trace_of(c, p))));
  if (item == "catchlevel") return Value::small(0);
  if (item == "save_calls" || item == "sensitive" || item == "scheduler") return Value::none();
  const Value size = size_fact(c, p, item);
  return size.is_none() ? flag_value(c, p, name) : size;
}

// Where it is in its code, how much it has done, and how much memory it has taken for that.
bool tells_progress(std::string_view item) {
  return item.starts_with("current_") || item == "backtrace" ||
         item.starts_with("garbage_collection") || item.ends_with("_size") || item == "status" ||
         item == "memory" || item == "reductions";
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

// One that waits for a message and has nothing.
Process plain_process(Machine& m, Value pid) {
  Process p;
  p.pid = pid;
  p.status = Process::Status::Waiting;
  p.group_leader = kGroupLeader;
  p.dictionary = p.flags = p.links = p.monitors = p.monitored_by = p.aliases = p.suspending =
      p.demonitored = empty_map(m.heap());
  p.stack.grow(4);
  for (size_t i = 0; i < 4; ++i) p.stack[i] = Value::nil();
  return p;
}

// As a service that only answers would look if it were a process.
Process answering_process(Machine& m, Value pid) {
  Process p = plain_process(m, pid);
  p.name = answering_name(pid);
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
  // Of a process that has ended the names are looked at all the same.
  std::optional<Process> ended;
  if (!p) ended = plain_process(c.machine, a[0]);
  for (const Value name : *names) {
    const Value value = fact(c, p ? *p : *ended, name);
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
  Value request = Value::none();  // asynchronous: by which the message that it is done is known
  Value list = a[1];
  for (; list.is_cons(); list = list.tail()) {
    const Value option = list.head();
    if (option.is_tuple(2) && option.element(0) == atom("async")) {
      request = option.element(1);
      continue;
    }
    if (!option.is_tuple(2) || option.element(0) != atoms::type) {
      return bad_option(c, "garbage_collect", {a, 2}, "bad_option");
    }
    if (!is_one_of(option.element(1), {"major", "minor"})) return c.badarg();
  }
  if (!list.is_nil()) return bad_option(c, "garbage_collect", {a, 2}, "bad_option");
  const Value is_done = Value::boolean(is_alive(c, a[0]));
  if (request.is_none()) return is_done;
  c.machine.deliver(c.machine.process(), c.heap.tuple({atom("garbage_collect"), request, is_done}));
  return atom("async");
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
    {"erts_internal", "group_leader", 2, group_leader_internal_2},
    {"erts_internal", "group_leader", 3, group_leader_internal_3},
    {"erts_internal", "process_flag", 3, process_flag_internal_3},
    {"erlang", "process_flag", 2, process_flag_2},
    {"erlang", "process_flag", 3, process_flag_3},
    {"erlang", "process_info", 1, process_info_1, true},
    {"erlang", "process_info", 2, process_info_2, true},
    {"erlang", "garbage_collect", 0, true_1},
    {"erlang", "garbage_collect", 1, garbage_collect_1},
    {"erlang", "garbage_collect", 2, garbage_collect_2},
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

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::process_fact_natives
