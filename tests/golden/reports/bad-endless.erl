%% Two processes that pass a token on for ever.
%% RUN: fathom check -t bad-endless:t %s > %t/out || code=$?
%% RUN: sed -E 's/ in [0-9.]+ s$//' %t/out; exit $code
-module('bad-endless').
-export([t/0]).

t() ->
    Self = self(),
    Other = spawn(fun() -> pass(Self) end),
    Other ! token,
    pass(Other).

pass(To) -> receive token -> To ! token, pass(To) end.
%% EXIT: 1
