f(X) ->
    case X of
        {ok, V} when V > 0; V < 0, is_float(V) -> a, b;
        [_ | _] -> c
    end,
    if X > 1, Y -> a; true -> b end,
    receive {a, B} when B -> c; _ -> d after 1000 -> e end,
    receive after infinity -> ok end,
    receive x -> y end,
    try a, b of c -> d; {e} when f -> g
    catch throw:h -> i; error:{j, _}:St when St =/= [] -> k; C:R -> {C, R}; l -> m
    after n, o end,
    try a catch _:_ -> b end,
    try a after b end,
    fun(A) -> A; (_) when true -> b end,
    fun F(0) -> 1; F(N) -> N * F(N - 1) end,
    fun() -> ok end, fun f/1, fun m:f/2, fun M:F/A, fun m:F/3,
    maybe {ok, A} ?= f(), B = g(A), {ok, C} ?= B, C else {error, E} -> E; _ when X -> y end,
    maybe a end.
