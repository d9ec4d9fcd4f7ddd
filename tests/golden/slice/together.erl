-module(together).
-export([main/1]).

main(Z) ->
    put(x, 42),
    _Y = 1,
    put(x, get(x) + 1),
    if
        Z > 0 ->
            put(x, get(x) - 1),
            get(x);
        true ->
            none
    end.
