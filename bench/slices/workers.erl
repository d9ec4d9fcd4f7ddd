-module(workers).
-export([main/1]).

main(Xs) ->
    Me = self(),
    Pids = [spawn(fun() -> work(Me, X) end) || X <- Xs],
    Results = [receive {Pid, R, _Time} -> R end || Pid <- Pids],
    Times = length(Results),
    Sum = lists:sum(Results),
    {Times, Sum}.

work(To, X) ->
    Start = X * 1000,
    R = X * X,
    End = Start + R,
    To ! {self(), R, End - Start}.
