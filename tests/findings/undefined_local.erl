%% helper/1 is there, and not exported.
%% FINDING undefined_function 6
-module(undefined_local).
-export([f/1]).

f(X) -> ?MODULE:helper(X) + helper(X).

helper(X) -> X.
