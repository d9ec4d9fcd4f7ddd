-module(store_tests).
-include_lib("eunit/include/eunit.hrl").
put_test() -> ?assertEqual([a, b], store:put(a, [b])).
full_test() -> ?assertError(function_clause, store:put(a, [b, c, d])).
