%% Two processes, one message each in turn.
-module(ping_pong).
-export([main/0]).

main() ->
    Pong = spawn(fun pong/0),
    play(Pong, 1000000, 0).

pong() ->
    receive
        {From, N} -> From ! {self(), N + 1}, pong();
        stop -> ok
    end.

play(Pong, 0, Sum) -> Pong ! stop, Sum;
play(Pong, N, Sum) ->
    Pong ! {self(), N},
    receive {Pong, M} -> play(Pong, N - 1, Sum + M) end.
