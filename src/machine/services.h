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
// request starts it again.
#pragma once

#include "machine/machine.h"

namespace fathom::machine {

inline constexpr Value kGroupLeader = Value::pid(0);

// The service that only answers, and gets what is sent there: to its pid, its name, or
// {Name, Node}; none() if there is none such, or if somebody else has taken the name.
Value answering_service(Machine& m, Value destination);
bool is_answering_service(Value pid);
// Instead of sending: goes on with the service's code, which returns `result`.
Value send_to_service(Context& c, Value service, Value message, Value result);

// The process with that name; if there is none and it is that of a service, the service
// is started. Null: neither.
Process* registered_or_service(Machine& m, Atom name);
// The table of that name or reference; if there is none and the name is that of a
// service's table, the service is started. Null: neither.
Table* table_or_service(Machine& m, Value table);

// The running process ends by an error or a throw: the logger is informed.
void log_crash(Machine& m, Value reason);

}  // namespace fathom::machine
