%% Processes that are left behind at the end of a test, with a timer of their own that wakes them up
%% again and again: they are idle. With something else in between they are not.
-module(beats).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).
-export([server/0, loop/0, pause/0, short/0, two/0, crash_bug/0, chatter_bug/0, stuck_bug/0]).

%% ---- A server that counts its ticks

init(Period) -> {ok, {Period, tick(Period, 0)}}.

handle_call(ping, _, State) -> {reply, pong, State}.

handle_cast(_, State) -> {noreply, State}.

handle_info(tick, {Period, N}) -> {noreply, {Period, tick(Period, N + 1)}}.

tick(Period, N) ->
    erlang:send_after(Period, self(), tick),
    N.

%% Left running: 1.
server() ->
    {ok, S} = gen_server:start(?MODULE, 60000, []),
    pong = gen_server:call(S, ping).

%% Two of them, with different periods: 1.
two() ->
    {ok, A} = gen_server:start(?MODULE, 60000, []),
    {ok, B} = gen_server:start(?MODULE, 7000, []),
    [pong, pong] = [gen_server:call(S, ping) || S <- [A, B]].

%% ---- Plain processes

%% By a message: 1.
loop() -> spawn(fun() -> erlang:send_after(2000, self(), beat), beat(0) end).

beat(N) ->
    receive beat -> erlang:send_after(2000, self(), beat), beat(N + 1) end.

%% By a time-out: 1.
pause() -> spawn(fun() -> pausing() end).

pausing() -> receive stop -> ok after 2000 -> pausing() end.

%% By one that comes soon: 1.
short() -> spawn(fun() -> erlang:send_after(50, self(), beat), soon() end).

soon() -> receive beat -> erlang:send_after(50, self(), beat), soon() end.

%% What it does when it is woken up is seen: 1.
crash_bug() ->
    spawn(fun() -> erlang:send_after(2000, self(), beat), receive beat -> exit(crash) end end).

%% One that tells others at each beat is not idle, and does not end.
chatter_bug() ->
    Other = spawn(fun() -> listening() end),
    spawn(fun() -> chatting(Other) end).

chatting(Other) -> receive after 2000 -> Other ! beat, chatting(Other) end.

listening() -> receive beat -> listening() end.

%% A process without a timer is stuck beside one that is idle: 1.
stuck_bug() ->
    pause(),
    spawn(fun() -> receive never -> ok end end).
