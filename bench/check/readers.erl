%% One process writes a key of a table, N others read it: 2^N interleavings. awaited/1: the test
%% waits for the end of each reader, which others see then. terms/1 are as many interleavings,
%% of a persistent term. set_up/2 does a great deal before that, which all interleavings have in
%% common; messages/1 are N! of them.
-module(readers).
-export([readers/1, awaited/1, terms/1, set_up/2, messages/1]).

readers(N) ->
    Table = lasting_table(),
    [spawn(fun() -> ets:lookup(Table, key) end) || _ <- lists:seq(1, N)],
    ets:insert(Table, {key, 1}).

%% A table that outlives the test: its owner waits for ever.
lasting_table() ->
    Self = self(),
    spawn(fun() -> Self ! {table, ets:new(table, [public])}, receive after infinity -> ok end end),
    receive {table, Table} -> Table end.

awaited(N) ->
    race(ets:new(table, [public]), N).

set_up(Events, N) ->
    Table = ets:new(table, [public]),
    [ets:insert(Table, {I, I}) || I <- lists:seq(1, Events)],
    race(Table, N).

race(Table, N) ->
    Readers = [spawn_monitor(fun() -> ets:lookup(Table, key) end) || _ <- lists:seq(1, N)],
    ets:insert(Table, {key, 1}),
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- Readers].

terms(N) ->
    persistent_term:put(key, 0),
    [spawn(fun() -> persistent_term:get(key) end) || _ <- lists:seq(1, N)],
    persistent_term:put(key, 1).

messages(N) ->
    Self = self(),
    [spawn(fun() -> Self ! I end) || I <- lists:seq(1, N)],
    [receive I -> I end || _ <- lists:seq(1, N)].
