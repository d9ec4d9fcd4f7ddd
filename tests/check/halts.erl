%% The system is halted while others are at work.
-module(halts).
-export([at_work/0, two/0, killed_before/0, crash_before/0, order/0]).

%% Nobody needs to know how far the others have come: 1.
at_work() ->
    [spawn(fun() ->
               Me = self(),
               spawn(fun() -> Me ! go end),
               receive go -> ok end
           end) || _ <- [1, 2]],
    halt().

%% Which of two comes first is seen from outside: 2.
two() ->
    spawn(fun() -> halt(1) end),
    halt().

%% It may not come to that: 2.
killed_before() ->
    Me = self(),
    spawn(fun() -> exit(Me, kill) end),
    halt(2).

%% What happens in time counts: 1.
crash_before() ->
    spawn(fun() -> exit(crash) end),
    halt().

%% Which message comes first decides: 2.
order() ->
    Me = self(),
    [spawn(fun() -> Me ! I end) || I <- [0, 1]],
    receive Status -> halt(Status) end.
