%% Functions that are missing, there twice, or not what they seem.
%% RUN: fathom parse --lint --stats --otp-release 28 %s > /dev/null
-module(functions).
-export([start/0, stop/1, loop/2]).
-import(lists, [map/2]).

start() ->
    Pid = spawn(fun lop/0),
    regsiter(server, Pid),
    loop(1).

loop(State, Count) when valid(State) ->
    map(fun(X) -> X end, lenght(State)),
    fun map/2;
loop(State, Count) when Count = 0 ->
    State.

start() ->
    ok.

valid(_) ->
    true.

map(F, L) ->
    lists:map(F, L).

-export([valid/1]).
%% EXIT: 1
