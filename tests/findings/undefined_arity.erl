%% lists:sum/2 does not exist.
%% FINDING undefined_function 6
-module(undefined_arity).
-export([f/1]).

f(List) -> lists:sum(List, 0).
