-module(queue1).
-export([main/1]).

main(Xs) ->
    Q = fill(Xs, {[], [], 0}),
    {Head, Rest} = take(Q),
    Size = element(3, Rest),
    {Size, Head}.

fill([], Q) -> Q;
fill([X | Xs], {In, Out, N}) -> fill(Xs, {[X | In], Out, N + 1}).

take({In, [], N}) -> take({[], lists:reverse(In), N});
take({In, [H | T], N}) -> {H, {In, T, N - 1}}.
