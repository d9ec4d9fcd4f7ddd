%% Processes that share a table: mostly reading, some writing, some counting.
-module(ets_mix).
-export([main/0]).

main() ->
    Table = ets:new(mix, [public]),
    ets:insert(Table, [{I, I} || I <- lists:seq(0, 9999)]),
    ets:insert(Table, {count, 0}),
    Pids = [spawn_monitor(fun() -> work(Table, I, 20000, 0) end) || I <- lists:seq(1, 50)],
    Sum = lists:sum([receive {'DOWN', Ref, process, Pid, N} -> N end || {Pid, Ref} <- Pids]),
    {Sum, ets:lookup(Table, count), ets:info(Table, size)}.

work(_, _, 0, Sum) -> exit(Sum);
work(Table, I, N, Sum) ->
    Key = (N * 7919 + I) rem 10000,
    case N rem 10 of
        0 -> ets:insert(Table, {Key, Key}), work(Table, I, N - 1, Sum);
        1 -> ets:update_counter(Table, count, 1), work(Table, I, N - 1, Sum);
        _ -> [{_, V}] = ets:lookup(Table, Key), work(Table, I, N - 1, Sum + V)
    end.
