%% A worker that crashes takes its client along.
%% RUN: fathom check -t bad-linked-worker:t %s > %t/out || code=$?
%% RUN: sed -E 's/ in [0-9.]+ s$//' %t/out; exit $code
-module('bad-linked-worker').
-export([t/0]).

t() ->
    Self = self(),
    Worker = spawn_link(fun() -> work(Self) end),
    Worker ! {divide, 1, 0},
    receive {result, Value} -> Value end.

work(Client) ->
    receive {divide, A, B} -> Client ! {result, A div B} end.
%% EXIT: 2
