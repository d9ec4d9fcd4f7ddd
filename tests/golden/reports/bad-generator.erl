%% An assertion in one test of a generator.
%% RUN: fathom check --eunit %s > %t/out || code=$?
%% RUN: sed -E 's/ in [0-9.]+ s$//; s/ +[0-9.]+( *)$/\1/; s/[0-9.]+  assertion/assertion/' %t/out; exit $code
-module('bad-generator').
-include_lib("eunit/include/eunit.hrl").

cache_test_() ->
    [{"one writer", fun() -> ?assertEqual([{k, 1}], written([1])) end},
     {"two writers", fun() -> ?assertEqual([{k, 2}], written([1, 2])) end}].

written(Values) ->
    Table = ets:new(cache, [public]),
    Writers = [spawn_monitor(fun() -> ets:insert(Table, {k, Value}) end) || Value <- Values],
    [receive {'DOWN', Monitor, process, Pid, _} -> ok end || {Pid, Monitor} <- Writers],
    ets:lookup(Table, k).
%% EXIT: 2
