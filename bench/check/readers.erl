%% One process writes a key of a table, N others read it: 2^N interleavings. terms/1 are as
%% many, of a persistent term, whose readers nobody waits for. set_up/2 does a great deal
%% before that, which all interleavings have in common; messages/1 are N! of them.
-module(readers).
-export([readers/1, terms/1, set_up/2, messages/1]).

readers(N) ->
    Table = ets:new(table, [public]),
    race(Table, N).

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
