%% The process is handed out: whoever has it may say anything.
-module(clause_outside).
-export([start/0, up/1]).

start() -> spawn(fun() -> count(0) end).

up(Counter) -> Counter ! up.

count(N) ->
    receive
        up -> count(N + 1);
        {reset, To} -> count(To);
        stop -> N
    end.
