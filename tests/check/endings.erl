%% How processes end: an exit signal takes time to arrive, and the process that it ends gives up
%% its tables, its name and its life one after another. Each test that is said to be a bug fails
%% on OTP too; tests/differential/endings_test.escript sees to that.
-module(endings).
-export([name_of_killed_bug/0, name_of_killed_fix/0, whereis_killed_bug/0, whereis_killed_fix/0,
         name_of_child_bug/0, name_of_child_fix/0, restarted_supervisor_bug/0,
         overtaken_exit_bug/0, tables_one_by_one_bug/0,
         tables_in_order/0, table_before_name_bug/0, name_after_table/0, alive_after_table/0,
         exit_before_down/0, down_first_bug/0, linked_in_any_order_bug/0, last_words_bug/0,
         monitor_of_killed/0, message_after_exit/0, unlinked_in_time/0,
         monitored_meanwhile_bug/0, linked_meanwhile_bug/0, unlinked_meanwhile_bug/0, asked_meanwhile_fix/0, fixed_table_bug/0,
         start_worker/0, worker/1, init/1]).

server() ->
    Self = self(),
    Pid = spawn(fun() -> register(server, self()), Self ! up, receive stop -> ok end end),
    receive up -> ok end,
    Pid.

down(Pid) ->
    Reference = monitor(process, Pid),
    receive {'DOWN', Reference, process, Pid, Reason} -> Reason end.

%% 2: the name is given up before register/2, or after it.
name_of_killed_bug() -> exit(server(), kill), register(server, self()).

name_of_killed_fix() -> Pid = server(), exit(Pid, shutdown), down(Pid), register(server, self()).

whereis_killed_bug() -> exit(server(), kill), undefined = whereis(server).

%% is_process_alive/1 waits for the signal that was sent before.
whereis_killed_fix() ->
    Pid = server(),
    exit(Pid, shutdown),
    false = is_process_alive(Pid),
    undefined = whereis(server).

%% The parent is gone, its child, which has the name, not yet.
name_of_child_bug() ->
    {Parent, _} = parent_of_server(),
    Parent ! stop,
    down(Parent),
    register(server, self()).

name_of_child_fix() ->
    {Parent, Child} = parent_of_server(),
    Parent ! stop,
    down(Child),
    register(server, self()).

parent_of_server() ->
    Self = self(),
    Parent = spawn(fun() ->
        Child = spawn_link(fun() -> register(server, self()), Self ! up, receive stop -> ok end end),
        Self ! {child, Child},
        receive stop -> exit(shutdown) end
    end),
    receive up -> ok end,
    receive {child, Child} -> {Parent, Child} end.

%% A supervisor is killed and started again as soon as it is gone: its worker may still be there.
restarted_supervisor_bug() ->
    Supervisor = start_supervisor(),
    exit(Supervisor, kill),
    down(Supervisor),
    exit(start_supervisor(), kill).

start_supervisor() ->
    {ok, Pid} = supervisor:start_link(?MODULE, []),
    unlink(Pid),
    Pid.

init([]) ->
    Child = #{id => worker, start => {?MODULE, start_worker, []}, shutdown => brutal_kill},
    {ok, {#{intensity => 0}, [Child]}}.

start_worker() -> proc_lib:start_link(?MODULE, worker, [self()]).

worker(Parent) ->
    register(worker, self()),
    proc_lib:init_ack(Parent, {ok, self()}),
    receive stop -> ok end.

%% One process ends; its watcher tells the last of a chain of links before the exit signals have
%% gone down the chain.
overtaken_exit_bug() ->
    Self = self(),
    Middle = spawn(fun() ->
        Last = spawn_link(fun() -> receive hurry -> Self ! overtaken end end),
        First = spawn_link(fun() -> receive stop -> exit(shutdown) end end),
        Self ! {First, Last},
        receive never -> ok end
    end),
    {First, Last} = receive {_, _} = Both -> Both end,
    monitor(process, Middle),
    Reference = monitor(process, First),
    First ! stop,
    receive {'DOWN', Reference, process, First, _} -> Last ! hurry end,
    receive {'DOWN', _, process, Middle, _} -> ok end,
    receive overtaken -> exit(overtaken) after 0 -> ok end.

owner(Names) ->
    Self = self(),
    Pid = spawn(fun() ->
        [ets:new(Name, [named_table]) || Name <- Names],
        register(owner, self()),
        Self ! up,
        receive stop -> ok end
    end),
    receive up -> ok end,
    Pid.

tables_one_by_one_bug() ->
    owner([first, second]) ! stop,
    case {ets:whereis(first), ets:whereis(second)} of
        {undefined, Second} when Second =/= undefined -> exit(half);
        _ -> ok
    end.

%% The oldest table goes first.
tables_in_order() ->
    owner([first, second]) ! stop,
    case {ets:whereis(second), ets:whereis(first)} of
        {undefined, First} when First =/= undefined -> exit(half);
        _ -> ok
    end.

table_before_name_bug() ->
    owner([first]) ! stop,
    case {ets:whereis(first), whereis(owner)} of
        {undefined, Owner} when Owner =/= undefined -> exit(half);
        _ -> ok
    end.

name_after_table() ->
    owner([first]) ! stop,
    case {whereis(owner), ets:whereis(first)} of
        {undefined, First} when First =/= undefined -> exit(half);
        _ -> ok
    end.

alive_after_table() ->
    Owner = owner([first]),
    Owner ! stop,
    case is_process_alive(Owner) of
        false -> undefined = ets:whereis(first), undefined = whereis(owner);
        true -> ok
    end.

exit_before_down() ->
    process_flag(trap_exit, true),
    spawn_opt(fun() -> ok end, [link, monitor]),
    receive {'EXIT', _, normal} -> ok; {'DOWN', _, process, _, normal} -> exit(down_first) end.

down_first_bug() ->
    process_flag(trap_exit, true),
    spawn_opt(fun() -> ok end, [link, monitor]),
    receive {'EXIT', _, normal} -> exit(exit_first); {'DOWN', _, process, _, normal} -> ok end.

%% Two processes are linked to a third one, which ends: either may be the next.
linked_in_any_order_bug() ->
    process_flag(trap_exit, true),
    Self = self(),
    Third = spawn(fun() -> receive stop -> exit(shutdown) end end),
    Start = fun() -> spawn_link(fun() -> link(Third), Self ! up, receive never -> ok end end) end,
    A = Start(), receive up -> ok end,
    B = Start(), receive up -> ok end,
    Third ! stop,
    receive {'EXIT', A, shutdown} -> ok; {'EXIT', B, shutdown} -> exit(other_first) end.

%% A process goes on for a while after a signal was sent that will end it.
last_words_bug() ->
    Said = atomics:new(1, []),
    Pid = spawn(fun() -> atomics:put(Said, 1, 1), receive stop -> ok end end),
    exit(Pid, shutdown),
    Before = atomics:get(Said, 1),
    down(Pid),
    Before = atomics:get(Said, 1).

%% The signal that was sent first arrives first.
monitor_of_killed() -> Pid = server(), exit(Pid, shutdown), noproc = down(Pid).

message_after_exit() ->
    Self = self(),
    Pid = spawn(fun() -> receive go -> Self ! went end end),
    exit(Pid, shutdown),
    Pid ! go,
    down(Pid),
    receive went -> exit(went) after 0 -> ok end.

%% A link or a monitor waits behind the exit signal, and does not hurry it: the process may still see
%% what its killer has done since. Whoever asks it waits for its end.
meanwhile(Act) ->
    Notes = atomics:new(2, []),
    Pid = spawn(fun() -> atomics:put(Notes, 2, atomics:get(Notes, 1)), receive stop -> ok end end),
    exit(Pid, shutdown),
    Act(Pid),
    atomics:put(Notes, 1, 1),
    down(Pid),
    0 = atomics:get(Notes, 2).

monitored_meanwhile_bug() -> meanwhile(fun(Pid) -> monitor(process, Pid) end).

linked_meanwhile_bug() -> process_flag(trap_exit, true), meanwhile(fun erlang:link/1).

unlinked_meanwhile_bug() -> meanwhile(fun erlang:unlink/1).

asked_meanwhile_fix() -> meanwhile(fun erlang:is_process_alive/1).

%% Once unlink/1 has returned, the link has no effect.
unlinked_in_time() ->
    Self = self(),
    spawn(fun() ->
        Pid = spawn_link(fun() -> exit(shutdown) end),
        unlink(Pid),
        Self ! alive
    end),
    receive alive -> ok after 5000 -> ok end.

%% A table that was fixed by a process is released when that ends.
fixed_table_bug() ->
    Table = ets:new(table, [public]),
    Self = self(),
    spawn(fun() -> ets:safe_fixtable(Table, true), Self ! fixed end),
    receive fixed -> ok end,
    false = ets:info(Table, fixed).
