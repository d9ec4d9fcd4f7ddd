%% An answer that may come after the time-out.
%% RUN: fathom check -t bad-time-out:t %s > %t/out || code=$?
%% RUN: sed -E 's/ in [0-9.]+ s$//' %t/out; exit $code
-module('bad-time-out').
-export([t/0]).

t() ->
    Self = self(),
    spawn(fun() -> Self ! answer end),
    receive answer -> ok after 100 -> error(no_answer) end.
%% EXIT: 2
