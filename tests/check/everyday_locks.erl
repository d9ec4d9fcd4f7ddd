%% Correct programs of the everyday kind: locks, pools, registries, semaphores, caches. Each is run
%% by stock OTP too (tests/differential/everyday_test.escript); none has an error.
-module(everyday_locks).
-export([lock_server/0, lock_with_owner_death/0, semaphore/0, ets_lock/0, pool/0, pool_worker_dies/0,
         registry/0, registry_cleans_up/0, name_as_lock/0, ets_cache/0, ets_counter/0,
         read_write_lock/0, dictionary/0, persistent_config/0, atomics_counter/0]).

%% ---- A lock that is a process

lock() -> spawn_link(fun free/0).

free() ->
    receive
        {acquire, From, Ref} -> From ! {Ref, granted}, held(From);
        {stop, From} -> From ! stopped
    end.

held(Owner) ->
    receive {release, Owner} -> free() end.

with_lock(Lock, Fun) ->
    Ref = make_ref(),
    Lock ! {acquire, self(), Ref},
    receive {Ref, granted} -> ok end,
    try Fun() after Lock ! {release, self()} end.

lock_server() ->
    Lock = lock(),
    T = ets:new(t, [public]),
    ets:insert(T, {n, 0}),
    Add = fun() -> [{n, N}] = ets:lookup(T, n), ets:insert(T, {n, N + 1}) end,
    run([fun() -> with_lock(Lock, Add) end || _ <- [1, 2]]),
    [{n, 2}] = ets:lookup(T, n),
    Lock ! {stop, self()},
    receive stopped -> ok end.

%% Each worker answers by a message, or is seen to fail.
run(Funs) ->
    Workers = [spawn_monitor(F) || F <- Funs],
    [receive {'DOWN', R, process, P, normal} -> ok end || {P, R} <- Workers],
    ok.

%% The lock notices that its owner has died, and is free again.
lock_with_owner_death() ->
    Lock = spawn_link(fun guarded/0),
    {P, R} = spawn_monitor(fun() ->
                               Lock ! {acquire, self()},
                               receive {Lock, granted} -> exit(out_of_luck) end
                           end),
    receive {'DOWN', R, process, P, out_of_luck} -> ok end,
    Lock ! {acquire, self()},
    receive {Lock, granted} -> ok end,
    Lock ! stop,
    ok.

guarded() ->
    receive
        {acquire, From} ->
            Ref = monitor(process, From),
            From ! {self(), granted},
            receive
                {'DOWN', Ref, process, From, _} -> guarded();
                stop -> ok
            end
    end.

semaphore() ->
    Sem = spawn_link(fun() -> semaphore(1, 3) end),
    run([fun() ->
             Sem ! {down, self()},
             receive {Sem, ok} -> ok end,
             Sem ! up
         end || _ <- [1, 2, 3]]).

semaphore(_, 0) -> ok;
semaphore(Free, Left) when Free > 0 ->
    receive
        {down, From} -> From ! {self(), ok}, semaphore(Free - 1, Left);
        up -> semaphore(Free + 1, Left - 1)
    end;
semaphore(0, Left) ->
    receive up -> semaphore(1, Left - 1) end.

%% insert_new says who was first.
ets_lock() ->
    T = ets:new(t, [public]),
    Self = self(),
    [spawn_link(fun() -> Self ! {won, ets:insert_new(T, {lock, I})} end) || I <- [1, 2, 3]],
    [false, false, true] = lists:sort([receive {won, X} -> X end || _ <- [1, 2, 3]]),
    ok.

%% ---- Pools

pool() ->
    Pool = spawn_link(fun() -> pool([a, b], [], 3) end),
    run([fun() ->
             Pool ! {check_out, self()},
             receive {Pool, Item} -> Pool ! {check_in, Item} end
         end || _ <- [1, 2, 3]]).

pool(_, _, 0) -> ok;
pool([Item | Items], [From | Waiting], Left) ->
    From ! {self(), Item},
    pool(Items, Waiting, Left);
pool(Items, Waiting, Left) ->
    receive
        {check_out, From} -> pool(Items, Waiting ++ [From], Left);
        {check_in, Item} -> pool([Item | Items], Waiting, Left - 1)
    end.

%% A worker of a pool crashes; the pool, which traps exits, starts another one.
pool_worker_dies() ->
    Self = self(),
    Pool = spawn(fun() ->
                     process_flag(trap_exit, true),
                     keep_one(Self, spawn_link(fun worker/0))
                 end),
    Pool ! {job, crash},
    receive {restarted, Pool} -> ok end,
    Pool ! {job, {self(), 20}},
    receive {result, 40} -> ok end,
    Ref = monitor(process, Pool),
    Pool ! stop,
    receive {'DOWN', Ref, process, Pool, normal} -> ok end.

keep_one(Owner, Worker) ->
    receive
        {job, Job} -> Worker ! Job, keep_one(Owner, Worker);
        {'EXIT', Worker, Why} when Why =/= normal ->
            New = spawn_link(fun worker/0),
            Owner ! {restarted, self()},
            keep_one(Owner, New);
        stop ->
            unlink(Worker),
            exit(Worker, shutdown)
    end.

worker() ->
    receive
        {From, N} -> From ! {result, 2 * N}, worker();
        crash -> error(bad_job)
    end.

%% ---- Registries

registry() ->
    Reg = spawn_link(fun() -> registry(#{}) end),
    run([fun() -> ok = ask(Reg, {put, K, V}), {ok, V} = ask(Reg, {get, K}) end || {K, V} <- [{a, 1}, {b, 2}]]),
    error = ask(Reg, {get, c}),
    stopped = ask(Reg, stop),
    ok.

ask(Reg, What) ->
    Ref = monitor(process, Reg),
    Reg ! {Ref, self(), What},
    receive
        {Ref, Answer} -> demonitor(Ref, [flush]), Answer;
        {'DOWN', Ref, process, Reg, Why} -> exit(Why)
    end.

registry(Map) ->
    receive
        {Ref, From, {put, K, V}} -> From ! {Ref, ok}, registry(Map#{K => V});
        {Ref, From, {get, K}} -> From ! {Ref, maps:find(K, Map)}, registry(Map);
        {Ref, From, stop} -> From ! {Ref, stopped}
    end.

%% An entry goes when its owner does.
registry_cleans_up() ->
    Reg = spawn_link(fun() -> owners(#{}) end),
    {P, R} = spawn_monitor(fun() -> Reg ! {enter, self()}, receive {Reg, entered} -> ok end, exit(gone) end),
    receive {'DOWN', R, process, P, gone} -> ok end,
    Reg ! {empty, self()},
    receive {Reg, empty} -> ok end.

owners(Map) ->
    receive
        {enter, P} ->
            Ref = monitor(process, P),
            P ! {self(), entered},
            owners(Map#{Ref => P});
        {'DOWN', Ref, process, _, _} -> owners(maps:remove(Ref, Map));
        {empty, From} when map_size(Map) =:= 0 -> From ! {self(), empty}
    end.

%% Who gets the name works, the others do not.
name_as_lock() ->
    Self = self(),
    Ps = [spawn_link(fun() ->
                         Won = try register(the_worker, self()) catch error:badarg -> false end,
                         Self ! {self(), Won},
                         receive go -> ok end
                     end) || _ <- [1, 2]],
    [false, true] = lists:sort([receive {P, Won} -> Won end || P <- Ps]),
    [P ! go || P <- Ps],
    ok.

%% ---- Shared data

ets_cache() ->
    T = ets:new(cache, [public, {read_concurrency, true}]),
    run([fun() -> 42 = cached(T, answer) end || _ <- [1, 2]]),
    [{answer, 42}] = ets:lookup(T, answer),
    ok.

cached(T, Key) ->
    case ets:lookup(T, Key) of
        [{Key, Value}] -> Value;
        [] -> Value = 42, ets:insert(T, {Key, Value}), Value
    end.

ets_counter() ->
    T = ets:new(t, [public]),
    ets:insert(T, {hits, 0}),
    run([fun() -> ets:update_counter(T, hits, 1) end || _ <- [1, 2, 3]]),
    [{hits, 3}] = ets:lookup(T, hits),
    ok.

read_write_lock() ->
    T = ets:new(t, [public]),
    ets:insert(T, [{a, 0}, {b, 0}]),
    run([fun() -> ets:insert(T, [{a, 1}, {b, 1}]) end,
         fun() -> [{a, X}, {b, X}] = lists:sort(ets:tab2list(T)) end]).

dictionary() ->
    put(count, 0),
    [put(count, get(count) + I) || I <- [1, 2, 3]],
    6 = get(count),
    Self = self(),
    spawn_link(fun() -> put(count, 1), Self ! {theirs, get(count)} end),
    receive {theirs, 1} -> 6 = erase(count) end,
    ok.

persistent_config() ->
    persistent_term:put({?MODULE, config}, #{size => 3}),
    run([fun() -> #{size := 3} = persistent_term:get({?MODULE, config}) end || _ <- [1, 2]]),
    persistent_term:erase({?MODULE, config}),
    ok.

atomics_counter() ->
    A = atomics:new(1, []),
    run([fun() -> atomics:add(A, 1, 1) end || _ <- [1, 2, 3]]),
    3 = atomics:get(A, 1),
    ok.
