%% A test that waits a moment for what takes a moment: what it expected, and what it got.
%% RUN: fathom check %s --eunit > %t/out || code=$?; sed "s/ in [0-9.]* s$//" %t/out; exit $code
-module('bad-assertion').
-include_lib("eunit/include/eunit.hrl").

impatient_test() ->
    Test = self(),
    spawn(fun() -> Test ! answer end),
    ?assertEqual({ok, answer}, receive Answer -> {ok, Answer} after 10 -> late end).
%% EXIT: 2
