-module(guard).
-export([main/2]).

main(X, Y) ->
    Level = level(X),
    Other = {level(Y), weight(Level, Y)},
    {Other, Level}.

level(N) when N < 10 -> low;
level(N) when N < 100, is_integer(N) -> middle;
level(_) -> high.

weight(low, _) -> 0;
weight(_, Y) -> Y.
