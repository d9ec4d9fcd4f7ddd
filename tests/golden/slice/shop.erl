-module(shop).
-export([t/0]).

%% Two customers order at once; who comes first gets the discount.
t() ->
    Me = self(),
    Shop = spawn(fun() -> shop([], 0) end),
    spawn(fun() -> Shop ! {order, ann, 10}, Me ! done end),
    spawn(fun() -> Shop ! {order, bob, 20}, Me ! done end),
    receive done -> ok end,
    receive done -> ok end,
    Shop ! {total, Me},
    Total = receive {sum, Sum, Names} -> io:format("~p~n", [Names]), Sum end,
    29 = Total.

shop(Names, Sum) ->
    receive
        {order, Name, Price} when Names =:= [] -> shop([Name], Price - 1);
        {order, Name, Price} when Name =:= ann -> shop([Name | Names], Sum + Price + 5);
        {order, Name, Price} -> shop([Name | Names], Sum + Price);
        {total, From} -> From ! {sum, Sum, Names}
    end.
