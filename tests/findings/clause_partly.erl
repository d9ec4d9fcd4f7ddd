%% The entry is not all of the program: reset/1 is exported too.
%% ENTRY clause_partly:main
%% NOTE clause_not_fed 19
-module(clause_partly).
-export([main/0, reset/2]).

main() ->
    Counter = spawn(fun() -> count(0) end),
    Counter ! up.

reset(Counter, To) ->
    Counter ! {reset, To}.

count(N) ->
    receive
        up ->
            count(N + 1);
        %% Nothing.
        {reset, To} ->
            count(To)
    end.
