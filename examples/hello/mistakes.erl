%% A module that does not compile: `fathom parse` reports each mistake.
-module(mistakes).
-export([sum/1, price/1, first/1]).

sum([]) -> 0;
sum([N | Rest]) -> N + sum(Rest.

price({apples, Kilos}) -> Kilos * ?APPLES;
price({pears, Kilos}) -> Kilos * 3.

first([X | _]) ->
    case X of
        undefined -> none;
        Value -> {ok, Value};
    end.
