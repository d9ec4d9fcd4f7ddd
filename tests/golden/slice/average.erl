-module(average).
-export([main/1]).

main(Xs) ->
    N = length(Xs),
    Sum = total(Xs, 0),
    Avg = average(Sum, N - 1),
    Text = io_lib:format("~p", [Avg]),
    {Text, Sum}.

total([], Acc) -> Acc;
total([X | Xs], Acc) -> total(Xs, Acc + X).

average(_, N) when N < 0 -> none;
average(S, N) -> S div N.
