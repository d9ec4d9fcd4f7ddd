// Processes and what they do to each other: starting, sending, links, monitors, exit
// signals, names.
#include <algorithm>
#include <iterator>
#include <optional>

#include "machine/registered_names.h"
#include "machine/services.h"
#include "machine/signals.h"
#include "machine/tracing.h"
#include "natives/families.h"
#include "natives/options.h"
#include "natives/process_flags.h"
#include "values/identifiers.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine::process_natives {
namespace {

constexpr std::string_view kElsewhere = "messages to ports and other nodes";
constexpr std::string_view kOtherMonitors = "monitors of ports";

Value processes_0(Context& c, const Value*) { return c.heap.list(all_pids(c.machine)); }

// All at once: {1, Pids} from the beginning on, and then `none`.
Value processes_next_1(Context& c, const Value* a) {
  const auto from = small_in(a[0], 0, INT64_MAX);
  if (!from) return c.badarg();
  if (*from > 0) return "none"_atom;
  return c.heap.tuple({Value::small(1), c.heap.list(all_pids(c.machine))});
}

bool is_alive(Machine& m, Value pid) {
  if (is_answering_service(pid)) return true;
  return ask(m, pid) != nullptr;
}

Value is_process_alive_1(Context& c, const Value* a) {
  return a[0].is_local_pid() ? Value::boolean(is_alive(c.machine, a[0])) : c.badarg();
}

// The answer is a message: {Reference, Boolean}.
Value is_process_alive_2(Context& c, const Value* a) {
  if (!a[0].is_local_pid() || !a[1].is_reference()) return c.badarg();
  const Value answer = Value::boolean(is_alive(c.machine, a[0]));
  c.machine.deliver(c.machine.process(), c.heap.tuple({a[1], answer}));
  return Value(atoms::ok);
}

// ---- Starting ---------------------------------------------------------------

struct MonitorOptions {
  std::optional<AliasMode> alias;
  Value tag;
};

// [{alias, Mode}, {tag, Term}]
std::optional<MonitorOptions> monitor_options(Value list) {
  MonitorOptions options{.alias = {}, .tag = "DOWN"_atom};
  for (; list.is_cons(); list = list.tail()) {
    const Value option = list.head();
    if (!option.is_tuple(2)) return std::nullopt;
    const Value value = option.element(1);
    if (option.element(0) == "tag"_atom) {
      options.tag = value;
    } else if (option.element(0) != "alias"_atom) {
      return std::nullopt;
    } else if (value == "explicit_unalias"_atom) {
      options.alias = AliasMode::Explicit;
    } else if (value == "demonitor"_atom) {
      options.alias = AliasMode::Demonitor;
    } else if (value == "reply_demonitor"_atom) {
      options.alias = AliasMode::ReplyDemonitor;
    } else {
      return std::nullopt;
    }
  }
  if (!list.is_nil()) return std::nullopt;
  return options;
}

Value monitor_reference(Context& c, const MonitorOptions& options) {
  Machine& m = c.machine;
  const Value reference = c.heap.reference(m.numbers().reference(m.process()));
  if (options.alias) add_alias(m, m.process(), reference, *options.alias);
  return reference;
}

struct SpawnOptions {
  bool link = false;
  std::optional<MonitorOptions> monitor;
  Value flags = Value::none();  // what the new process has set
};

// What a limit of the heap must be if the options before it do not say more.
constexpr int64_t kLeastHeapLimit = 233;

// {Name, Value} of those that are flags of the process too.
bool set_flag(Context& c, SpawnOptions& options, Value option) {
  for (const std::string_view name :
       {"priority", "fullsweep_after", "min_heap_size", "min_bin_vheap_size", "max_heap_size",
        "message_queue_data", "scheduler"}) {
    if (option.element(0) != atom(name)) continue;
    const Value value = checked_flag(c, option.element(0), option.element(1), kLeastHeapLimit);
    if (value.is_none()) return false;
    // OTP 25 takes it and keeps its default.
    if (name == "min_bin_vheap_size") return true;
    options.flags = map_put(c.heap, options.flags, option.element(0), value);
    return true;
  }
  return false;
}

std::optional<SpawnOptions> spawn_options(Context& c, Value list) {
  SpawnOptions options;
  options.flags = empty_map(c.heap);
  for (; list.is_cons(); list = list.tail()) {
    const Value option = list.head();
    if (option == "link"_atom) {
      options.link = true;
    } else if (option == "monitor"_atom) {
      options.monitor = monitor_options(Value::nil());
    } else if (option.is_tuple(2) && option.element(0) == "monitor"_atom) {
      options.monitor = monitor_options(option.element(1));
      if (!options.monitor) return std::nullopt;
    } else if (!option.is_tuple(2) || !set_flag(c, options, option)) {
      return std::nullopt;
    }
  }
  if (!list.is_nil()) return std::nullopt;
  return options;
}

bool is_call(const Value* a) {
  return a[0].is_atom() && a[1].is_atom() && proper_length(a[2]).has_value();
}

Value spawn(Context& c, const Value* a, const SpawnOptions& options) {
  if (!is_call(a)) return c.badarg();
  Machine& m = c.machine;
  Process& parent = m.process();
  Process& p = m.spawn(a[0], a[1], a[2]);
  const Value flags = with_system_flags(c, options.flags);
  if (!flags.is_none()) p.flags = flags;
  const bool is_traced = is_tracing(m) || !m.shared().tracing.created.is_none();
  if (is_traced) trace_spawn(m, parent, p, c.heap.tuple({a[0], a[1], a[2]}));
  if (options.link) link(m, parent, p);
  if (options.link && is_traced) trace_link(m, parent, p.pid);
  if (!options.monitor) return p.pid;
  const Value reference = monitor_reference(c, *options.monitor);
  monitor(m, parent, &p, reference, p.pid, options.monitor->tag);
  return c.heap.tuple({p.pid, reference});
}

Value spawn_3(Context& c, const Value* a) { return spawn(c, a, {}); }
Value spawn_system_process_3(Context& c, const Value* a) {
  return c.machine.stops_at_events() ? c.unsupported("in a check") : spawn_3(c, a);
}
Value spawn_link_3(Context& c, const Value* a) {
  SpawnOptions options;
  options.link = true;
  return spawn(c, a, options);
}

Value spawn_opt_4(Context& c, const Value* a) {
  const std::optional<SpawnOptions> options = spawn_options(c, a[3]);
  return options ? spawn(c, a, *options) : bad_option(c, "spawn_opt", {a, 4});
}

// Whether the caller of spawn_request/4 is told of success, and of failure.
struct SpawnReply {
  Value tag = "spawn_reply"_atom;
  bool success = true;
  bool failure = true;
};

bool set_reply(SpawnReply& reply, Value how) {
  reply.success = how == "yes"_atom || how == "success_only"_atom;
  reply.failure = how == "yes"_atom || how == "error_only"_atom;
  return reply.success || reply.failure || how == "no"_atom;
}

// A reference, by which a message tells what has become of it; or badarg, or badopt.
Value spawn_request_4(Context& c, const Value* a) {
  Machine& m = c.machine;
  const auto options = proper_items(a[3]);
  if (!is_call(a)) return "badarg"_atom;
  if (!options) return "badopt"_atom;
  SpawnReply reply;
  bool is_good = true;
  std::vector<Value> others;
  for (const Value option : *options) {
    const bool is_pair = option.is_tuple(2);
    if (is_pair && option.element(0) == "reply_tag"_atom) {
      reply.tag = option.element(1);
    } else if (is_pair && option.element(0) == "reply"_atom) {
      is_good = set_reply(reply, option.element(1)) && is_good;
    } else {
      others.push_back(option);
    }
  }
  const auto spawn_as = spawn_options(c, c.heap.list(others));
  if (!spawn_as || !is_good) {
    const Value reference = c.heap.reference(m.numbers().reference(m.process()));
    const Value message = c.heap.tuple({reply.tag, reference, Value(atoms::error), "badopt"_atom});
    if (reply.failure || !is_good) m.deliver(m.process(), message);
    return reference;
  }
  const Value started = spawn(c, a, *spawn_as);
  const bool is_monitored = started.is_tuple(2);
  const Value pid = is_monitored ? started.element(0) : started;
  const Value reference =
      is_monitored ? started.element(1) : c.heap.reference(m.numbers().reference(m.process()));
  if (reply.success) {
    m.deliver(m.process(), c.heap.tuple({reply.tag, reference, Value(atoms::ok), pid}));
  }
  return reference;
}

// Of another node, to which there is no connection: a message says so. {Reference, Whether it is
// monitored} for spawn_opt/5, a reference for spawn_request/5, badarg, or badopt in the message.
Value dist_spawn_request_4(Context& c, const Value* a) {
  Machine& m = c.machine;
  const auto options = proper_items(a[2]);
  if (!a[0].is_atom() || !a[1].is_tuple(3) || !is_call(a[1].elements().data())) {
    return "badarg"_atom;
  }
  const bool is_request = a[3] == "spawn_request"_atom;
  SpawnReply reply;
  bool is_good = options.has_value();
  bool is_monitored = false;
  for (const Value option : options.value_or(std::vector<Value>())) {
    const bool is_pair = option.is_tuple(2);
    if (is_request && is_pair && option.element(0) == "reply_tag"_atom) {
      reply.tag = option.element(1);
    } else if (is_request && is_pair && option.element(0) == "reply"_atom) {
      is_good = set_reply(reply, option.element(1)) && is_good;
    } else if (option == "monitor"_atom || (is_pair && option.element(0) == "monitor"_atom)) {
      is_monitored = true;
    }
  }
  const Value reference = c.heap.reference(m.numbers().reference(m.process()));
  const Value why = is_good ? "noconnection"_atom : "badopt"_atom;
  if (reply.failure || !is_good) {
    m.deliver(m.process(), c.heap.tuple({reply.tag, reference, Value(atoms::error), why}));
  }
  return is_request ? reference : c.heap.tuple({reference, Value::boolean(is_monitored)});
}

// It is never too early: what was asked for has been done.
Value spawn_request_abandon_1(Context& c, const Value* a) {
  return a[0].is_reference() ? Value::boolean(false) : c.badarg();
}

// ---- Sending ----------------------------------------------------------------

void trace_sending(Context& c, Value destination, Value message) {
  Machine& m = c.machine;
  const Value to = local_name(destination);
  const bool is_gone = to.is_local_pid() && !is_answering_service(to) && !look_up(m, to);
  trace_send(m, m.process(), destination, message, !is_gone);
}

// The message is the second argument.
Value send(Context& c, Value destination, Value message, Value result) {
  Machine& m = c.machine;
  if (is_tracing(m)) trace_sending(c, destination, message);
  const Value to = local_name(destination);
  const Value service = answering_service(m, to);
  if (!service.is_none()) return send_to_service(c, service, message, result);
  if (to.is_atom()) {
    Process* p = registered_or_service(m, to.atom());
    if (!p && destination.is_atom()) return c.badarg();
    if (p) send_message(m, m.process(), *p, message, c.labels.of_message(1));
    return result;
  }
  if (to.is_local_pid()) {
    send_message(m, m.process(), to, message, c.labels.of_message(1));
    return result;
  }
  if (to.is_reference()) {
    send_to_alias(m, m.process(), to, message, c.labels.of_message(1));
    return result;
  }
  if (to.is_tuple(2) && to.element(0).is_atom() && to.element(1).is_atom()) {
    return c.unsupported(kElsewhere);
  }
  if (to.is_pid() || to.is_port()) return c.unsupported(kElsewhere);
  return c.badarg();
}

Value send_2(Context& c, const Value* a) { return c.passed_argument(send(c, a[0], a[1], a[1]), 1); }

Value send_3(Context& c, const Value* a) {
  Value list = a[2];
  while (list.is_cons() && (list.head() == "nosuspend"_atom || list.head() == "noconnect"_atom)) {
    list = list.tail();
  }
  if (!list.is_nil()) return bad_option(c, "send", {a, 3});
  return send(c, a[0], a[1], Value(atoms::ok));
}

// ---- Links, monitors, exits -------------------------------------------------

Value link_1(Context& c, const Value* a) {
  if (!a[0].is_local_pid()) return c.badarg();
  Machine& m = c.machine;
  Process& self = m.process();
  if (is_answering_service(a[0]) || link_by_signal(m, self, a[0])) return Value::boolean(true);
  // One that is exiting is refused, but not one that will be once it has got what was sent before.
  Process* p = look_up(m, a[0]) ? reach(m, a[0]) : nullptr;
  if (p) {
    link(m, self, *p);
    if (is_tracing(m)) trace_link(m, self, a[0]);
    return Value::boolean(true);
  }
  if (!traps_exits(self)) return c.error("noproc"_atom);
  refuse_link(m, self, a[0]);
  return Value::boolean(true);
}

// Options of signals, from OTP 28 on: [priority]. Messages with priority are not modelled.
Value with_options(Context& c, const Value* a, Value options,
                   Value (*act)(Context&, const Value*)) {
  if (options.is_nil()) return act(c, a);
  const bool is_known = options.is_cons() && options.head() == "priority"_atom;
  return is_known ? c.unsupported("priority") : c.badarg();
}

Value link_2(Context& c, const Value* a) { return with_options(c, a, a[1], link_1); }

Value unlink_1(Context& c, const Value* a) {
  if (!a[0].is_local_pid()) return c.badarg();
  Machine& m = c.machine;
  if (is_tracing(m)) trace_process(m, m.process(), "unlink", a[0]);
  if (unlink_by_signal(m, m.process(), a[0])) return Value::boolean(true);
  reach(m, a[0]);
  unlink(m, m.process(), a[0]);
  return Value::boolean(true);
}

Value monitor(Context& c, const Value* a, size_t arity, const MonitorOptions& options) {
  if (a[0] == "port"_atom) return c.unsupported(kOtherMonitors);
  // The offset never changes.
  if (a[0] == "time_offset"_atom && a[1] == "clock_service"_atom) {
    return c.heap.reference(c.machine.numbers().reference(c.machine.process()));
  }
  if (a[0] == "time_offset"_atom) return c.badarg();
  if (a[0] != "process"_atom) return bad_option(c, "monitor", {a, arity}, "badtype");
  Machine& m = c.machine;
  const Value to = local_name(a[1]);
  // It never ends.
  if (!answering_service(m, to).is_none())
    return c.heap.reference(m.numbers().reference(m.process()));
  if (!to.is_atom() && !to.is_local_pid()) return c.badarg();
  Process* named = to.is_atom() ? registered_or_service(m, to.atom()) : nullptr;
  const Value item = to.is_atom() ? c.heap.tuple({to, Value(local_node())}) : to;
  const Value pid = named ? named->pid : to;
  const Value reference = monitor_reference(c, options);
  if (pid.is_local_pid() && monitor_by_signal(m, m.process(), pid, reference, item, options.tag)) {
    return reference;
  }
  monitor(m, m.process(), to.is_atom() ? named : reach(m, to), reference, item, options.tag);
  return reference;
}

Value monitor_2(Context& c, const Value* a) {
  return monitor(c, a, 2, *monitor_options(Value::nil()));
}

Value monitor_3(Context& c, const Value* a) {
  const auto options = monitor_options(a[2]);
  return options ? monitor(c, a, 3, *options) : bad_option(c, "monitor", {a, 3});
}

// ---- Aliases ----------------------------------------------------------------

Value alias_1(Context& c, const Value* a) {
  AliasMode mode = AliasMode::Explicit;
  Value list = a[0];
  for (; list.is_cons(); list = list.tail()) {
    if (list.head() == "reply"_atom) {
      mode = AliasMode::Reply;
    } else if (list.head() != "explicit_unalias"_atom) {
      return c.badarg();
    }
  }
  if (!list.is_nil()) return c.badarg();
  const Value reference = c.heap.reference(c.machine.numbers().reference(c.machine.process()));
  add_alias(c.machine, c.machine.process(), reference, mode);
  return reference;
}

Value unalias_1(Context& c, const Value* a) {
  if (!a[0].is_reference()) return c.badarg();
  return Value::boolean(remove_alias(c.machine, c.machine.process(), a[0]));
}

// Takes the message of the monitor out of the mailbox.
void flush(Context& c, Value reference) {
  Process& p = c.machine.process();
  for (size_t i = p.mailbox.first_with(reference.reference_number()); i < p.mailbox.size(); ++i) {
    const Value message = p.mailbox[i];
    if (!message.is_tuple(5)) continue;
    const Value its = message.element(1);
    if (!its.is_box(BoxKind::Reference) || its.reference_number() != reference.reference_number()) {
      continue;
    }
    return p.mailbox.remove(c.machine.journal(), i);
  }
}

Value demonitor_2(Context& c, const Value* a) {
  if (!a[0].is_box(BoxKind::Reference)) return c.badarg();
  bool flushes = false;
  bool tells = false;
  Value list = a[1];
  for (; list.is_cons(); list = list.tail()) {
    if (list.head() == "flush"_atom) {
      flushes = true;
    } else if (list.head() == "info"_atom) {
      tells = true;
    } else {
      return c.badarg();
    }
  }
  if (!list.is_nil()) return c.badarg();
  const bool is_quiet = flushes && !tells;
  const bool found = demonitor(c.machine, c.machine.process(), a[0], is_quiet);
  if (flushes)
    c.machine.events().access(SharedObject::Mailbox, AccessMode::Write, c.machine.process());
  if (flushes && !found) flush(c, a[0]);
  return Value::boolean(!tells || found);
}

Value demonitor_1(Context& c, const Value* a) {
  const Value arguments[] = {a[0], Value::nil()};
  return demonitor_2(c, arguments);
}

Value exit_2(Context& c, const Value* a) {
  if (!a[0].is_local_pid()) return c.badarg();
  exit_signal(c.machine, c.machine.process(), a[0], a[1]);
  return Value::boolean(true);
}

Value exit_3(Context& c, const Value* a) { return with_options(c, a, a[2], exit_2); }

Value hibernate_3(Context& c, const Value* a) {
  constexpr size_t kMostArguments = 1024;  // as in OTP
  if (!is_call(a)) return c.badarg();
  if (*proper_length(a[2]) > kMostArguments) return c.system_limit();
  c.machine.hibernate(a[0], a[1], a[2]);
  return Value::none();
}

// ---- Names ------------------------------------------------------------------

// A service that only answers may get back the name that it has lost.
Value register_answering(Context& c, const Value* a) {
  if (!answering_service(c.machine, answering_name(a[1])).is_none()) return c.badarg();
  if (registered_or_service(c.machine, a[0].atom())) return c.badarg();
  if (a[0] != answering_name(a[1])) return c.unsupported("another name for a service");
  take_back_answering_name(c.machine, a[0].atom());
  return Value::boolean(true);
}

Value register_2(Context& c, const Value* a) {
  if (!a[0].is_atom() || a[0].is_atom(atoms::undefined)) return c.badarg();
  if (is_answering_service(a[1])) return register_answering(c, a);
  Process* p = look_up(c.machine, a[1]);
  if (!p || registered_or_service(c.machine, a[0].atom()) ||
      !answering_service(c.machine, a[0]).is_none() || !register_name(c.machine, a[0].atom(), *p)) {
    return c.badarg();
  }
  if (is_tracing(c.machine)) trace_process(c.machine, *p, "register", a[0]);
  return Value::boolean(true);
}

Value unregister_1(Context& c, const Value* a) {
  if (!a[0].is_atom()) return c.badarg();
  Process* p = registered_or_service(c.machine, a[0].atom());
  if (p) unregister(c.machine, *p);
  if (p && is_tracing(c.machine)) trace_process(c.machine, *p, "unregister", a[0]);
  const bool is_done = p || give_up_answering_name(c.machine, a[0].atom());
  return is_done ? Value::boolean(true) : c.badarg();
}

Value whereis_1(Context& c, const Value* a) {
  if (!a[0].is_atom()) return c.badarg();
  if (const Process* p = registered_or_service(c.machine, a[0].atom())) return p->pid;
  const Value service = answering_service(c.machine, a[0]);
  return service.is_none() ? Value(atoms::undefined) : service;
}

Value registered_0(Context& c, const Value*) {
  c.machine.events().access(SharedObject::Name, AccessMode::Read, 0);
  std::vector<Value> names = answering_names(c.machine);
  std::ranges::copy(names_of_services_to_start(c.machine), std::back_inserter(names));
  c.machine.processes().for_each([&](const Process& p) {
    if (!p.name.is_none()) names.push_back(p.name);
  });
  return c.heap.list(names);
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "processes", 0, processes_0},
    {"erlang", "is_process_alive", 1, is_process_alive_1},
    {"erts_internal", "is_process_alive", 2, is_process_alive_2},
    {"erlang", "spawn", 3, spawn_3},
    {"erts_internal", "spawn_system_process", 3, spawn_system_process_3, false,
     "it is a process like any other"},
    {"erlang", "spawn_link", 3, spawn_link_3},
    {"erlang", "spawn_opt", 4, spawn_opt_4},
    {"erts_internal", "spawn_request", 4, spawn_request_4},
    {"erts_internal", "dist_spawn_request", 4, dist_spawn_request_4},
    {"erlang", "spawn_request_abandon", 1, spawn_request_abandon_1},
    {"erlang", "!", 2, send_2, true, kElsewhere},
    {"erlang", "send", 2, send_2, true, kElsewhere},
    {"erlang", "send", 3, send_3, true, kElsewhere},
    {"erts_internal", "processes_next", 1, processes_next_1, false, {}, 28},
    {"erlang", "link", 1, link_1},
    {"erlang", "link", 2, link_2, true, "priority", 28},
    {"erlang", "exit", 3, exit_3, true, "priority", 28},
    {"erlang", "unlink", 1, unlink_1},
    {"erlang", "monitor", 2, monitor_2, false, kOtherMonitors},
    {"erlang", "monitor", 3, monitor_3, false, kOtherMonitors},
    {"erlang", "alias", 1, alias_1},
    {"erlang", "unalias", 1, unalias_1},
    {"erlang", "demonitor", 1, demonitor_1},
    {"erlang", "demonitor", 2, demonitor_2},
    {"erlang", "exit", 2, exit_2, true},
    {"erlang", "exit_signal", 2, exit_2, true},
    {"erlang", "hibernate", 3, hibernate_3, true},
    {"erlang", "register", 2, register_2},
    {"erlang", "unregister", 1, unregister_1},
    {"erlang", "whereis", 1, whereis_1},
    {"erlang", "registered", 0, registered_0},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::process_natives
