-module(shop_tests).
-include_lib("eunit/include/eunit.hrl").
-include_lib("shop/include/shop.hrl").

empty_test() -> ?assertEqual(0, shop:total([])).

currency_test() -> ?assertEqual("EUR", shop:currency()).

working_directory_test() -> ?assert(filelib:is_file("rebar.config")).

data_test() -> ?assertEqual({ok, [{price, 7}]}, file:consult("test/prices.term")).

wrong_test() -> ?assertEqual(1, shop:total([#item{price = 2}])).

all_test_() -> [{"one", ?_assert(true)}, {"two", ?_assertEqual(2, 1 + 1)}].
