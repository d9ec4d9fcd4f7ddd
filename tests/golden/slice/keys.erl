-module(keys).
-export([t/0]).
t() ->
    Me = self(),
    ets:new(a, [named_table, public]),
    ets:insert(a, {x, 1}),
    ets:insert(a, {y, 1}),
    spawn(fun() -> [{x, V}] = ets:lookup(a, x), ets:insert(a, {z, V}), ets:insert(a, {y, 2}), Me ! {p, V} end),
    spawn(fun() -> ets:insert(a, {x, 2}), ets:insert(a, {unused, self()}), Me ! q end),
    receive {p, V} -> ok end,
    receive q -> ok end,
    [{y, Y}] = ets:lookup(a, y),
    io:format("~p~n", [Y]),
    2 = V.
