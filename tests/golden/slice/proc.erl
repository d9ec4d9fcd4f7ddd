-module(proc).
-export([main/1, table/1]).

main(N) ->
    Self = self(),
    Log = spawn(fun() -> log(0) end),
    Worker = spawn(fun() -> worker(Self, Log) end),
    Worker ! {work, N, unused},
    Extra = N * 100,
    receive
        {answer, Result, _Cost} -> Result
    end,
    {Result, Extra}.

worker(To, Log) ->
    receive
        {work, N, _} ->
            Cost = N * 7,
            Log ! {note, N},
            To ! {answer, N + 1, Cost}
    end.

log(Count) ->
    receive
        {note, _} -> log(Count + 1)
    end.

table(X) ->
    T = ets:new(t, []),
    U = length([X]),
    ets:insert(T, {a, X + 1, U}),
    V = ets:lookup_element(T, a, 2),
    W = U + 1,
    {V, W}.
