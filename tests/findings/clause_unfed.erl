%% Nobody ever says reset.
%% ENTRY clause_unfed:main
%% FINDING clause_not_fed 15
-module(clause_unfed).
-export([main/0]).

main() ->
    Counter = spawn(fun() -> count(0) end),
    Counter ! up,
    Counter ! stop.

count(N) ->
    receive
        up -> count(N + 1);
        {reset, To} -> count(To);
        stop -> N
    end.
