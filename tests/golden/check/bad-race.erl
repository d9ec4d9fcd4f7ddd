%% A process may have ended before it gets its name.
%% RUN: fathom check %s -t "bad-race":test --record %t/schedule > %t/out || code=$?; sed "s/ in [0-9.]* s$//" %t/out; cat %t/schedule; fathom check %s -t "bad-race":test --replay %t/schedule > %t/again || test $? = 2; sed -n "1s/ in [0-9.]* s$//p" %t/again; exit $code
-module('bad-race').
-export([test/0]).

test() ->
    Pid = spawn(fun() -> ok end),
    register(server, Pid).
%% EXIT: 2
