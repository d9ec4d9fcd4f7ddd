-module(shop).
-export([total/1, currency/0]).
-include("shop.hrl").
-ifdef(TEST).
-include_lib("eunit/include/eunit.hrl").
-endif.

total(Items) -> lists:sum([Price || #item{price = Price} <- Items]).

currency() -> ?CURRENCY.

-ifdef(TEST).
total_test() -> ?assertEqual(3, total([#item{price = 1}, #item{price = 2}])).
-endif.
