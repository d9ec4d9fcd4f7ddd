-module(pingpong).
-export([main/1]).

main(N) ->
    Echo = spawn(fun() -> echo(0) end),
    Echo ! {self(), N, "ping"},
    receive
        {pong, M, Text, Count} -> {M, Text, Count}
    end.

echo(Count) ->
    receive
        {From, N, Text} ->
            From ! {pong, N * 2, Text ++ "!", Count},
            echo(Count + 1)
    end.
