-module(dict).
-export([main/1]).

main(Xs) ->
    put(seen, 0),
    put(last, none),
    [visit(X) || X <- Xs],
    Last = get(last),
    Seen = get(seen),
    {Last, Seen}.

visit(X) ->
    put(seen, get(seen) + 1),
    put(last, X).
