-module(shop).
-export([main/2]).

main(Cart, Coupon) ->
    case check(Cart, Coupon) of
        {ok, {Items, Off}, Warnings} ->
            Gross = lists:foldl(fun({_, P, N}, Acc) -> Acc + P * N end, 0, Items),
            Net = Gross - Gross * Off div 100,
            log(Warnings),
            {ok, Net, [Name || {Name, _, _} <- Items]};
        {error, Why} ->
            {error, Why}
    end.

check([], _) -> {error, empty};
check(Cart, Coupon) ->
    {Good, Bad} = lists:partition(fun({_, P, N}) -> P >= 0 andalso N > 0 end, Cart),
    Off = off(Coupon),
    {ok, {Good, Off}, [{bad, Name} || {Name, _, _} <- Bad]}.

off({percent, N}) when N > 0, N < 100 -> N;
off({friend, Name}) -> length(Name);
off(none) -> 0.

log([]) -> ok;
log([W | Ws]) -> io_lib:format("~p", [W]), log(Ws).
