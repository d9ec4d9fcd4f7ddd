-module(compose).
-export([main/2]).

main(X, Y) ->
    Inc = fun(N) -> N + 1 end,
    Pair = fun(A, B) -> {A, B} end,
    Both = compose(Inc, fun(N) -> N * Y end),
    {P, Q} = Pair(Both(X), Inc(Y)),
    Stages = [{inc, Inc}, {both, Both}, {name, fun(_) -> named end}],
    All = [{Name, F(X)} || {Name, F} <- Stages],
    {both, Found} = lists:keyfind(both, 1, All),
    First = P,
    {First, Q, Found}.

compose(F, G) -> fun(V) -> G(F(V)) end.
