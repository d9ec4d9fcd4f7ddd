%% Processes that wait: for ever, too briefly, in the wrong order.
-module(waiting).
-export([deadlock_bug/0, stuck_bug/0, stuck_fix/0, missed_bug/0, missed_fix/0]).
-export([poll_bug/0, poll_fix/0, selective_bug/0, selective_fix/0]).
-export([cancelled_bug/0, cancelled_fix/0, late_timer_bug/0, late_timer_fix/0]).
-export([endless_bug/0, ping_pong/1, long_timeout_fix/0, sleep_bug/0, sleep_fix/0]).

-include("together.hrl").

%% Each waits for the other to begin: 1.
deadlock_bug() ->
    Me = self(),
    P = spawn(fun() -> receive Me -> Me ! answer end end),
    receive answer -> P ! Me end.

%% The test ends, and the process waits for ever: 1.
stuck_bug() ->
    spawn(fun() -> receive never -> ok end end).

stuck_fix() ->
    P = spawn(fun() -> receive now -> ok end end),
    P ! now.

%% An answer that takes longer than the test waits for it: 2.
missed_bug() ->
    Me = self(),
    P = spawn_monitor(fun() -> Me ! answer end),
    receive answer -> ok after 10 -> exit(too_late) end,
    join([P]).

%% As long as it takes: 1.
missed_fix() ->
    Me = self(),
    P = spawn_monitor(fun() -> Me ! answer end),
    receive answer -> ok end,
    join([P]).

%% A time-out of five seconds is not expected to come before a message that is on its way: 1.
long_timeout_fix() ->
    Me = self(),
    P = spawn_monitor(fun() -> Me ! answer end),
    receive answer -> ok after 5000 -> exit(too_late) end,
    join([P]).

%% A look into the mailbox that comes too early: 2.
poll_bug() ->
    Me = self(),
    P = spawn_monitor(fun() -> Me ! answer end),
    Answer = receive answer -> ok after 0 -> none end,
    join([P]),
    ok = Answer.

%% Behind the sender's end: 1.
poll_fix() ->
    Me = self(),
    P = spawn_monitor(fun() -> Me ! answer end),
    join([P]),
    ok = receive answer -> ok after 0 -> none end.

%% Whoever comes first is taken for the first: 2.
selective_bug() ->
    Me = self(),
    Ps = [spawn_monitor(fun() -> Me ! {part, I} end) || I <- [1, 2]],
    Parts = [receive {part, I} -> I end || _ <- Ps],
    join(Ps),
    [1, 2] = Parts.

%% By number: 1.
selective_fix() ->
    Me = self(),
    Ps = [spawn_monitor(fun() -> Me ! {part, I} end) || I <- [1, 2]],
    Parts = [receive {part, I} -> I end || I <- [1, 2]],
    join(Ps),
    [1, 2] = Parts.

%% A timer that was cancelled too late has left its message: 2.
cancelled_bug() ->
    Timer = erlang:send_after(10, self(), tick),
    erlang:cancel_timer(Timer),
    receive tick -> exit(unexpected) after 0 -> ok end.

%% Whoever cancels too late takes the message: 2.
cancelled_fix() ->
    Timer = erlang:send_after(10, self(), tick),
    case erlang:cancel_timer(Timer) of
        false -> receive tick -> ok end;
        _ -> ok
    end,
    receive tick -> exit(unexpected) after 0 -> ok end.

%% A message of the test, and one of a timer: the receive takes which comes first: 2.
late_timer_bug() ->
    erlang:send_after(10, self(), tick),
    self() ! tock,
    tock = receive X -> X end.

%% The test's own message comes first, since the timer is set behind it: 1.
late_timer_fix() ->
    self() ! tock,
    erlang:send_after(10, self(), tick),
    tock = receive X -> X end.

%% Sleeping is no way to wait for another process. If the look comes first, the test fails and
%% its table goes, before the other writes to it or behind that: 3.
sleep_bug() ->
    T = ets:new(t, [public]),
    P = spawn_monitor(fun() -> ets:insert(T, {x, 1}) end),
    receive after 10 -> ok end,
    [_] = ets:lookup(T, x),
    join([P]).

sleep_fix() ->
    T = ets:new(t, [public]),
    P = spawn_monitor(fun() -> ets:insert(T, {x, 1}) end),
    join([P]),
    [_] = ets:lookup(T, x).

%% Two processes that play for ever.
endless_bug() ->
    P = spawn(fun() -> play() end),
    P ! {self(), ball},
    play().

play() -> receive {From, ball} -> From ! {self(), ball}, play() end.

%% N balls, one at a time: 1.
ping_pong(N) ->
    P = spawn(fun() -> pong(N) end),
    [begin P ! {self(), I}, receive {P, I} -> ok end end || I <- lists:seq(1, N)].

pong(0) -> ok;
pong(N) -> receive {From, I} -> From ! {self(), I}, pong(N - 1) end.
