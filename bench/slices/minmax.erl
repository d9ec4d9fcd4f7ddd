-module(minmax).
-export([main/1]).

main([H | T]) ->
    {Min, Max} = lists:foldl(fun(X, {A, B}) -> {smaller(X, A), larger(X, B)} end, {H, H}, T),
    Range = Max - Min,
    {Range, Max}.

smaller(X, Y) when X < Y -> X;
smaller(_, Y) -> Y.

larger(X, Y) when X > Y -> X;
larger(_, Y) -> Y.
