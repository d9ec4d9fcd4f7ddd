-module(more_tests).
-include_lib("eunit/include/eunit.hrl").
some_test_() -> [?_assert(true), ?_assert(true)].
other_test() -> error(not_chosen).
