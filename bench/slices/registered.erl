-module(registered).
-export([main/1]).

main(X) ->
    Store = spawn(fun() -> store(#{}, 0) end),
    register(store, Store),
    store ! {put, x, X},
    store ! {put, y, X + 1},
    store ! {get, x, self()},
    V = receive {value, Value, _} -> Value end,
    unregister(store),
    V.

store(Map, Changes) ->
    receive
        {put, K, V} -> store(Map#{K => V}, Changes + 1);
        {get, K, From} ->
            From ! {value, maps:get(K, Map), Changes},
            store(Map, Changes)
    end.
