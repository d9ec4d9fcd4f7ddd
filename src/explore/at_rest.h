// States from which only time leads on, and in which it is known that nothing new comes of that: an
// execution ends there.
//
// Two kinds:
//
//   Heartbeats   The first process has exited. Of the others, each that a timer would wake up has
//                set it itself, has been woken up like that twice since then, and has come back to
//                the same receive; and in all that time nobody has done anything but receive such
//                messages and set timers. It would go on so for ever. It is idle.
//   A circle     Each of some processes waits for the answer of the next one, and the last for that
//                of the first, as in two gen_servers that call each other. They can go on only
//                because their calls time out, after a second or more: a deadlock. (A shorter
//                time-out is an outcome like others, and so is what another timer leads to.)
//
// A process waits for the answer of another if its receive would take the 'DOWN' message of a
// monitor that it has of that one, and of no other monitor: so gen:call/4 waits, and whoever does
// as it does.
//
// Example: init(_) -> erlang:send_after(60000, self(), tick), … handle_info(tick, N) ->
// erlang:send_after(60000, self(), tick), {noreply, N + 1}. The test ends, time passes, the server
// ticks; time passes, it ticks again and waits where it waited before: the execution ends.
//
// Limits: what a process does at its third beat or later is not seen. A report says which processes
// were idle.
//
// Cost: asked only where no process can run. The events since the first process has exited; of
// circles, a probe of each receive for each monitor.
#pragma once

#include <vector>

#include "explore/execution.h"

namespace fathom::explore {

bool is_at_rest(Execution& execution);
// Whether an execution that is replayed may have ended here, though there every timer may fire.
bool may_end(Execution& execution);
// The process whose answer it waits for; none: it waits for no answer.
const machine::Process* awaited_process(machine::Machine& m, const machine::Process& p);
// The processes of a circle, each before the one that it waits for; empty: there is none.
std::vector<const machine::Process*> find_circle(machine::Machine& m);

}  // namespace fathom::explore
