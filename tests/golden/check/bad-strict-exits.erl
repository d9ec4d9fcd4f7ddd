%% The strict view: every abnormal exit is an error, whoever is told of it.
%% RUN: fathom check %s -t bad-strict-exits:test --strict-exits > %t/out || code=$?; grep -v assuming %t/out | sed "s/ in [0-9.]* s$//"; exit $code
-module('bad-strict-exits').
-export([test/0]).

test() ->
    process_flag(trap_exit, true),
    First = spawn_link(fun() -> error(oops) end),
    receive {'EXIT', First, {oops, _}} -> ok end,
    Second = spawn_link(fun() -> ok end),
    receive {'EXIT', Second, normal} -> ok end.
%% EXIT: 2
