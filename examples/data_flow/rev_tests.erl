-module(rev_tests).
-include_lib("eunit/include/eunit.hrl").

none_test() -> ?assertEqual([], rev:reverse([])).
two_test() -> ?assertEqual([b, a], rev:reverse([a, b])).
