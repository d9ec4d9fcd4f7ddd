%% Races with the end of a process: links, monitors, exit signals, tables of an owner.
-module(exits).
-export([trap_late_bug/0, trap_late_fix/0, link_to_dead_bug/0, link_to_dead_fix/0]).
-export([monitor_reason_bug/0, monitor_reason_fix/0, owner_bug/0, owner_fix/0, heir_fix/0]).
-export([unlink_late_bug/0, unlink_late_fix/0, linked_child/0, child_fix/0, killed_bug/0]).
-export([flag_bug/0, flag_fix/0, to_dead/0, is_alive_bug/0, made_up_pid/0]).

-include("together.hrl").

%% A process gets an exit signal that is sent, and arrives, before it has begun to trap exits; sent
%% before and arrives after; sent after: 3.
trap_late_bug() ->
    Me = self(),
    P = spawn_monitor(fun() ->
                          process_flag(trap_exit, true),
                          receive {'EXIT', Me, enough} -> ok end
                      end),
    exit(element(1, P), enough),
    join([P]).

%% It says when it traps: 1.
trap_late_fix() ->
    Me = self(),
    P = spawn_monitor(fun() ->
                          process_flag(trap_exit, true),
                          Me ! ready,
                          receive {'EXIT', Me, enough} -> ok end
                      end),
    receive ready -> ok end,
    exit(element(1, P), enough),
    join([P]).

%% link/1 fails if there is no such process any more. Otherwise the two are linked, and both
%% end well, which does not concern the other; or the link comes too late, and the exit signal is
%% noproc.
link_to_dead_bug() ->
    P = spawn(fun() -> ok end),
    link(P).

%% Linked from the start, and its end is a message: 1.
link_to_dead_fix() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> ok end),
    receive {'EXIT', P, normal} -> ok end.

%% Who monitors late is told noproc: 2.
monitor_reason_bug() ->
    P = spawn(fun() -> ok end),
    R = monitor(process, P),
    receive {'DOWN', R, process, P, Reason} -> normal = Reason end.

monitor_reason_fix() ->
    {P, R} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', R, process, P, Reason} -> normal = Reason end.

%% A table goes with its owner. The owner's end comes before the look or behind it: 2.
owner_bug() ->
    Me = self(),
    Owner = spawn_monitor(fun() ->
                              T = ets:new(t, [public]),
                              ets:insert(T, {x, 1}),
                              Me ! {table, T}
                          end),
    T = receive {table, Table} -> Table end,
    [{x, 1}] = ets:lookup(T, x),
    join([Owner]).

%% The owner stays: 1.
owner_fix() ->
    Me = self(),
    {Pid, _} = Owner = spawn_monitor(fun() ->
                                         T = ets:new(t, [public]),
                                         ets:insert(T, {x, 1}),
                                         Me ! {table, T},
                                         receive go -> ok end
                                     end),
    T = receive {table, Table} -> Table end,
    [{x, 1}] = ets:lookup(T, x),
    Pid ! go,
    join([Owner]).

%% The table goes to the test, and is there all the time. The owner's end changes whose it is,
%% so it is in conflict with the look: 2.
heir_fix() ->
    Me = self(),
    Owner = spawn_monitor(fun() ->
                              T = ets:new(t, [public, {heir, Me, inherited}]),
                              ets:insert(T, {x, 1}),
                              Me ! {table, T}
                          end),
    T = receive {table, Table} -> Table end,
    [{x, 1}] = ets:lookup(T, x),
    join([Owner]).

%% The linked child fails after the test has unlinked it; or before, and its exit signal arrives
%% before unlink/1, after it, or after the end of the test: 4. It fails in all of them; in one the
%% test ends by the signal.
unlink_late_bug() ->
    P = spawn_link(fun() -> exit(failed) end),
    unlink(P).

%% Not linked, and the child ends well: 1.
unlink_late_fix() ->
    P = spawn_monitor(fun() -> ok end),
    join([P]).

%% A linked child is ended by its parent's exit. The signal is sent, and arrives before the child's
%% send, its receive, its end, or too late: 4; or it is sent too late: 1. None is an error: to be shut down is an orderly end.
linked_child() ->
    together([fun() ->
                  spawn_link(fun() -> self() ! work, receive work -> ok end end),
                  exit(shutdown)
              end]).

child_fix() ->
    together([fun() ->
                  {P, R} = spawn_monitor(fun() -> self() ! work, receive work -> ok end end),
                  receive {'DOWN', R, process, P, normal} -> ok end
              end]).

%% A process that is killed ends abnormally. It may have ended by itself when the signal arrives, or
%% before it is sent: 3.
killed_bug() ->
    P = spawn(fun() -> ok end),
    exit(P, kill).

%% A process traps exits for a while. A signal is sent before, and arrives before, meanwhile,
%% afterwards, or when the process has ended: 4; or it is sent meanwhile, when it is a message at
%% once: 1; or afterwards, and arrives then or when the process has ended: 2; or when it has ended:
%% 1. Together 8.
flag_bug() ->
    P = spawn_monitor(fun() ->
                          process_flag(trap_exit, true),
                          process_flag(trap_exit, false)
                      end),
    exit(element(1, P), enough),
    join([P]).

%% The same with a signal that ends nobody, before or behind the end of the process: 3.
flag_fix() ->
    P = spawn_monitor(fun() ->
                          process_flag(trap_exit, true),
                          process_flag(trap_exit, false)
                      end),
    exit(element(1, P), normal),
    join([P]).

%% Nobody notices whether the process still lives when the message comes: 1.
to_dead() ->
    P = spawn(fun() -> ok end),
    P ! hello.

%% What was true a moment ago: the end of the process comes before the question, between
%% question and link, or behind both; and behind both, the link may come too late.
is_alive_bug() ->
    P = spawn(fun() -> ok end),
    is_process_alive(P) andalso link(P).

%% A pid that no process has: whatever is done with it, nobody is there: 1.
made_up_pid() ->
    P = list_to_pid("<0.42.42>"),
    P ! hello,
    undefined = process_info(P, messages),
    undefined = process_info(P),
    {'EXIT', _} = (catch register(nobody, P)),
    exit(P, kill),
    monitor(process, P),
    receive {'DOWN', _, process, P, noproc} -> ok end,
    spawn(fun() -> false = is_process_alive(P) end).
