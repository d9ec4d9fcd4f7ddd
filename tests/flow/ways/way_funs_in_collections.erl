-module(way_funs_in_collections).
-export([test/0, log/2, cb/1, start/2, stop/1]).
-record(n, {v, kids = [], f}).
test() ->
    A = array:map(fun(_, F) -> F() end, array:from_list([fun() -> 1 end, fun() -> 2 end])),
    D = dict:fold(fun(K, F, Acc) -> [{K, F(K)} | Acc] end, [], dict:from_list([{a, fun(X) -> {d, X} end}])),
    G = gb_trees:map(fun(_, F) -> F() end, gb_trees:insert(k, fun() -> gb end, gb_trees:empty())),
    M = maps:map(fun(_, F) -> F(2) end, maps:merge_with(fun(_, F1, F2) -> fun(X) -> {F1(X), F2(X)} end end, #{a => fun(X) -> X end}, #{a => fun(X) -> -X end, b => fun(_) -> b end})),
    It = maps:next(maps:iterator(#{q => fun() -> it end})),
    I = case It of {_, F0, _} -> F0() end,
    Tree = #n{v = 1, f = fun(N) -> N#n.v end, kids = [#n{v = 2, f = fun(N) -> {two, N#n.v} end}]},
    W = walk(Tree),
    U = setelement(4, Tree, fun(_) -> other end),
    X = (U#n.f)(U),
    B = binary_to_term(term_to_binary({fn, fun(Z) -> {bin, Z} end, [fun ?MODULE:cb/1]})),
    {fn, BF, [BG]} = B,
    C = [F() || F <- [fun() -> c1 end, fun() -> c2 end], is_function(F, 0)],
    Bin = << <<(F(V))>> || {F, V} <- [{fun(V) -> V + 1 end, 3}] >>,
    {_, FM} = lists:mapfoldl(fun(E, Acc) -> {E, fun() -> {E, Acc()} end} end, fun() -> zero end, [1, 2]),
    K = lists:keyfind(b, 1, lists:keystore(b, 1, [{a, 1}], {b, fun() -> stored end})),
    {b, KF} = K,
    S = lists:sort(fun(P, Q) -> P > Q end, [1, 3, 2]),
    {value, SF} = lists:search(fun(F) -> F() =:= yes end, [fun() -> no end, fun() -> yes end]),
    Z = lists:zipwith3(fun(F, P, Q) -> F(P, Q) end, [fun(P, Q) -> P - Q end], [5], [2]),
    Sp = string:split("a,b", ","),
    R = erpc:call(node(), fun() -> {erpc, self() =/= x} end),
    R2 = rpc:call(node(), ?MODULE, cb, [fun() -> rpc_arg end]),
    Y = proplists:get_value(h, [{h, fun() -> pl end}]),
    {ok, TR} = timer:apply_after(1, ?MODULE, cb, [fun() -> tm end]),
    timer:sleep(5), timer:cancel(TR),
    put(pd, {fun() -> dict end}), {PF} = get(pd), [{pd, {PF2}}] = [E || {pd, _} = E <- get()],
    Me = self(), Pr = spawn(fun() -> put(other, fun() -> od end), Me ! ready, receive stop -> ok end end),
    receive ready -> ok end,
    {dictionary, Dn} = process_info(Pr, dictionary), OF = proplists:get_value(other, Dn), OR = OF(), Pr ! stop,
    Or = orddict:update(a, fun(F) -> F() end, orddict:store(a, fun() -> od2 end, [])),
    Fu = erlang:make_fun(?MODULE, cb, 1),
    H = maps:fold(fun(_, F, Acc) -> F(Acc) end, 0, maps:filter(fun(_, F) -> is_function(F) end, #{x => fun(N) -> N + 5 end})),
    Ap = app(),
    {array:to_list(A), D, gb_trees:get(k, G), M, I, W, X, BF(1), BG(2), C, Bin, FM(), KF(), S, SF(), Z, Sp, R, R2, Y(), PF(), PF2(), OR, Or, Fu(3), H, Ap}.
walk(#n{f = F, kids = Ks} = N) -> [F(N) | [walk(K) || K <- Ks]].
cb(F) when is_function(F) -> {cb, F()};
cb(X) -> {cb, X}.
app() -> application:set_env(kernel, my_fun, {f, fun() -> env end}), {ok, {f, F}} = application:get_env(kernel, my_fun), [G] = [V || {my_fun, {f, V}} <- application:get_all_env(kernel)], {F(), G()}.
log(_, #{config := #{fn := F}}) -> F().
start(_, F) -> {ok, spawn(F)}.
stop(_) -> ok.
