%% A schedule that does not fit says where.
%% RUN: printf 'fathom schedule 1\nP spawn\nP.1 send\nend\n' > %t/schedule; fathom check %s -t "bad-stale":test --replay %t/schedule
-module('bad-stale').
-export([test/0]).

test() ->
    spawn(fun() -> ok end).
%% ERR: error: %t/schedule:3: P.1 should send, but did exit
%% EXIT: 1
