%% What ms_transform refuses is said in its words.
%% RUN: fathom parse --lint %s
-module('bad-fun2ms').
-include_lib("stdlib/include/ms_transform.hrl").
-export([g/1]).

g(X) ->
    ets:fun2ms(fun({A}) -> lists:sum(A) + X end).
%% ERR: bad-fun2ms.erl:8:28: error: fun containing the remote function call 'lists:sum/1' (called in body) cannot be translated into match_spec
%% ERR:       ets:fun2ms(fun({A}) -> lists:sum(A) + X end).
%% ERR:                              ^
%% EXIT: 1
