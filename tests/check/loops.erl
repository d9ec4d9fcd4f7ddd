%% Processes that wait by looking again and again, each in its own way, with pauses or without.
%% However often a process looks before what it waits for has happened, that makes no difference:
%% it has looked too early, or it has not.
-module(loops).
-export([key_bug/0, key_fix/0, key_without_pause/0, key_with_yield/0, table_gone/0]).
-export([lock_bug/0, lock_fix/0, spin_bug/0, spin_fix/0, name_fix/0, name_bug/0]).
-export([ended_fix/0, server_fix/0, server_bug/0, two_waiters/0, slow_worker/0, mailbox_fix/0]).
-export([never_bug/0, mixed_fix/0, mixed_bug/0]).

-include("together.hrl").

%% ---- A key of a table

%% The flag is set before the data. The first look for the flag comes before it or behind it; the
%% look for the data, in both cases, before the second insert or behind that: 4, 2 with an error.
key_bug() ->
    T = ets:new(t, [public]),
    P = spawn_monitor(fun() -> ets:insert(T, {ready, 1}), ets:insert(T, {data, 1}) end),
    wait(fun() -> ets:member(T, ready) end),
    Found = ets:member(T, data),
    join([P]),
    true = Found.

%% Behind the data: 2. The first look comes before the flag, or behind it.
key_fix() ->
    T = ets:new(t, [public]),
    P = spawn_monitor(fun() -> ets:insert(T, {data, 1}), ets:insert(T, {ready, 1}) end),
    wait(fun() -> ets:member(T, ready) end),
    Found = ets:member(T, data),
    join([P]),
    true = Found.

wait(Look) ->
    case Look() of
        true -> ok;
        false -> receive after 10 -> wait(Look) end
    end.

%% The same without a pause: 2.
key_without_pause() ->
    T = ets:new(t, [public]),
    P = spawn_monitor(fun() -> ets:insert(T, {ready, 1}) end),
    spin(fun() -> ets:member(T, ready) end),
    join([P]).

spin(Look) -> Look() orelse spin(Look).

%% With something in between that others do not see: 2.
key_with_yield() ->
    T = ets:new(t, [public]),
    P = spawn_monitor(fun() -> ets:insert(T, {ready, 1}) end),
    yielding(fun() -> ets:member(T, ready) end),
    join([P]).

yielding(Look) ->
    case Look() of
        true -> ok;
        false -> erlang:yield(), yielding(Look)
    end.

%% Until a named table is gone, which its owner's exit deletes: 2.
table_gone() ->
    Me = self(),
    P = spawn_monitor(fun() -> ets:new(loops, [named_table]), Me ! made end),
    receive made -> ok end,
    wait(fun() -> ets:whereis(loops) =:= undefined end),
    join([P]).

%% ---- Locks

%% Who fails to take the lock tries again; but it is released before the work is done. Either is the
%% first; the other one's first try comes before the release or behind it, and its lookup before the
%% first one's insert or behind that. (If before, both insert the same.) 8.
lock_bug() ->
    T = ets:new(t, [public]),
    ets:insert(T, {sum, 0}),
    together([fun() ->
                      take(T),
                      [{sum, N}] = ets:lookup(T, sum),
                      ets:delete(T, lock),
                      ets:insert(T, {sum, N + 1})
              end || _ <- [1, 2]]),
    [{sum, 2}] = ets:lookup(T, sum).

%% Of two processes either is the first to take the lock; the other one's first try comes before
%% the release or behind it: 4.
lock_fix() ->
    T = ets:new(t, [public]),
    ets:insert(T, {sum, 0}),
    together([fun() ->
                      take(T),
                      [{sum, N}] = ets:lookup(T, sum),
                      ets:insert(T, {sum, N + 1}),
                      ets:delete(T, lock)
              end || _ <- [1, 2]]),
    [{sum, 2}] = ets:lookup(T, sum).

take(T) ->
    case ets:insert_new(T, {lock, self()}) of
        true -> ok;
        false -> timer:sleep(5), take(T)
    end.

%% A lock of an atomic, without pauses; the counter is read before it is taken. Either is the first;
%% the other one reads before the first has written or behind that, and its first try comes before
%% the release or behind it: 8.
spin_bug() ->
    A = atomics:new(2, []),
    together([fun() ->
                      N = atomics:get(A, 2),
                      acquire(A),
                      atomics:put(A, 2, N + 1),
                      atomics:put(A, 1, 0)
              end || _ <- [1, 2]]),
    2 = atomics:get(A, 2).

%% As lock_fix: 4.
spin_fix() ->
    A = atomics:new(2, []),
    together([fun() ->
                      acquire(A),
                      atomics:put(A, 2, atomics:get(A, 2) + 1),
                      atomics:put(A, 1, 0)
              end || _ <- [1, 2]]),
    2 = atomics:get(A, 2).

acquire(A) ->
    case atomics:compare_exchange(A, 1, 0, 1) of
        ok -> ok;
        _ -> acquire(A)
    end.

%% ---- Names and processes

%% Until the server has its name. The first try comes before that, or behind it: 2.
name_fix() ->
    P = spawn_monitor(fun() -> register(loops, self()), receive {hello, From} -> From ! hi end end),
    greet(),
    receive hi -> ok end,
    join([P]).

greet() ->
    try loops ! {hello, self()}
    catch error:badarg -> timer:sleep(10), greet()
    end.

%% One look is not enough: 2.
name_bug() ->
    P = spawn_monitor(fun() -> register(loops, self()), receive {hello, From} -> From ! hi end end),
    loops ! {hello, self()},
    receive hi -> ok end,
    join([P]).

%% Until a process has ended, by what process_info/1 says. It has not begun to exit at the first
%% look, or it has: 2.
ended_fix() ->
    P = spawn(fun() -> ok end),
    gone(P).

gone(P) ->
    case process_info(P, status) of
        undefined -> ok;
        _ -> receive after 10 -> gone(P) end
    end.

%% Until there is a message, by looking for it: 2.
mailbox_fix() ->
    Me = self(),
    P = spawn_monitor(fun() -> Me ! now end),
    looking(),
    join([P]).

looking() ->
    receive now -> ok
    after 0 -> looking()
    end.

%% ---- Looks into the mailbox, and elsewhere

%% Neither the message nor the key is there at the first look, or one of them is, or both; what was
%% missing is found later, together or one after the other. How many there are is not derived: some
%% go round once more than they must.
mixed_fix() -> mixed(fun() -> ok end).

%% The key is there, and the message is not.
mixed_bug() -> mixed(fun() -> exit(early) end).

mixed(Early) ->
    T = ets:new(t, [public]),
    Self = self(),
    P = spawn_monitor(fun() -> ets:insert(T, {key, 1}) end),
    Q = spawn_monitor(fun() -> Self ! stop end),
    look(T, false, Early),
    join([P, Q]).

look(T, WasStopped, Early) ->
    IsStopped = receive stop -> true after 0 -> WasStopped end,
    case ets:member(T, key) of
        true when IsStopped -> ok;
        true -> Early(), look(T, IsStopped, Early);
        false -> look(T, IsStopped, Early)
    end.

%% ---- Servers that wake up now and then

%% The server wakes up before it has the request, or not; likewise before `stop`: 4.
server_fix() ->
    S = spawn_monitor(fun() -> serve(idle) end),
    element(1, S) ! {get, self()},
    receive {state, idle} -> ok end,
    element(1, S) ! stop,
    join([S]).

serve(State) ->
    receive
        {get, From} -> From ! {state, State}, serve(State);
        stop -> ok
    after 100 -> serve(State)
    end.

%% What it does when it wakes up is seen. It is asked before it has forgotten: then it has woken up
%% not at all, once or more often before it stops. Or behind: then it has woken up once or more
%% often before it is asked, and not at all or once between that and its stop: 3 + 2 * 2.
server_bug() ->
    S = spawn_monitor(fun() -> forget(new) end),
    element(1, S) ! {get, self()},
    State = receive {state, It} -> It end,
    element(1, S) ! stop,
    join([S]),
    new = State.

forget(State) ->
    receive
        {get, From} -> From ! {state, State}, forget(State);
        stop -> ok
    after 100 -> forget(old)
    end.

%% ---- Several that wait

%% The second waits for the first, which waits for the test. Each looks too early or not: 4.
two_waiters() ->
    T = ets:new(t, [public]),
    Ps = [spawn_monitor(fun() -> wait(fun() -> ets:member(T, a) end), ets:insert(T, {b, 1}) end),
          spawn_monitor(fun() -> spin(fun() -> ets:member(T, b) end) end)],
    ets:insert(T, {a, 1}),
    join(Ps).

%% What is waited for takes long: time passes though somebody looks all the time: 1.
slow_worker() ->
    T = ets:new(t, [public]),
    P = spawn_monitor(fun() -> timer:sleep(5000), ets:insert(T, {done, 1}) end),
    wait(fun() -> ets:member(T, done) end),
    join([P]).

%% Nobody ever does what is waited for.
never_bug() ->
    T = ets:new(t, [public]),
    wait(fun() -> ets:member(T, never) end).
