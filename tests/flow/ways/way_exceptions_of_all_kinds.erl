-module(way_exceptions_of_all_kinds).
-export([test/0, boom/1, run/1]).
test() ->
    process_flag(trap_exit, true),
    R = [try thrower(K) catch C:E:St -> _ = St, {C, unpack(E)} end || K <- [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
    {P, M} = spawn_monitor(fun() -> exit({fun(X) -> {exited, X} end, 3}) end),
    A = receive {'DOWN', M, process, P, {F, N}} -> F(N) end,
    L = spawn_link(fun() -> erlang:error({bad, fun() -> by_link end}) end),
    B = receive {'EXIT', L, {{bad, G}, [{Mod, _, _, _} | _]}} -> {Mod, G()}; {'EXIT', L, {{bad, G}, _}} -> G() end,
    Q = spawn_link(fun() -> receive after infinity -> ok end end),
    exit(Q, {stop, fun() -> by_exit end}),
    C2 = receive {'EXIT', Q, {stop, H}} -> H() end,
    D = try re(fun() -> throw({inner, fun() -> t end}) end) catch throw:{outer, X} -> X() end,
    E = (catch exit({z, fun() -> c end})),
    {'EXIT', {z, EF}} = E,
    Cl = case length(R) > 3 of true -> throw; false -> exit end,
    I = try erlang:raise(Cl, {computed, fun() -> comp end}, []) catch _:{computed, K2} -> K2() end,
    J = try run(fun() -> erlang:error(bad, [fun() -> arg end]) end) catch error:bad:St2 -> is_list(St2) end,
    S = spawn(fun() -> receive {do, From, Fun} -> From ! (try {ok, Fun()} catch T:Z -> {T, Z} end) end end),
    S ! {do, self(), fun() -> throw({remote, fun() -> rem_fun end}) end},
    V = receive {throw, {remote, W}} -> W() end,
    {R, A, B, C2, D, EF(), I, J, V}.
re(F) -> try F() catch throw:{inner, X} -> throw({outer, fun() -> {re, X()} end}) after put(k, done) end.
thrower(1) -> throw(a);
thrower(2) -> exit({b, fun() -> bb end});
thrower(3) -> error({c, fun() -> cc end});
thrower(4) -> {ok, _} = boom(4);
thrower(5) -> case boom(5) of none -> ok end;
thrower(6) -> boom(fun() -> six end);
thrower(7) -> (id(boom)):boom(8);
thrower(8) -> (id(fun(_) -> x end))(1, 2);
thrower(9) -> if 1 > 2 -> ok end;
thrower(10) -> maps:get(nokey, id(#{a => fun() -> m end}));
thrower(11) -> (id(not_fun))(1).
boom(X) when is_integer(X) -> {error, fun() -> X end}.
id(X) -> X.
run(F) -> F(), ok.
unpack({_, F}) when is_function(F, 0) -> F();
unpack({badmatch, {error, F}}) -> {bm, F()};
unpack({case_clause, {error, F}}) -> {cc, F()};
unpack({badarity, {F, Args}}) -> {apply(F, tl(Args)), length(Args)};
unpack({badfun, X}) -> X;
unpack({badkey, K}) -> K;
unpack(X) -> X.
