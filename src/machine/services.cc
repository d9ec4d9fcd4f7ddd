#include "machine/services.h"

#include <fmt/format.h>

#include "machine/registered_names.h"
#include "machine/signals.h"
#include "values/identifiers.h"
#include "values/maps.h"

namespace fathom::machine {
namespace {

// ---- Services that only answer ----------------------------------------------

struct Answering {
  std::string_view name;
  uint64_t pid;
  std::string_view module;  // its request(Message, Result); none: no message is answered
};

// Beside the group leader they have pids that no process will ever have.
constexpr uint64_t kFirstPid = uint64_t{1} << 27;
constexpr Answering kAnswering[] = {
    {"user", 0, "fathom_io"},
    {"standard_error", kFirstPid + 4, "fathom_io"},
    {"init", kFirstPid, "fathom_init"},
    {"erl_prim_loader", kFirstPid + 1, ""},
    {"code_server", kFirstPid + 2, "fathom_init"},
    {"file_server_2", kFirstPid + 3, "fathom_files"},
};

const Answering* find_answering(Atom name) {
  for (const Answering& service : kAnswering) {
    if (name.text() == service.name) return &service;
  }
  return nullptr;
}

// Whether it has its name: nobody has taken it from it.
bool has_name(Machine& m, const Answering& service) {
  const Value names = m.shared().names.map;
  return names.is_none() || map_get(names, atom(service.name)).is_none();
}

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
  bool is_first = true;    // OTP has it from the beginning
};

// What each does is in embedded/fathom_services.erl.
constexpr Service kServices[] = {
    {"logger", "logger", true},
    {"logger_sup", "", true},
    {"logger_handler_watcher", "", true},
    {"kernel_sup", "", true},
    {"kernel_safe_sup", "", true},
    {"application_controller", "ac_tab", false},
    {"timer_server", "timer_tab", false, false},
    {"global_name_server", "global_names", true},
    {"rex", "", false},
};

size_t index_of(const Service& service) {
  return static_cast<size_t>(&service - std::begin(kServices));
}

uint64_t bit_of(const Service& service) { return uint64_t{1} << index_of(service); }

// Null: it could not start, which ends the run; or it is starting.
Process* start(Machine& m, const Service& service) {
  static_assert(std::size(kServices) + 1 < ProcessTable::kReserved);
  const uint64_t bit = bit_of(service);
  if (m.state.services_starting & bit) return nullptr;
  m.state.services_starting |= bit;
  m.services_used |= bit;
  static const Atom module = Atom::intern("fathom_services");
  static const Atom name = Atom::intern("start");
  const Value argument = atom(service.name);
  // The lineages of what it starts do not depend on which service is started first.
  m.spawn_system(module, name, {&argument, 1}, index_of(service) + 2);
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
  const Answering* service = name.is_atom() ? find_answering(name.atom()) : nullptr;
  return service && has_name(m, *service) ? Value::pid(service->pid) : Value::none();
}

bool is_answering_service(Value pid) { return find_answering(pid) != nullptr; }

bool is_name_of_answering_service(Atom name) { return find_answering(name) != nullptr; }

Value answering_name(Value pid) { return atom(find_answering(pid)->name); }

std::vector<Value> answering_pids() {
  std::vector<Value> pids;
  for (const Answering& service : kAnswering) pids.push_back(Value::pid(service.pid));
  return pids;
}

std::vector<Value> answering_names(Machine& m) {
  std::vector<Value> names;
  for (const Answering& service : kAnswering) {
    if (has_name(m, service)) names.push_back(atom(service.name));
  }
  return names;
}

bool give_up_answering_name(Machine& m, Atom name) {
  const Answering* service = find_answering(name);
  if (!service || !has_name(m, *service)) return false;
  m.events().access(SharedObject::Name, AccessMode::Write, 0, Value(name));
  give_name_to_nobody(m, name);
  return true;
}

void take_back_answering_name(Machine& m, Atom name) {
  m.events().access(SharedObject::Name, AccessMode::Write, 0, Value(name));
  Value& names = m.shared().names.map;
  m.journal().set(names, map_remove(m.heap(), names, Value(name)));
}

Value send_to_service(Context& c, Value service, Value message, Value result) {
  static const Atom request = Atom::intern("request");
  const Answering& to = *find_answering(service);
  if (to.module.empty()) return result;
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

// ---- Services as processes --------------------------------------------------

std::vector<Value> names_of_services_to_start(Machine& m) {
  std::vector<Value> names;
  for (const Service& service : kServices) {
    const Value name = atom(service.name);
    if (service.is_first && !registered(m, name.atom())) names.push_back(name);
  }
  return names;
}

void start_first_services(Machine& m) {
  for (const Service& service : kServices) {
    if (m.outcome) return;
    if (service.is_first && !registered(m, Atom::intern(service.name))) start(m, service);
  }
}

std::vector<Value> all_pids(Machine& m) {
  start_first_services(m);
  m.events().access(SharedObject::Processes, AccessMode::Read, 0);
  std::vector<Value> pids = answering_pids();
  m.processes().for_each([&](const Process& p) { pids.push_back(p.pid); });
  return pids;
}

void start_used_services(Machine& m) {
  for (const Service& service : kServices) {
    if (m.outcome) return;
    const bool is_used = (m.services_used & bit_of(service)) != 0;
    if (is_used && !registered(m, Atom::intern(service.name))) start(m, service);
  }
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
