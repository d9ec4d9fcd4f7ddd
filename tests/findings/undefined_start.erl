%% A process starts with a function that is not exported, another with too few arguments.
%% FINDING undefined_function 8
%% FINDING undefined_function 9
-module(undefined_start).
-export([f/0, loop/2]).

f() ->
    spawn(?MODULE, serve, [1]),
    spawn_link(?MODULE, loop, [1]).

serve(N) -> N.

loop(N, M) -> serve(N + M).
