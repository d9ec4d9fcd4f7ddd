%% Signals whose effect comes later than that of what was done after them: in OTP they lie in a queue
%% until the receiver looks at them. `tests/differential/endings_test.escript` runs these in OTP.
-module(seen_late).
-export([monitor_bug/0, monitor_fix/0, link_bug/0, link_fix/0, name_bug/0, alias_bug/0]).
-export([alias_fix/0, demonitored_alias_bug/0, trap_bug/0, trap_fix/0, trapped_normal_bug/0]).
-export([unlink_bug/0, info_bug/0, old_message_bug/0, third_bug/0, third_fix/0, killed_fix/0]).
-export([linked_third_fix/0, killed_by_third_bug/0]).

reason(Reference) -> receive {'DOWN', Reference, process, _, Reason} -> Reason end.

%% Waits until the key is there, without looking at its signals.
wait(Table, Key) ->
    case ets:member(Table, Key) of
        true -> ok;
        false -> wait(Table, Key)
    end.

table() -> ets:new(table, [public]).

%% It ends when it has seen `go`: that was inserted after the monitor was set, but it may not have
%% looked at the monitor. Twice: the reason is `normal`, or `noproc`.
monitor_bug() ->
    Table = table(),
    Process = spawn(fun() -> wait(Table, go) end),
    Reference = monitor(process, Process),
    ets:insert(Table, {go}),
    normal = reason(Reference).

%% To take the message it has to look at its signals.
monitor_fix() ->
    Process = spawn(fun() -> receive go -> ok end end),
    Reference = monitor(process, Process),
    Process ! go,
    normal = reason(Reference).

%% But a message of a third process may overtake the monitor, which OTP sends when it must.
third_bug() ->
    Process = spawn(fun() -> receive go -> ok end end),
    Reference = monitor(process, Process),
    spawn(fun() -> Process ! go end),
    normal = reason(Reference).

%% At the latest it does when its sender waits.
third_fix() ->
    Self = self(),
    Process = spawn(fun() -> receive go -> ok end end),
    Third = spawn(fun() -> receive {ask, From} -> From ! ready end, receive go -> Process ! go end end),
    Reference = monitor(process, Process),
    Third ! {ask, Self},
    receive ready -> ok end,
    Third ! go,
    normal = reason(Reference).

%% A link it sends at once.
linked_third_fix() ->
    process_flag(trap_exit, true),
    Process = spawn(fun() -> receive go -> ok end end),
    link(Process),
    spawn(fun() -> Process ! go end),
    receive {'EXIT', Process, Reason} -> normal = Reason end.

%% An exit signal of a third process overtakes the monitor as well.
killed_by_third_bug() ->
    Process = spawn(fun() -> receive never -> ok end end),
    Reference = monitor(process, Process),
    Third = spawn(fun() -> receive go -> exit(Process, kill) end end),
    Third ! go,
    killed = reason(Reference).

%% An exit signal comes after the monitor.
killed_fix() ->
    Table = table(),
    Process = spawn(fun() -> wait(Table, never) end),
    Reference = monitor(process, Process),
    exit(Process, kill),
    killed = reason(Reference).

%% The message was there before the monitor.
old_message_bug() ->
    Table = table(),
    Process = spawn(fun() -> wait(Table, go), receive old -> ok end end),
    Process ! old,
    Reference = monitor(process, Process),
    ets:insert(Table, {go}),
    normal = reason(Reference).

link_bug() ->
    process_flag(trap_exit, true),
    Table = table(),
    Process = spawn(fun() -> wait(Table, go) end),
    link(Process),
    ets:insert(Table, {go}),
    receive {'EXIT', Process, Reason} -> normal = Reason end.

link_fix() ->
    process_flag(trap_exit, true),
    Table = table(),
    Process = spawn_link(fun() -> wait(Table, go) end),
    ets:insert(Table, {go}),
    receive {'EXIT', Process, Reason} -> normal = Reason end.

%% The same by a name that is given afterwards.
name_bug() ->
    Process = spawn(fun() -> wait_for_name() end),
    Reference = monitor(process, Process),
    register(name, self()),
    normal = reason(Reference).

wait_for_name() ->
    case whereis(name) of
        undefined -> wait_for_name();
        _ -> ok
    end.

%% The message to the alias is lost.
alias_bug() ->
    Table = table(),
    Alias = alias(),
    spawn(fun() -> Alias ! answer, ets:insert(Table, {go}) end),
    wait(Table, go),
    unalias(Alias),
    receive answer -> ok after 0 -> error(lost) end.

alias_fix() ->
    Table = table(),
    Alias = alias(),
    spawn(fun() -> Alias ! answer, ets:insert(Table, {go}) end),
    wait(Table, go),
    receive answer -> ok after 0 -> error(lost) end,
    unalias(Alias).

demonitored_alias_bug() ->
    Table = table(),
    Process = spawn(fun() -> receive stop -> ok end end),
    Alias = monitor(process, Process, [{alias, demonitor}]),
    spawn(fun() -> Alias ! answer, ets:insert(Table, {go}) end),
    wait(Table, go),
    demonitor(Alias),
    Process ! stop,
    receive answer -> ok after 0 -> error(lost) end.

%% The exit signal ends it after all.
trap_bug() ->
    Table = table(),
    {Process, Reference} =
        spawn_monitor(fun() ->
                          process_flag(trap_exit, true),
                          ets:insert(Table, {ready}),
                          wait(Table, go),
                          process_flag(trap_exit, false),
                          receive {'EXIT', _, oops} -> ok end
                      end),
    wait(Table, ready),
    exit(Process, oops),
    ets:insert(Table, {go}),
    normal = reason(Reference).

trap_fix() ->
    Table = table(),
    {Process, Reference} =
        spawn_monitor(fun() ->
                          process_flag(trap_exit, true),
                          ets:insert(Table, {ready}),
                          wait(Table, go),
                          receive {'EXIT', _, oops} -> ok end,
                          process_flag(trap_exit, false)
                      end),
    wait(Table, ready),
    exit(Process, oops),
    ets:insert(Table, {go}),
    normal = reason(Reference).

%% A signal that would have had no effect becomes a message.
trapped_normal_bug() ->
    Table = table(),
    Self = self(),
    spawn(fun() -> exit(Self, normal), ets:insert(Table, {go}) end),
    wait(Table, go),
    process_flag(trap_exit, true),
    receive {'EXIT', _, normal} -> error(late) after 0 -> ok end.

%% The 'EXIT' message never comes.
unlink_bug() ->
    process_flag(trap_exit, true),
    Child = spawn_link(fun() -> ok end),
    wait_for_end(Child),
    unlink(Child),
    receive {'EXIT', Child, normal} -> ok after 0 -> error(lost) end.

%% Without a look at its life: that would have to look at signals.
wait_for_end(Child) ->
    case lists:member(Child, processes()) of
        true -> wait_for_end(Child);
        false -> ok
    end.

%% The 'DOWN' message was sent, but demonitor comes before it is one.
info_bug() ->
    {Child, Reference} = spawn_monitor(fun() -> ok end),
    wait_for_end(Child),
    false = demonitor(Reference, [info]).
