%% A process that looks again and again, and nobody who could change anything: there is only
%% what OTP's code does.
%% RUN: fathom check %s -t "'bad-endless':test" --max-depth 100 --sequence %t/chart.svg > %t/out || code=$?; sed "s/ in [0-9.]* s$//" %t/out | sed -n "1,2p;/^Step/,$ p"; exit $code
-module('bad-endless').
-export([test/0]).

test() ->
    timer:sleep(5),
    test().
%% EXIT: 1
