%% Every clause has a sender, one of them another process.
%% ENTRY clause_fed:main
-module(clause_fed).
-export([main/0]).

main() ->
    Counter = spawn(fun() -> count(0) end),
    Counter ! up,
    spawn(fun() -> Counter ! {reset, 5} end),
    Counter ! stop.

count(N) ->
    receive
        up -> count(N + 1);
        {reset, To} -> count(To);
        stop -> N
    end.
