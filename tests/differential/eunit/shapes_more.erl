%% Tests that another module asks for.
-module(shapes_more).
-include_lib("eunit/include/eunit.hrl").

first_test() -> ok.
second_test() -> ?assertEqual(a, b).
third_test_() -> {"third", [?_test(ok), ?_test(throw(x))]}.
