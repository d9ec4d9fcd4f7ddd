%% Who has read the clock is told that it stands still; messages that are alike have no order.
%% RUN: fathom check %s -t clock:test | sed "s/ in [0-9.]* s$//"
-module(clock).
-export([test/0]).

test() ->
    Self = self(),
    Start = erlang:monotonic_time(),
    [spawn(fun() -> Self ! done end) || _ <- [1, 2, 3]],
    [receive done -> ok end || _ <- [1, 2, 3]],
    true = erlang:monotonic_time() >= Start.
%% OUT: clean: 1 interleaving of clock:test(), complete; 10 events
%% OUT:   assuming: time-outs of 1000 ms or more fire only when no process can run
%% OUT:   assuming: signals to a process arrive in the order in which they are sent
%% OUT:   assuming: the virtual clock does not advance while a process can run
