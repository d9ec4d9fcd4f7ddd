%% One document; times are left out of the comparison.
%% RUN: fathom test --format json %s > %t/out || code=$?
%% RUN: sed -E 's/"seconds": [-+.e0-9]+/"seconds": 0/' %t/out; exit $code
-module('bad-json').
-include_lib("eunit/include/eunit.hrl").

passes_test() -> ok.
equal_test() -> io:format("hello"), ?assertEqual({a, 1}, {a, 2}, "why").
error_test() -> lists:nth(1, []).
hangs_test_() -> {"waits", ?_test(receive never -> ok end)}.
group_test_() -> {"group", {setup, fun() -> error(no_start) end, [?_test(ok)]}}.
%% EXIT: 2
