-module(ets1).
-export([main/1]).

main(Xs) ->
    T = ets:new(t, []),
    ets:insert(T, [{hits, 0}, {names, []}]),
    [hit(T, X) || X <- Xs],
    [{names, Names}] = ets:lookup(T, names),
    [{hits, Hits}] = ets:lookup(T, hits),
    {Names, Hits}.

hit(T, X) ->
    [{names, Names}] = ets:lookup(T, names),
    ets:insert(T, {names, [X | Names]}),
    ets:update_counter(T, hits, 1).
