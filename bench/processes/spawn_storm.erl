%% Processes that live for a moment.
-module(spawn_storm).
-export([main/0]).

main() -> lists:sum([storm(1000) || _ <- lists:seq(1, 300)]).

storm(N) ->
    Self = self(),
    Pids = [spawn(fun() -> Self ! {self(), I * 2} end) || I <- lists:seq(1, N)],
    lists:sum([receive {Pid, X} -> X end || Pid <- Pids]).
