%% Each takes the other's lock: who waits where, for what, and what came.
%% RUN: fathom check %s -t "bad-deadlock":test > %t/out || code=$?; sed "s/ in [0-9.]* s$//" %t/out; exit $code
-module('bad-deadlock').
-export([test/0]).

test() ->
    A = spawn(fun() -> lock() end),
    B = spawn(fun() -> lock() end),
    Self = self(),
    spawn(fun() -> both(A, B), Self ! done end),
    both(B, A),
    receive done -> ok end,
    [exit(Lock, shutdown) || Lock <- [A, B]].

both(First, Second) ->
    take(First),
    take(Second),
    Second ! {free, self()},
    First ! {free, self()}.

take(Lock) ->
    Lock ! {take, self()},
    receive {taken, Lock} -> ok end.

lock() ->
    receive
        {take, Pid} ->
            Pid ! {taken, self()},
            receive {free, Pid} -> lock() end
    end.
%% EXIT: 2
