-module(price_tests).
-include_lib("eunit/include/eunit.hrl").

nothing_test() -> ?assertEqual(0, price:total([], guest)).
one_test() -> ?assertEqual(30, price:total([{pen, 30}], guest)).
many_test() -> ?assertEqual(108, price:total([{pen, 30, 3}, {ink, 30}], guest)).
staff_test() -> ?assertEqual(27, price:total([{pen, 30}], staff)).
again_test() -> ?assertEqual(40, price:total([{ink, 40}], guest)).
