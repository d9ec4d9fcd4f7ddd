%% Three senders, and a receiver that takes what comes: six interleavings; with a bound, fewer.
%% RUN: fathom check %s -t messages:test --format json | grep -E '"(verdict|complete|interleavings)"' | sort -u; fathom check %s -t messages:test --preemptions 0 | sed -En '1s/ in [0-9.]* s(,|$)/\1/p;2p' || true
-module(messages).
-export([test/0]).

test() ->
    Self = self(),
    [spawn(fun() -> Self ! I end) || I <- [1, 2, 3]],
    [receive I -> I end || _ <- [1, 2, 3]].
%% OUT:       "complete": true,
%% OUT:       "interleavings": 6,
%% OUT:       "verdict": "clean",
%% OUT:   "complete": true,
%% OUT:   "interleavings": 6,
%% OUT:   "verdict": "clean",
%% OUT: unknown: 12 interleavings of messages:test(), not complete (bound: 0 preemptions); 132 events, 12 cut short at states explored before
%% OUT:   because: only interleavings with at most 0 preemptions were explored
