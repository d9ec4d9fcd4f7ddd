%% What an assertion expected and what it got, under the line with the macro's use.
%% RUN: fathom test %s > %t/out || code=$?; sed 's/ in [0-9.]* s$//' %t/out; exit ${code:-0}
-module('bad-asserts').
-include_lib("eunit/include/eunit.hrl").

double(X) -> X + X.

equal_test() ->
    io:format("before~nthe assertion"),
    ?assertEqual(5, double(2)).

comment_test() -> ?assertEqual(5, double(2), "twice two").
true_test() -> ?assert(double(2) > 4).
no_boolean_test() -> ?assertNot(double(2)).
match_test() -> ?assertMatch({ok, [_ | T]} when length(T) > 1, {ok, [double(1)]}).
not_match_test() -> ?assertNotMatch(#{key := _}, #{key => double(1)}).
not_equal_test() -> ?assertNotEqual(4, double(2)).
no_exception_test() -> ?assertError(badarith, double(2)).
other_exception_test() -> ?assertExit(_, double(a)).
not_exception_test() -> ?assertNotException(error, badarith, double(a)).

%% The lines of a macro that has several; of several in one line the one that failed.
lines_test() ->
    ?assertEqual(
       1,
       double(1)).
generated_test_() ->
    [?_assertEqual(2, double(1)), {"second", ?_assertEqual(5, double(2))}, ?_assert(true)].
helper_test() -> helper(3).
helper(N) -> ?assertEqual(7, double(N)), ok.
%% EXIT: 2
