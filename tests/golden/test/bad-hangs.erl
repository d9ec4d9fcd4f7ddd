%% A test that hangs is told at once: virtual time passes when nobody can run. The tests
%% behind it run all the same.
%% RUN: fathom test --reduction-limit 2000000 %s > %t/out || code=$?; sed 's/ in [0-9.]* s$//' %t/out; exit $code
-module('bad-hangs').
-include_lib("eunit/include/eunit.hrl").

server() ->
    receive
        {From, hello} -> From ! {self(), hello}, server()
    end.

deadlock_test() ->
    Server = spawn(fun server/0),
    register(server, Server),
    Server ! {self(), good_morning},
    receive
        {Server, Answer} -> Answer
    end.

sleeps_test() -> timer:sleep(4000).
sleeps_too_long_test() -> timer:sleep(6000).
call_test() -> gen_server:call(spawn(fun() -> receive never -> ok end end), hello).
given_time_test_() -> {timeout, 10, ?_test(timer:sleep(6000))}.
setup_test_() -> {setup, fun() -> receive never -> ok end end, [?_test(ok)]}.
runs_on_test() -> count(0).
count(N) -> count(N + 1).
parallel_test_() -> {inparallel, [?_test(receive never -> ok end), ?_test(ok)]}.
last_test() -> ok.
%% EXIT: 2
