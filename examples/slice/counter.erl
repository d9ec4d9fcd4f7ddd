%% Two clients count in a table. Now and then a hit is lost: what has that to do with?
-module(counter).
-export([t/0]).

t() ->
    Test = self(),
    ets:new(counts, [named_table, public]),
    ets:insert(counts, {hits, 0}),
    Log = spawn(fun() -> log([]) end),
    Log ! {line, "started"},
    spawn(fun() -> hit(), Test ! done end),
    spawn(fun() -> hit(), Test ! done end),
    receive done -> ok end,
    receive done -> ok end,
    Log ! {line, "stopped"},
    [{hits, N}] = ets:lookup(counts, hits),
    2 = N.

hit() ->
    [{hits, N}] = ets:lookup(counts, hits),
    ets:insert(counts, {hits, N + 1}).

log(Lines) ->
    receive
        {line, "stopped"} -> lists:reverse(Lines);
        {line, Text} -> log([string:trim(Text) | Lines])
    end.
