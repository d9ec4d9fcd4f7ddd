%% Links and monitors that come and go.
-module(links).
-export([main/0]).

main() ->
    Pids = [spawn(fun() -> receive stop -> ok end end) || _ <- lists:seq(1, 100)],
    churn(Pids, 3000),
    [P ! stop || P <- Pids],
    length(Pids).

churn(_, 0) -> ok;
churn(Pids, N) ->
    [begin link(P), R = monitor(process, P), unlink(P), demonitor(R) end || P <- Pids],
    churn(Pids, N - 1).
