-module(halves_tests).
-include_lib("eunit/include/eunit.hrl").

half(N) -> N div 2.
log(X) -> {logged, X}.

all_test_() ->
    [{"even", fun() -> log(1), ?assertEqual(2, half(4)) end},
     {"odd", fun() -> log(2), ?assertEqual(2, half(3)) end}].

plain_test() ->
    log(3),
    3 = half(4).
