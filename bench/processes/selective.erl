%% Receiving the last of a long row of messages, again and again.
-module(selective).
-export([main/0]).

main() ->
    [self() ! {old, I} || I <- lists:seq(1, 2000)],
    N = ask(20000, 0),
    N + drop(0).

ask(0, Sum) -> Sum;
ask(N, Sum) ->
    self() ! {new, N},
    receive {new, M} -> ask(N - 1, Sum + M) end.

drop(N) -> receive {old, I} -> drop(N + I) after 0 -> N end.
