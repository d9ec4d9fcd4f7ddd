%% A case of a Common Test suite.
%% RUN: fathom check --ct %s > %t/out || code=$?
%% RUN: sed -E 's/ in [0-9.]+ s$//' %t/out; exit $code
-module('bad-case_SUITE').
-include_lib("common_test/include/ct.hrl").
-export([all/0, init_per_testcase/2, end_per_testcase/2, counts/1]).

all() -> [counts].

init_per_testcase(_, Config) ->
    Table = ets:new(hits, [public]),
    ets:insert(Table, {page, 0}),
    [{table, Table} | Config].

end_per_testcase(_, Config) -> ets:delete(?config(table, Config)).

counts(Config) ->
    Table = ?config(table, Config),
    Visitors = [spawn_monitor(fun() -> visit(Table) end) || _ <- [1, 2]],
    [receive {'DOWN', Monitor, process, Pid, _} -> ok end || {Pid, Monitor} <- Visitors],
    [{page, 2}] = ets:lookup(Table, page).

visit(Table) ->
    [{page, Hits}] = ets:lookup(Table, page),
    ets:insert(Table, {page, Hits + 1}).
%% EXIT: 2
