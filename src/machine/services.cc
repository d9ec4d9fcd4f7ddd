#include "machine/services.h"

#include <fmt/format.h>

#include "machine/signals.h"
#include "values/identifiers.h"

namespace fathom::machine {
namespace {

// ---- Services that only answer ----------------------------------------------

struct Answering {
  std::string_view name;
  uint64_t pid;
  std::string_view module;  // its request(Message, Result); none: no message is understood
};

// Beside the group leader they have pids that no process will ever have.
constexpr uint64_t kFirstPid = uint64_t{1} << 27;
constexpr Answering kAnswering[] = {
    {"user", 0, "fathom_io"},
    {"standard_error", 0, "fathom_io"},
    {"init", kFirstPid, ""},
    {"erl_prim_loader", kFirstPid + 1, ""},
    {"code_server", kFirstPid + 2, ""},
    {"file_server_2", kFirstPid + 3, "fathom_files"},
};

const Answering* find_answering(Value pid) {
  if (!pid.is_local_pid()) return nullptr;
  for (const Answering& service : kAnswering) {
    if (service.pid == pid.local_number()) return &service;
  }
  return nullptr;
}

// ---- Services that are processes --------------------------------------------

struct Service {
  std::string_view name;
  std::string_view table;  // that it makes, if others look into it
  bool starts_system;      // what it starts is of the system too
};

// What each does is in embedded/fathom_services.erl.
constexpr Service kServices[] = {
    {"logger", "logger", true},
    {"logger_sup", "", true},
    {"logger_handler_watcher", "", true},
    {"kernel_sup", "", true},
    {"kernel_safe_sup", "", true},
    {"application_controller", "ac_tab", false},
    {"timer_server", "timer_tab", false},
    {"global_name_server", "global_names", true},
    {"rex", "", false},
};

// Null: it could not start, which ends the run; or it is starting.
Process* start(Machine& m, const Service& service) {
  const auto bit = uint64_t{1} << (&service - std::begin(kServices));
  if (m.state.services_starting & bit) return nullptr;
  m.state.services_starting |= bit;
  static const Atom module = Atom::intern("fathom_services");
  static const Atom name = Atom::intern("start");
  const Value argument = atom(service.name);
  m.spawn_system(module, name, {&argument, 1});
  m.let_services_run_now();
  m.state.services_starting &= ~bit;
  Process* started = registered(m, argument.atom());
  if (started) {
    started->starts_system = service.starts_system;
  } else {
    m.stop(Outcome::Kind::Unsupported, fmt::format("the service {} cannot start", service.name));
  }
  return started;
}

}  // namespace

Value answering_service(Machine& m, Value destination) {
  if (is_answering_service(destination)) return destination;
  const Value name = local_name(destination);
  if (!name.is_atom()) return Value::none();
  for (const Answering& service : kAnswering) {
    if (name.atom().text() != service.name) continue;
    return registered(m, name.atom()) ? Value::none() : Value::pid(service.pid);
  }
  return Value::none();
}

bool is_answering_service(Value pid) { return find_answering(pid) != nullptr; }

Value send_to_service(Context& c, Value service, Value message, Value result) {
  static const Atom request = Atom::intern("request");
  const Answering& to = *find_answering(service);
  if (to.module.empty()) return c.unsupported(std::string("messages to ") + std::string(to.name));
  const Value arguments[] = {message, result};
  return c.tail_call(Atom::intern(to.module), request, arguments);
}

Process* registered_or_service(Machine& m, Atom name) {
  if (Process* p = registered(m, name)) return p;
  for (const Service& service : kServices) {
    if (name.text() == service.name) return start(m, service);
  }
  return nullptr;
}

Table* table_or_service(Machine& m, Value table) {
  if (Table* found = m.tables().find(table)) return found;
  if (!table.is_atom()) return nullptr;
  for (const Service& service : kServices) {
    if (table.atom().text() != service.table) continue;
    if (registered(m, Atom::intern(service.name))) return nullptr;
    if (!start(m, service)) return nullptr;
    return m.tables().find(table);
  }
  return nullptr;
}

void log_crash(Machine& m, Value reason) {
  if (m.mode().is_silent) return;
  static const Atom module = Atom::intern("fathom_services");
  static const Atom name = Atom::intern("log_crash");
  const Process& crashed = m.process();
  const Value arguments[] = {crashed.pid, crashed.group_leader, reason};
  // What handlers start is the program's.
  m.spawn_system(module, name, arguments).starts_system = false;
  m.let_services_run_now();
}

}  // namespace fathom::machine
