%% A race on a table: look up, then insert.
%% RUN: fathom check -t bad-table:t %s > %t/out || code=$?
%% RUN: sed -E 's/ in [0-9.]+ s$//' %t/out; exit $code
-module('bad-table').
-export([t/0]).

t() ->
    seats = ets:new(seats, [named_table, public]),
    ets:insert(seats, {free, 1}),
    Self = self(),
    [spawn(fun() -> Self ! {Name, book()} end) || Name <- [ann, ben]],
    Booked = [receive {Name, Answer} -> Answer end || Name <- [ann, ben]],
    [no, yes] = lists:sort(Booked).

book() ->
    case ets:lookup(seats, free) of
        [{free, 0}] -> no;
        [{free, N}] -> ets:insert(seats, {free, N - 1}), yes
    end.
%% EXIT: 2
