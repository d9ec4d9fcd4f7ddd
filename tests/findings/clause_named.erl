%% Nobody here says reset, but anybody may send to a registered name.
%% NOTE clause_not_fed 14
-module(clause_named).
-export([start/0, up/0]).

start() -> register(clause_named, spawn(fun() -> count(0) end)).

up() -> clause_named ! up.

count(N) ->
    receive
        up ->
            count(N + 1);
        {reset, To} ->
            count(To)
    end.
