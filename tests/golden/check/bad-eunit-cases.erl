%% RUN: fathom check --eunit %s > %t/report || test $? = 2; grep -E "^(bad-eunit|error)" %t/report | sed -E "s/ +[0-9]+ +[0-9]+ +[0-9]+[.][0-9]+//"; exit 2
-module('bad-eunit-cases').
-include_lib("eunit/include/eunit.hrl").

plain_test() -> ok.

%% Each test by itself: an error of one does not hide the others.
each_test_() ->
    [{"waits for ever", fun() -> receive never -> ok end end},
     {"fails", ?_assertEqual(2, 1 + 2)},
     {"passes", ?_assertEqual(3, 1 + 2)}].

%% The second needs what the first does.
in_turn_test_() ->
    [{"first", fun() -> put(key, value) end},
     {"second", ?_assertEqual(value, get(key))}].

%% Both want the name at the same time.
parallel_test_() ->
    {inparallel, [fun take_name/0, fun take_name/0]}.

%% One after the other, in a process of its own each.
spawned_test_() ->
    [{spawn, {"one", fun take_name/0}}, {spawn, {"other", fun take_name/0}}].

take_name() ->
    true = register(name, self()),
    receive after 10 -> ok end.

fixtures_test_() ->
    {foreach, fun() -> ets:new(table, [public]) end, fun ets:delete/1,
     [fun(Table) -> {"inserts", ?_assert(ets:insert(Table, {key, 1}))} end,
      fun(Table) -> {"finds nothing", ?_assertEqual([], ets:lookup(Table, key))} end]}.

times_test_() ->
    [{timeout, 1, {"too slow", fun() -> timer:sleep(2000) end}},
     {timeout, 3, {"in time", fun() -> timer:sleep(2000) end}}].

linked_test() ->
    spawn_link(fun() -> exit(boom) end),
    receive after 5000 -> ok end.

halting_test() -> halt().
%% EXIT: 2
