%% Families of programs that meet on ETS tables, persistent terms and atomics, of any size.
%%
%% How counts are derived, here and in all modules of this folder: two events of different
%% processes are in conflict if their order can be seen. An interleaving stands for all that
%% order its conflicting pairs in the same way, so the count is the number of ways in which
%% these pairs can be ordered without a circle.
%%
%% Events on different keys are in no conflict, and neither are two that only read, or that
%% write the same. What finds nothing to change (a failed insert_new) has only read.
-module(families_ets).
-export([readers/1, independent_writers/1, writers/1, only_readers/1, counters/1, insert_new/1,
         two_keys/1, deleted_table/1, whole_table/1, late_name/1, taken/1]).
-export([sought/1, sought_others/1, selected_others/1, deleted_others/1, overwritten/1]).
-export([term_readers/1, term_writers/1, independent_terms/1]).
-export([atomic_readers/1, atomic_adders/1, independent_atomics/1, counter_adders/1, monotonic/1]).

-include("together.hrl").

%% One write and N reads of its key. Each read comes before the write or after it: 2^N.
readers(N) ->
    T = ets:new(t, [public]),
    together([fun() -> ets:insert(T, {x, 1}) end |
              [fun() -> ets:lookup(T, x) end || _ <- lists:seq(1, N)]]).

%% N writes of N keys: 1.
independent_writers(N) ->
    T = ets:new(t, [public]),
    together([fun() -> ets:insert(T, {I, 1}) end || I <- lists:seq(1, N)]),
    N = ets:info(T, size).

%% N writes of one key, in any order: N!.
writers(N) ->
    T = ets:new(t, [public]),
    together([fun() -> ets:insert(T, {x, I}) end || I <- lists:seq(1, N)]).

%% Nobody writes: 1.
only_readers(N) ->
    T = ets:new(t, [public]),
    ets:insert(T, {x, 1}),
    together([fun() -> [{x, 1}] = ets:lookup(T, x) end || _ <- lists:seq(1, N)]).

%% N times read, add and write in one event, in any order: N!.
counters(N) ->
    T = ets:new(t, [public]),
    ets:insert(T, {x, 0}),
    together([fun() -> ets:update_counter(T, x, 1) end || _ <- lists:seq(1, N)]),
    [{x, N}] = ets:lookup(T, x).

%% All but the first fail, and only see that there is one: N.
insert_new(N) ->
    T = ets:new(t, [public]),
    together([fun() -> ets:insert_new(T, {x, I}) end || I <- lists:seq(1, N)]).

%% The same with taking what is there: N.
taken(N) ->
    T = ets:new(t, [public]),
    ets:insert(T, {x, 1}),
    together([fun() -> ets:take(T, x) end || _ <- lists:seq(1, N)]).

%% A writer for each of two keys, and N processes that read the first, then the second. No
%% choice for one read restricts another (a circle would have to lead back from the second
%% key to the first, and no process goes there): 4^N.
two_keys(N) ->
    T = ets:new(t, [public]),
    together([fun() -> ets:insert(T, {a, 1}) end,
              fun() -> ets:insert(T, {b, 1}) end |
              [fun() -> ets:lookup(T, a), ets:lookup(T, b) end || _ <- lists:seq(1, N)]]).

%% The table goes, and N processes read it before or after: 2^N.
deleted_table(N) ->
    T = ets:new(t, [public]),
    together([fun() -> ets:delete(T) end |
              [fun() -> catch ets:lookup(T, x) end || _ <- lists:seq(1, N)]]).

%% One that reads the whole table, and N writes of different keys: 2^N.
whole_table(N) ->
    T = ets:new(t, [public]),
    together([fun() -> ets:first(T) end |
              [fun() -> ets:insert(T, {I, 1}) end || I <- lists:seq(1, N)]]).

%% Objects are looked for while N are put there that are such: 2^N.
sought(N) ->
    T = ets:new(t, [public]),
    together([fun() -> ets:match_object(T, {'_', yes}) end |
              [fun() -> ets:insert(T, {I, yes}) end || I <- lists:seq(1, N)]]).

%% That are not: 1; by a pattern, by the guard of a match specification, to be deleted.
sought_others(N) ->
    T = ets:new(t, [public]),
    together([fun() -> ets:match(T, {'$1', yes}) end |
              [fun() -> ets:insert(T, {I, no}) end || I <- lists:seq(1, N)]]).

selected_others(N) ->
    T = ets:new(t, [public]),
    together([fun() -> ets:select(T, [{{'$1', '_'}, [{'>', '$1', N}], ['$1']}]) end |
              [fun() -> ets:insert(T, {I, no}) end || I <- lists:seq(1, N)]]).

deleted_others(N) ->
    T = ets:new(t, [public]),
    together([fun() -> ets:select_delete(T, [{{'_', yes}, [], [true]}]) end |
              [fun() -> ets:insert(T, {I, no}) end || I <- lists:seq(1, N)]]).

%% That are not, but take the place of some that are: 2^N.
overwritten(N) ->
    T = ets:new(t, [public]),
    [ets:insert(T, {I, yes}) || I <- lists:seq(1, N)],
    together([fun() -> ets:match(T, {'$1', yes}) end |
              [fun() -> ets:insert(T, {I, no}) end || I <- lists:seq(1, N)]]).

%% A table is given a name while N processes look for it: 2^N. It is the test's own, and
%% stays until all have looked.
late_name(N) ->
    Workers = [spawn_monitor(fun() -> ets:whereis(families) end) || _ <- lists:seq(1, N)],
    ets:new(families, [named_table]),
    lists:foreach(fun({P, R}) -> receive {'DOWN', R, process, P, normal} -> ok end end, Workers).

%% ---- Persistent terms: as keys of a table.

term_readers(N) ->
    together([fun() -> persistent_term:put(families_x, 1) end |
              [fun() -> persistent_term:get(families_x, none) end || _ <- lists:seq(1, N)]]).

term_writers(N) ->
    together([fun() -> persistent_term:put(families_x, I) end || I <- lists:seq(1, N)]).

independent_terms(N) ->
    together([fun() -> persistent_term:put({families, I}, I) end || I <- lists:seq(1, N)]).

%% ---- Atomics and counters: as keys of a table, too; the key is array and index.

atomic_readers(N) ->
    A = atomics:new(1, []),
    together([fun() -> atomics:put(A, 1, 1) end |
              [fun() -> atomics:get(A, 1) end || _ <- lists:seq(1, N)]]).

%% Nobody looks what came of it: 1.
atomic_adders(N) ->
    A = atomics:new(1, []),
    together([fun() -> atomics:add(A, 1, I) end || I <- lists:seq(1, N)]).

independent_atomics(N) ->
    A = atomics:new(N, []),
    B = atomics:new(N, []),
    together([fun() -> atomics:add(A, I, 1), atomics:add(B, I, 1) end || I <- lists:seq(1, N)]).

%% The same: 1.
counter_adders(N) ->
    C = counters:new(1, [atomics]),
    together([fun() -> counters:add(C, 1, I) end || I <- lists:seq(1, N)]).

%% Integers that ascend over all processes are one thing that everybody changes: N!.
monotonic(N) ->
    together([fun() -> erlang:unique_integer([monotonic]) end || _ <- lists:seq(1, N)]).
