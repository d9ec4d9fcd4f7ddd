%% All functions are there: in the module, in OTP, native ones, in a fun.
-module(defined).
-export([f/1, loop/1]).

f(List) ->
    spawn(?MODULE, loop, [List]),
    F = fun lists:sum/1,
    F(List) + erlang:length(List) + ?MODULE:loop([]) + apply(?MODULE, loop, [[]]).

loop(List) -> length(lists:reverse(List)).
