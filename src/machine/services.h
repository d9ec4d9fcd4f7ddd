// Services: what a program finds running without having started it.
//
// Some only answer. They have a pid and a name but are not processes: a process that sends
// to one runs its code at once, instead of sending. So they add nothing to what can
// happen in which order. The group leader of the first process is one.
//
// Others have a state, and are processes that run OTP's own code. Such a process is
// started when a process first asks for its name or its table, and has come to wait for
// requests before that process goes on: a program that uses none of them has no
// process beside its own, and no schedule shows how they start. If it ends, the next
// request starts it again. In OTP most of them are there from the beginning: so the names of those
// that have not been started are taken all the same, a search starts those that the program uses
// before its first event (explore/assumptions.h), and a process that asks which processes there
// are starts all of them.
//
// What a service does is done inside the step of the process that has asked it, and what it
// accesses is accessed by the event of that step, its own state included (SharedObject::Service).
#pragma once

#include <vector>

#include "machine/machine.h"

namespace fathom::machine {

inline constexpr Value kGroupLeader = Value::pid(0);

// The service that only answers, and gets what is sent there: to its pid, its name, or
// {Name, Node}; none() if there is none such, or if somebody else has taken the name.
Value answering_service(Machine& m, Value destination);
bool is_answering_service(Value pid);
// All of them: their pids, and the names that they have in this state.
std::vector<Value> answering_pids();
std::vector<Value> answering_names(Machine& m);
// The name of the service, whether it has it in this state or not.
Value answering_name(Value pid);
bool is_name_of_answering_service(Atom name);
// Nobody has its name any more. False: it is not that of a service that only answers, or has been
// given up.
bool give_up_answering_name(Machine& m, Atom name);
// It has its name again. Nobody else has it.
void take_back_answering_name(Machine& m, Atom name);
// Instead of sending: goes on with the service's code, which returns `result`.
Value send_to_service(Context& c, Value service, Value message, Value result);

// The process with that name; if there is none and it is that of a service, the service
// is started. Null: neither.
Process* registered_or_service(Machine& m, Atom name);
// The table of that name or reference; if there is none and the name is that of a
// service's table, the service is started. Null: neither.
Table* table_or_service(Machine& m, Value table);

// Names of services that OTP has from the beginning, and that have not been started.
std::vector<Value> names_of_services_to_start(Machine& m);
// Those that OTP has from the beginning are there then.
void start_first_services(Machine& m);
// All processes, these services among them; an access of the set of processes.
std::vector<Value> all_pids(Machine& m);
// Between two steps: those whose bits are set in Machine::services_used are there then.
void start_used_services(Machine& m);

// The running process ends by an error or a throw: the logger is informed.
void log_crash(Machine& m, Value reason);

}  // namespace fathom::machine
