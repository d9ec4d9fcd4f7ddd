%% Which pairs of operations have raced, and in which orders a check has seen them: each in both
%% after a complete check, some in one only if it was stopped. Equal messages (done) do not count.
%% RUN: fathom check --cover=message %s -t racing_pairs:test | grep "racing op"; fathom check --cover=message --verbose --max-interleavings 2 %s -t racing_pairs:test | grep -e "racing op" -e "one order"; fathom check --cover=message %s -t racing_pairs:test --format json | grep -c '"in_both_orders": true'
-module(racing_pairs).
-export([test/0]).

test() ->
    Table = ets:new(table, [public]),
    Self = self(),
    spawn(fun() -> ets:insert(Table, {key, 1}), Self ! done end),
    spawn(fun() -> ets:insert(Table, {key, 2}), Self ! done end),
    Seen = ets:lookup(Table, key),
    receive done -> ok end,
    receive done -> ok end,
    Seen.
