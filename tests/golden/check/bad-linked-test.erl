%% A process takes the test along, by its link: the test has not passed, although the error is not its own.
%% RUN: fathom check %s --eunit > %t/out || code=$?; grep "error" %t/out | sed "s/ in [0-9.]* s$//"; exit $code
-module('bad-linked-test').
-include_lib("eunit/include/eunit.hrl").

linked_test() ->
    spawn_link(fun() -> exit(oops) end),
    receive after 100 -> ok end.
%% OUT: bug: 1 error in 3 interleavings of bad-linked-test:linked_test(), not complete; 9 events
%% OUT: bad-linked-test.erl:7:16: error: P.1 exits: oops
%% EXIT: 2
