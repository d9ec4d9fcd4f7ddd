%% A module that says itself how its tests are run.
-module(wrapped).
-include_lib("eunit/include/eunit.hrl").
-export([eunit_wrapper_/1]).

eunit_wrapper_(Tests) -> {"wrapped", {setup, fun() -> put(wrapped, true) end, {inorder, Tests}}}.

first_test() -> ok.
second_test() -> ?assertEqual(1, 2).
third_test_() -> [?_test(ok), {"named", ?_test(error(third))}].
