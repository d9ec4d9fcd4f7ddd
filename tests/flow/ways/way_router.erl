-module(way_router).
-export([test/0, loop/1, entry/2, reg/1]).
test() ->
    Router = spawn(?MODULE, loop, [#{routes => #{}, default => fun(X) -> {default, X} end}]),
    register(router, Router),
    router ! {add, {path, 1}, fun(X) -> {one, X} end},
    {router, node()} ! {add, {path, 2}, fun entry_fun/1},
    R = [ask({path, N}, N) || N <- [1, 2, 3]],
    Alias = alias([reply]),
    router ! {call, Alias, {path, 1}, via_alias},
    R2 = receive {Alias, V} -> V after 100 -> none end,
    {P, Ref} = spawn_opt(?MODULE, entry, [self(), #{f => fun() -> opt end}], [{monitor, [{tag, my_down}]}]),
    R3 = receive {P, M} -> (maps:get(f, M))() end,
    R4 = receive {my_down, Ref, process, P, Why} -> Why end,
    ReqId = spawn_request(node(), ?MODULE, entry, [self(), #{f => fun() -> requested end}], [{reply_tag, spawned}]),
    R5 = receive {spawned, ReqId, ok, P2} -> P2 end,
    R6 = receive {R5, #{f := F6}} -> F6() end,
    T = erlang:start_timer(1, self(), {timer, fun() -> timer_fun end}),
    R7 = receive {timeout, T, {timer, TF}} -> TF() end,
    yes = global:register_name(gname, Router),
    global:send(gname, {add, g, fun(_) -> by_global end}),
    R8 = ask(g, 1),
    Pids = [spawn(fun() -> reg(K) end) || K <- [one, two]],
    timer:sleep(5),
    [whereis(K) ! {go, self(), K} || K <- registered(), K =:= one orelse K =:= two],
    R9 = [receive {went, F9} -> F9() after 100 -> no end || _ <- Pids],
    R10 = selective(),
    Router ! {stop, fun() -> bye end},
    {R, R2, R3, R4, R6, R7, R8, R9, R10}.
ask(K, A) -> router ! {call, self(), K, A}, receive {router, V} -> V; {_, V} -> V after 100 -> none end.
loop(S = #{routes := Rs, default := D}) ->
    receive
        {add, K, F} -> loop(S#{routes := Rs#{K => F}});
        {call, To, K, A} when is_pid(To) -> To ! {router, (maps:get(K, Rs, D))(A)}, loop(S);
        {call, To, K, A} -> To ! {To, (maps:get(K, Rs, D))(A)}, loop(S);
        {stop, F} -> F()
    end.
entry(To, M) -> To ! {self(), M}, exit({done, M}).
entry_fun(X) -> {entry, X}.
reg(K) -> register(K, self()), receive {go, From, K} -> From ! {went, fun() -> K end} end.
selective() ->
    self() ! {low, fun() -> low end}, self() ! {high, fun() -> high end},
    A = receive {high, F} -> F() end,
    B = receive {low, G} -> G() end,
    {A, B}.
