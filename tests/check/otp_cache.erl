%% Caches and counters in ETS tables, in pairs: *_bug goes wrong in some interleavings, *_fix
%% in none.
-module(otp_cache).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).
-export([computed_twice_bug/0, computed_twice_fix/0, lost_update_bug/0, lost_update_fix/0]).
-export([served_fix/0, stale_bug/0, stale_fix/0, iterated_bug/0, iterated_fix/0]).

-include("together.hrl").

%% Read, compute, insert: two clients may both compute what is to be computed once.
%% The counter counts how often. The looks commute. Client A's look comes before or behind B's
%% insert, and so on: one after the other (2), or both look first and compute both, in either
%% order of counting (2), and insert the same: 4.
computed_twice_bug() ->
    once(fun(T) ->
             case ets:lookup(T, value) of
                 [] ->
                     ets:update_counter(T, computed, 1),
                     ets:insert(T, {value, 42});
                 _ -> ok
             end
         end).

%% Who inserts first computes: 2.
computed_twice_fix() ->
    once(fun(T) -> ets:insert_new(T, {value, 42}) andalso ets:update_counter(T, computed, 1) end).

once(Compute) ->
    T = ets:new(cache, [public]),
    ets:insert(T, {computed, 0}),
    together([fun() -> Compute(T) end || _ <- [1, 2]]),
    [{computed, 1}] = ets:lookup(T, computed).

%% As sharing:mutex_bug/0: 3.
lost_update_bug() ->
    counted(fun(T) -> ets:insert(T, {n, ets:lookup_element(T, n, 2) + 1}) end).

%% In one event: 2.
lost_update_fix() -> counted(fun(T) -> ets:update_counter(T, n, 1) end).

%% By a server that owns the table: it takes one request before the other: 2.
served_fix() ->
    {ok, S} = gen_server:start(?MODULE, [], []),
    together([fun() -> gen_server:call(S, add) end || _ <- [1, 2]]),
    2 = gen_server:call(S, get),
    gen_server:stop(S).

counted(Add) ->
    T = ets:new(t, [public]),
    ets:insert(T, {n, 0}),
    together([fun() -> Add(T) end || _ <- [1, 2]]),
    [{n, 2}] = ets:lookup(T, n).

init([]) ->
    T = ets:new(t, [protected]),
    ets:insert(T, {n, 0}),
    {ok, T}.

handle_call(add, _, T) -> {reply, ets:update_counter(T, n, 1), T};
handle_call(get, _, T) -> {reply, ets:lookup_element(T, n, 2), T}.

handle_cast(_, T) -> {noreply, T}.

%% The source changes, and the cache is cleared; but a client that has read the old value puts
%% it into the cache behind that. Read and change: 2 ways. If the read comes first, the insert
%% comes before the clearing or behind it: 3 in all, and the last is the error. If the read comes
%% second, the insert still comes before or behind: 4.
stale_bug() -> cached(fun(T) -> ets:insert(T, {source, new}), ets:delete(T, cache) end).

%% The client fills the cache only if it is still the version that it has asked for: the change
%% counts versions, and the client's insert goes under the version that it has read. Its look at
%% the version comes before or behind the change of it; if before, its look at the source comes
%% before or behind: 3.
stale_fix() ->
    T = ets:new(t, [public]),
    ets:insert(T, [{source, old}, {version, 1}]),
    together([fun() -> ets:insert(T, {source, new}), ets:insert(T, {version, 2}) end,
              fun() ->
                  [{version, V}] = ets:lookup(T, version),
                  [{source, X}] = ets:lookup(T, source),
                  ets:insert(T, {{cache, V}, X})
              end]),
    [{version, V}] = ets:lookup(T, version),
    [] =:= ets:lookup(T, {cache, V}) orelse ets:lookup(T, {cache, V}) =:= [{{cache, V}, new}]
        orelse exit(stale).

cached(Change) ->
    T = ets:new(t, [public]),
    ets:insert(T, {source, old}),
    together([fun() -> Change(T) end,
              fun() -> [{source, X}] = ets:lookup(T, source), ets:insert(T, {cache, X}) end]),
    ets:lookup(T, cache) =:= [{cache, old}] andalso exit(stale).

%% Walking through a table while somebody deletes from it: next/2 fails if the key is gone. The
%% deletion of key 1 comes before first, between first and next, or behind: 3.
iterated_bug() ->
    T = ets:new(t, [public]),
    ets:insert(T, {1}),
    together([fun() -> ets:delete(T, 1) end, fun() -> walk(T, ets:first(T)) end]).

walk(_, '$end_of_table') -> ok;
walk(T, Key) -> walk(T, ets:next(T, Key)).

%% A fixed table keeps what was deleted until it is released, so next/2 goes on. Fixing and
%% releasing touch the whole table: the deletion comes before, between any two of the four, or
%% behind: 5. If it comes before first there is no next: the places are fix, first, next,
%% release or fix, first, release.
iterated_fix() ->
    T = ets:new(t, [public]),
    ets:insert(T, {1}),
    together([fun() -> ets:delete(T, 1) end,
              fun() ->
                  ets:safe_fixtable(T, true),
                  walk(T, ets:first(T)),
                  ets:safe_fixtable(T, false)
              end]).
