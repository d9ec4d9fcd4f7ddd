%% A token goes around a ring of processes.
-module(ring).
-export([main/0]).

main() ->
    Self = self(),
    First = lists:foldl(fun(_, Next) -> spawn(fun() -> pass(Next) end) end, Self, lists:seq(1, 1000)),
    turn(First, 1000).

pass(Next) ->
    receive
        stop -> Next ! stop;
        N -> Next ! N + 1, pass(Next)
    end.

turn(First, Turns) -> turn(First, Turns, 0).

turn(First, 0, N) ->
    First ! stop,
    receive stop -> N end;
turn(First, Turns, N) ->
    First ! N,
    receive M -> turn(First, Turns - 1, M) end.
