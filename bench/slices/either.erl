-module(either).
-export([main/2]).

main(Kind, X) ->
    Pair = case Kind of
        a -> {X, 1};
        b -> {2, X};
        _ -> {0, 0}
    end,
    {Left, Right} = Pair,
    {Right, Left}.
