%% Signals whose effect comes later than that of what was done after them: in OTP they lie in a queue
%% until the receiver looks at them. `tests/differential/endings_test.escript` runs these in OTP.
-module(seen_late).
-export([monitor_bug/0, monitor_fix/0, link_bug/0, link_fix/0, name_bug/0, alias_bug/0]).
-export([alias_fix/0, demonitored_alias_bug/0, trap_bug/0, trap_fix/0, trapped_normal_bug/0]).
-export([unlink_bug/0, info_bug/0, old_message_bug/0, third_bug/0, third_fix/0, killed_fix/0]).
-export([linked_third_fix/0, killed_by_third_bug/0, exited_bug/0, exited_fix/0, each_other_bug/0]).
-export([asynchronous_bug/0, asynchronous_fix/0, no_process_bug/0, told_twice_bug/0]).
-export([refused_bug/0, refused_fix/0, refused_info_bug/0, refused_name_bug/0, refused_order_bug/0]).
-export([refused_flush_fix/0, refused_link_bug/0, refused_link_fix/0, refused_unseen_bug/0]).
-export([own_messages_bug/0, own_messages_fix/0, own_length_bug/0]).
-export([watchers_bug/0, watchers_in_order_fix/0, watchers_look_bug/0, linked_before_watchers_fix/0]).
-export([link_of_ending_bug/0, heir_bug/0]).

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

%% Three times: it is suspended, it ended before the call, or while the caller waits for the answer:
%% then the reason is exited.
exited_bug() ->
    Process = spawn(fun() -> ok end),
    try erlang:suspend_process(Process) catch error:badarg -> ok end.

%% Once: it is known that it has ended.
exited_fix() ->
    {Process, Reference} = spawn_monitor(fun() -> ok end),
    normal = reason(Reference),
    try erlang:suspend_process(Process) catch error:badarg -> ok end.

%% Both signals are on their way: both are suspended, for ever.
each_other_bug() ->
    Self = self(),
    Other = spawn(fun() -> suspend_and_resume(Self) end),
    suspend_and_resume(Other).

suspend_and_resume(Process) ->
    try erlang:suspend_process(Process), erlang:resume_process(Process) catch error:_ -> ok end.

%% It may see `go` before the signal.
asynchronous_bug() ->
    Table = table(),
    Self = self(),
    Process = spawn(fun() -> wait(Table, go), Self ! went end),
    erlang:suspend_process(Process, [asynchronous]),
    ets:insert(Table, {go}),
    receive went -> exit(went) after 10 -> erlang:resume_process(Process) end,
    receive went -> ok end.

%% Who waits for the answer knows that it is suspended.
asynchronous_fix() ->
    Table = table(),
    Self = self(),
    Process = spawn(fun() -> wait(Table, go), Self ! went end),
    erlang:suspend_process(Process, [{asynchronous, tag}]),
    receive {tag, suspended} -> ok end,
    ets:insert(Table, {go}),
    receive went -> exit(went) after 10 -> erlang:resume_process(Process) end,
    receive went -> ok end.

%% The process that links to it has ended; that there is no such process it may be told before the
%% exit signal comes.
no_process_bug() ->
    process_flag(trap_exit, true),
    Self = self(),
    Watcher = spawn_link(fun() ->
        receive {watch, Process} -> noproc =/= reason(monitor(process, Process)) orelse exit(noproc) end
    end),
    Process = spawn(fun() -> receive go -> link(Watcher), Self ! linked, exit(done) end end),
    Watcher ! {watch, Process},
    Process ! go,
    receive linked -> ok end,
    receive {'EXIT', Watcher, Reason} -> done = Reason end.

%% Both messages, and the monitor is gone: the process had ended.
told_twice_bug() ->
    Process = spawn(fun() -> receive {Alias, Tag} -> Alias ! Tag end end),
    Reference = monitor(process, Process, [{alias, explicit_unalias}]),
    Process ! {Reference, tag},
    Info = demonitor(Reference, [flush, info]),
    unalias(Reference),
    {true, _} = {Info, messages()}.

messages() -> receive Message -> [Message | messages()] after 10 -> [] end.

%% --- no such process: in OTP a process tells itself so, by a signal

ended() ->
    {Process, Reference} = spawn_monitor(fun() -> ok end),
    normal = reason(Reference),
    Process.

%% Twice: the message is there, or it is not yet.
refused_bug() ->
    Reference = monitor(process, ended()),
    receive {'DOWN', Reference, process, _, noproc} -> ok after 0 -> exit(early) end.

%% Who waits gets it.
refused_fix() ->
    Reference = monitor(process, ended()),
    receive {'DOWN', Reference, process, _, noproc} -> ok after 1 -> exit(late) end.

%% Twice: the monitor is there as long as the signal has not come.
refused_info_bug() ->
    Reference = monitor(process, ended()),
    false = demonitor(Reference, [info]).

refused_name_bug() ->
    Reference = monitor(process, nobody),
    false = demonitor(Reference, [info]).

%% Nobody can tell: 1.
refused_flush_fix() ->
    Reference = monitor(process, ended()),
    true = demonitor(Reference, [flush]),
    receive Message -> exit(Message) after 0 -> ok end.

%% Twice: what the process sends itself may overtake it.
refused_order_bug() ->
    Reference = monitor(process, ended()),
    self() ! other,
    receive {'DOWN', Reference, process, _, noproc} -> ok; other -> exit(other) end.

%% The signal may find that the process does not trap exits any more, and end it.
refused_link_bug() ->
    process_flag(trap_exit, true),
    link(ended()),
    process_flag(trap_exit, false),
    receive after 1 -> ok end.

%% If it has come as a message, it does no more harm: 1.
refused_link_fix() ->
    process_flag(trap_exit, true),
    Process = ended(),
    link(Process),
    receive {'EXIT', Process, noproc} -> ok end,
    process_flag(trap_exit, false),
    receive after 1 -> ok end.

%% Nor need the process see it in its mailbox.
refused_unseen_bug() ->
    process_flag(trap_exit, true),
    link(ended()),
    {messages, [_]} = process_info(self(), messages).

%% --- what a process sees of its own mailbox

%% The message was sent, but the process has not looked at its signals.
own_messages_bug() ->
    Table = table(),
    Self = self(),
    spawn(fun() -> Self ! hello, ets:insert(Table, {sent}) end),
    wait(Table, sent),
    {messages, [hello]} = process_info(self(), messages).

own_length_bug() ->
    Table = table(),
    Self = self(),
    spawn(fun() -> Self ! hello, ets:insert(Table, {sent}) end),
    wait(Table, sent),
    {message_queue_len, 1} = process_info(self(), message_queue_len).

%% To time out it has to look.
own_messages_fix() ->
    Table = table(),
    Self = self(),
    spawn(fun() -> Self ! hello, ets:insert(Table, {sent}) end),
    wait(Table, sent),
    receive never -> ok after 0 -> ok end,
    {messages, [hello]} = process_info(self(), messages).

%% --- those that are told of an exit, one after another

%% A process that watches `Process`, and what it does then.
watcher(Process, Then) ->
    Self = self(),
    Watcher = spawn(fun() -> Then(monitor(process, Process)) end),
    Watcher ! {watches, Self},
    receive {watches, Watcher} -> Watcher end.

watches() -> receive {watches, From} -> From ! {watches, self()}, ok end.

%% The first watcher tells the second, which may not have been told otherwise.
watchers(Order) ->
    Self = self(),
    Process = spawn(fun() -> receive go -> ok end end),
    Tell = fun(Reference) -> watches(), receive {second, Second} -> ok end, reason(Reference), Second ! told end,
    Look = fun(Reference) ->
        watches(),
        Self ! {saw, receive told -> told; {'DOWN', Reference, process, _, _} -> down end}
    end,
    {First, Second} = case Order of
        told_first -> F = watcher(Process, Tell), {F, watcher(Process, Look)};
        told_second -> S = watcher(Process, Look), {watcher(Process, Tell), S}
    end,
    First ! {second, Second},
    Process ! go,
    receive {saw, What} -> down = What end.

watchers_bug() -> watchers(told_first).

%% They are told in the order in which they have begun to watch.
watchers_in_order_fix() -> watchers(told_second).

%% Those that are linked are told before.
linked_before_watchers_fix() ->
    Self = self(),
    Process = spawn(fun() -> receive go -> ok end end),
    Reference = monitor(process, Process),
    Linked = spawn(fun() ->
        process_flag(trap_exit, true),
        link(Process),
        Self ! ready,
        receive told -> exit(told); {'EXIT', Process, _} -> Self ! right end
    end),
    receive ready -> ok end,
    Process ! go,
    normal = reason(Reference),
    Linked ! told,
    receive right -> ok end.

%% It is seen that the process has ended before anybody is told.
watchers_look_bug() ->
    Process = spawn(fun() -> ok end),
    Reference = monitor(process, Process),
    gone(Process),
    receive {'DOWN', Reference, process, _, _} -> ok after 0 -> exit(early) end.

gone(Process) ->
    case is_process_alive(Process) of
        false -> ok;
        true -> gone(Process)
    end.

%% While it gives up what it has, link/1 fails, though the name is there.
link_of_ending_bug() ->
    Self = self(),
    Process = spawn(fun() -> first = ets:new(first, [named_table]), register(worker, self()), Self ! up, receive go -> ok end end),
    receive up -> ok end,
    Process ! go,
    no_table(first),
    true = link(Process).

no_table(Table) ->
    case ets:whereis(Table) of
        undefined -> ok;
        _ -> no_table(Table)
    end.

%% The table is there before the message is.
heir_bug() ->
    Self = self(),
    Process = spawn(fun() -> Table = ets:new(table, [{heir, Self, data}]), Self ! {table, Table}, receive go -> ok end end),
    Table = receive {table, T} -> T end,
    Process ! go,
    owned(Table),
    receive {'ETS-TRANSFER', Table, Process, data} -> ok after 0 -> exit(early) end.

owned(Table) ->
    case ets:info(Table, owner) =:= self() of
        true -> ok;
        false -> owned(Table)
    end.
