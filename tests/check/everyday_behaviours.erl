%% Correct programs of the everyday kind: OTP's behaviours, timers, polling with deadlines.
-module(everyday_behaviours).
-export([server_calls/0, server_late_reply/0, server_with_continue/0, server_timeout/0, server_stops_normally/0,
         cast_then_call/0, statem_door/0, statem_postpone/0, statem_timeout/0, event_manager/0,
         event_handler_crashes/0, event_sync/0, send_after/0, cancelled_timer/0, start_timer/0, timer_module/0,
         interval/0, poll_table/0, poll_name/0, poll_process_ends/0, poll_queue/0, retry_with_backoff/0,
         receive_with_deadline/0, bounded_mailbox/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2, handle_event/2, terminate/2]).
-export([callback_mode/0, locked/3, open/3]).

init({server, State}) -> {ok, State};
init({continuing, State}) -> {ok, State, {continue, double}};
init({impatient, State}) -> {ok, State, 50};
init({statem, Code}) -> {ok, locked, Code};
init({handler, Pid}) -> {ok, Pid}.

%% ---- gen_server

handle_call(get, _, S) -> {reply, S, S};
handle_call({wait, Pid}, From, S) -> Pid ! {asked, From}, {noreply, S};
handle_call(stop, _, S) -> {stop, normal, ok, S};
handle_call(crash, _, _) -> {ok, crash, crash}.

handle_cast({add, N}, S) -> {noreply, S + N}.

handle_info(timeout, Pid) when is_pid(Pid) -> Pid ! {self(), timed_out}, {noreply, Pid};
handle_info(_, S) -> {noreply, S}.

handle_continue(double, S) -> {noreply, 2 * S}.

terminate(_, _) -> ok.

server(Arg) ->
    {ok, S} = gen_server:start_link(?MODULE, Arg, []),
    S.

server_calls() ->
    S = server({server, 5}),
    Self = self(),
    [spawn_link(fun() -> Self ! {got, gen_server:call(S, get)} end) || _ <- [1, 2]],
    [5, 5] = [receive {got, X} -> X end || _ <- [1, 2]],
    gen_server:stop(S).

server_late_reply() ->
    S = server({server, 5}),
    Self = self(),
    spawn_link(fun() -> Self ! {got, gen_server:call(S, {wait, Self})} end),
    receive {asked, From} -> gen_server:reply(From, here) end,
    receive {got, here} -> ok end,
    gen_server:stop(S).

server_with_continue() ->
    S = server({continuing, 21}),
    42 = gen_server:call(S, get),
    gen_server:stop(S).

server_timeout() ->
    S = server({impatient, self()}),
    receive {S, timed_out} -> ok end,
    gen_server:stop(S).

server_stops_normally() ->
    S = server({server, 1}),
    Ref = monitor(process, S),
    ok = gen_server:call(S, stop),
    receive {'DOWN', Ref, process, S, normal} -> ok end.

cast_then_call() ->
    S = server({server, 0}),
    [gen_server:cast(S, {add, N}) || N <- [1, 2, 3]],
    6 = gen_server:call(S, get),
    gen_server:stop(S).

%% ---- gen_statem

callback_mode() -> state_functions.

locked({call, From}, {code, Code}, Code) -> {next_state, open, Code, [{reply, From, open}]};
locked({call, From}, {code, _}, _) -> {keep_state_and_data, [{reply, From, locked}]};
locked({call, _}, enter, _) -> {keep_state_and_data, [postpone]};
locked({call, From}, auto, Code) ->
    {next_state, open, Code, [{reply, From, ok}, {state_timeout, 100, lock}]}.

open({call, From}, enter, _) -> {keep_state_and_data, [{reply, From, welcome}]};
open({call, _}, {code, _}, _) -> {keep_state_and_data, [postpone]};
open({call, From}, lock, Code) -> {next_state, locked, Code, [{reply, From, locked}]};
open(state_timeout, lock, Code) -> {next_state, locked, Code}.

door() ->
    {ok, D} = gen_statem:start_link(?MODULE, {statem, 1234}, []),
    D.

statem_door() ->
    D = door(),
    locked = gen_statem:call(D, {code, 1}),
    open = gen_statem:call(D, {code, 1234}),
    locked = gen_statem:call(D, lock),
    gen_statem:stop(D).

%% Who comes to a locked door waits until it is opened.
statem_postpone() ->
    D = door(),
    Self = self(),
    spawn_link(fun() -> Self ! {guest, gen_statem:call(D, enter)} end),
    open = gen_statem:call(D, {code, 1234}),
    receive {guest, welcome} -> ok end,
    gen_statem:stop(D).

statem_timeout() ->
    D = door(),
    ok = gen_statem:call(D, auto),
    %% Answered when the time is up.
    locked = gen_statem:call(D, {code, 1}),
    gen_statem:stop(D).

%% ---- gen_event

handle_event(crash, _) -> error(crash);
handle_event(Event, Pid) -> Pid ! {seen, Event}, {ok, Pid}.

manager() ->
    {ok, M} = gen_event:start_link(),
    ok = gen_event:add_handler(M, ?MODULE, {handler, self()}),
    M.

event_manager() ->
    M = manager(),
    gen_event:notify(M, a),
    receive {seen, a} -> ok end,
    gen_event:stop(M).

%% A handler that crashes is removed; the manager goes on.
event_handler_crashes() ->
    M = manager(),
    gen_event:sync_notify(M, crash),
    [] = gen_event:which_handlers(M),
    gen_event:stop(M).

event_sync() ->
    M = manager(),
    Self = self(),
    spawn_link(fun() -> ok = gen_event:sync_notify(M, b), Self ! notified end),
    receive notified -> ok end,
    receive {seen, b} -> ok after 0 -> error(lost) end,
    gen_event:stop(M).

%% ---- Timers

send_after() ->
    erlang:send_after(20, self(), tick),
    receive tick -> ok end.

cancelled_timer() ->
    T = erlang:send_after(20, self(), tick),
    case erlang:cancel_timer(T) of
        false -> receive tick -> ok end;
        Left when is_integer(Left) -> receive tick -> error(cancelled) after 50 -> ok end
    end.

start_timer() ->
    T = erlang:start_timer(10, self(), now),
    receive {timeout, T, now} -> ok end.

timer_module() ->
    {ok, _} = timer:send_after(10, hello),
    receive hello -> ok end.

interval() ->
    {ok, T} = timer:send_interval(10, tick),
    receive tick -> ok end,
    receive tick -> ok end,
    {ok, cancel} = timer:cancel(T),
    ok.

%% ---- Polling, with deadlines

poll(0, _) -> false;
poll(N, Is) ->
    case Is() of
        true -> true;
        false -> receive after 10 -> poll(N - 1, Is) end
    end.

poll_table() ->
    T = ets:new(t, [public]),
    {P, R} = spawn_monitor(fun() -> ets:insert(T, {ready}) end),
    %% It may not be ready by then; the program is prepared for that.
    _ = poll(5, fun() -> ets:member(T, ready) end),
    receive {'DOWN', R, process, P, normal} -> ok end.

poll_name() ->
    P = spawn_link(fun() -> register(here_i_am, self()), receive stop -> ok end end),
    case poll(3, fun() -> whereis(here_i_am) =/= undefined end) of
        true -> here_i_am ! stop;
        false -> P ! stop
    end,
    ok.

poll_process_ends() ->
    P = spawn(fun() -> ok end),
    case poll(3, fun() -> not is_process_alive(P) end) of
        true -> ok;
        false -> R = monitor(process, P), receive {'DOWN', R, process, P, _} -> ok end
    end.

poll_queue() ->
    Self = self(),
    spawn_link(fun() -> Self ! item end),
    case poll(3, fun() -> element(2, process_info(self(), message_queue_len)) > 0 end) of
        true -> receive item -> ok after 0 -> error(empty) end;
        false -> receive item -> ok end
    end.

retry_with_backoff() ->
    T = ets:new(t, [public]),
    {P, R} = spawn_monitor(fun() -> ets:insert(T, {value, 1}) end),
    retry(T, 1),
    receive {'DOWN', R, process, P, normal} -> ok end.

retry(_, Pause) when Pause > 8 -> gave_up;
retry(T, Pause) ->
    case ets:lookup(T, value) of
        [{value, 1}] -> ok;
        [] -> timer:sleep(Pause), retry(T, 2 * Pause)
    end.

receive_with_deadline() ->
    Self = self(),
    spawn_link(fun() -> Self ! {data, 1} end),
    Deadline = erlang:monotonic_time(millisecond) + 5000,
    collect(1, Deadline).

collect(0, _) -> ok;
collect(N, Deadline) ->
    Left = max(0, Deadline - erlang:monotonic_time(millisecond)),
    receive {data, _} -> collect(N - 1, Deadline) after Left -> late end.

%% Each message is acknowledged, so no more than one is on its way.
bounded_mailbox() ->
    Self = self(),
    P = spawn_link(fun() -> produce(Self, 3) end),
    [receive {P, N} -> P ! {ack, N} end || N <- [3, 2, 1]],
    receive {P, done} -> ok end.

produce(To, 0) -> To ! {self(), done};
produce(To, N) ->
    To ! {self(), N},
    receive {ack, N} -> produce(To, N - 1) end.
