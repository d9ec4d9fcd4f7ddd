%% A till: what is paid in, until it is asked for the sum.
-module(till).
-export([loop/1]).

-spec loop(0..100) -> {closed, integer()} | gone.
loop(Sum) ->
    receive
        {pay, Amount} when is_integer(Amount), Amount > 0 -> loop(Sum + Amount);
        {pay, 0} -> {closed, Sum};
        stop -> {closed, 1000 div (Sum - 42)}
    after 100 -> gone
    end.
