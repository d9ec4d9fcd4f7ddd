%% Many processes send to one.
-module(fan_in).
-export([main/0]).

main() ->
    Self = self(),
    [spawn(fun() -> send(Self, I, 10000) end) || I <- lists:seq(1, 100)],
    gather(100 * 10000, 0).

send(_, _, 0) -> ok;
send(To, I, N) -> To ! {I, N}, send(To, I, N - 1).

gather(0, Sum) -> Sum;
gather(Left, Sum) -> receive {I, N} -> gather(Left - 1, Sum + I * N) end.
