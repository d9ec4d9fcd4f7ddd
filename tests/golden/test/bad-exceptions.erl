%% An exception stands where it was raised, with the stack but for EUnit's own part of it.
%% RUN: fathom test %s > %t/out || code=$?; sed 's/ in [0-9.]* s$//' %t/out; exit ${code:-0}
-module('bad-exceptions').
-include_lib("eunit/include/eunit.hrl").

error_test() ->
    inner(3),
    ok.
inner(N) ->
    {ok, N} = lists:last([{error, N}]),
    ok.

library_test() ->
    X = lists:keysort(one, [{1, 2}]),
    length(X).
exit_test() -> exit({shutdown, now}).
throw_test() -> throw("ball").
fun_test_() -> fun() -> 1 + length([a | b]) end.
killed_test() ->
    spawn_link(fun() -> exit(went_wrong) end),
    receive never -> ok end.
halt_test() -> halt(3).
setup_test_() -> {setup, fun() -> error(no_start) end, fun(_) -> ok end, [?_test(ok)]}.
cleanup_test_() -> {"titled", {setup, fun() -> ok end, fun(_) -> error(no_stop) end, [?_test(ok)]}}.
generator_test_() -> [?_test(ok), ?_test(1 = length([]))].
bad_generator_test_() -> error(no_tests).
no_generator_test_() -> ok.
no_description_test_() -> [?_test(ok), {this, is, nothing}].
behind_all_test() -> ok.
%% EXIT: 2
