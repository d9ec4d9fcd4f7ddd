%% Every macro of eunit.hrl and assert.hrl, failing, and some that pass.
-module(asserts).
-include_lib("eunit/include/eunit.hrl").

-define(assertTaken(P), receive P -> ok end).

id(X) -> X.

passes_test() ->
    ?assert(id(true)),
    ?assertNot(id(false)),
    ?assertMatch({ok, _}, id({ok, 1})),
    ?assertEqual(3, id(3)),
    ?assertError(badarg, binary_to_list(id(a))),
    ?assertExit({gone, _}, exit(id({gone, 1}))),
    ?assertThrow(ball, throw(id(ball))).

assert_test() -> ?assert(id(1) > id(2)).
assert_comment_test() -> ?assert(id(false), "why not").
assert_not_boolean_test() -> ?assert(id({no, boolean})).
assert_not_test() -> ?assertNot(id(true)).
assert_not_comment_test() -> ?assertNot(id(true), <<"a binary">>).
assert_not_not_boolean_test() -> ?assertNot(id("text")).
match_test() -> ?assertMatch({ok, [_ | T]} when length(T) > 3, id({ok, [1, 2]})).
match_comment_test() -> ?assertMatch(#{key := "v"}, id(#{key => 1}), {any, term}).
not_match_test() -> ?assertNotMatch({ok, _}, id({ok, 1})).
not_match_comment_test() -> ?assertNotMatch([], id([]), "empty").
equal_test() -> ?assertEqual([1, 2.5, "three", <<"four">>], id([1, 2.5, "three", four])).
equal_comment_test() -> ?assertEqual(1, id(1.0), "exactly").
not_equal_test() -> ?assertNotEqual(3, id(1) + id(2)).
not_equal_comment_test() -> ?assertNotEqual(a, id(a), "other").
error_test() -> ?assertError(badarg, id(value)).
error_other_test() -> ?assertError(badarg, error(id(other))).
error_comment_test() -> ?assertError(badarg, error(id(other)), "see there").
exit_test() -> ?assertExit(normal, throw(id(x))).
throw_test() -> ?assertThrow({_, _}, id(fine)).
exception_test() -> ?assertException(throw, {_, X} when X > 1, throw(id({a, 0}))).
not_exception_test() -> ?assertNotException(error, badarg, atom_to_list(id(1))).
not_exception_comment_test() -> ?assertNotException(_, _, exit(id(x)), "never").
receives_test() ->
    self() ! {message, 1},
    ?assertTaken({message, 1}),
    ?assertEqual(nothing, receive X -> X after 0 -> none end).

lines_test() ->
    ?assertEqual(
       {a, b},
       id({a, c})).

generated_test_() ->
    [?_assert(id(false)), ?_assertNot(id(true)), ?_assertMatch(a, id(b)),
     ?_assertNotMatch(a, id(a)), ?_assertEqual(1, id(2)), ?_assertNotEqual(1, id(1)),
     ?_assertException(error, a, id(b)), ?_assertError(a, id(b)), ?_assertExit(a, id(b)),
     ?_assertThrow(a, id(b)), ?_assertNotException(error, a, error(id(a))), ?_test(1 = id(2))].
