%% Which exits are errors: those of which nobody is told, and those that end the test. Each has a
%% twin in which somebody is told.
-module(told).
-behaviour(supervisor).
-export([untold_bug/0, told_by_monitor/0, told_by_link/0, told_too_late/0]).
-export([demonitored_bug/0, flushed_bug/0, watcher_has_ended/0]).
-export([killed_bug/0, killed_fix/0]).
-export([by_link_bug/0, by_link_fix/0, through_links/0]).
-export([given_up_bug/0, restarted/0]).
-export([server_crash_bug/0, server_crash_fix/0, worker_gives_up/0, lonely_client_bug/0]).
-export([assertion_bug/0]).
-export([init/1, start_child/1]).
-include_lib("stdlib/include/assert.hrl").

%% Nobody knows that it has crashed: 1.
untold_bug() ->
    spawn(fun() -> exit(oops) end),
    ok.

told_by_monitor() ->
    {P, R} = spawn_monitor(fun() -> exit(oops) end),
    receive {'DOWN', R, process, P, oops} -> ok end.

told_by_link() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit(oops) end),
    receive {'EXIT', P, oops} -> ok end.

%% The monitor is set before the exit or after it, when it tells that there is no such process: 2.
told_too_late() ->
    P = spawn(fun() -> exit(oops) end),
    R = monitor(process, P),
    receive {'DOWN', R, process, P, _} -> ok end.

%% Who does not want to know any more is not told. The exit comes after that: 1.
demonitored_bug() ->
    P = spawn(fun() -> receive go -> exit(oops) end end),
    R = monitor(process, P),
    demonitor(R),
    P ! go,
    ok.

%% Whether the message was there and was flushed, or came too late, is the same: 1.
flushed_bug() ->
    {_, R} = spawn_monitor(fun() -> exit(oops) end),
    demonitor(R, [flush]),
    ok.

%% The watcher does not wait. It would have been told if it had, and the two ends commute: 1.
watcher_has_ended() ->
    spawn_monitor(fun() -> exit(oops) end),
    ok.

%% A signal that kills tells nobody that its victim has ended: 1.
killed_bug() ->
    P = spawn(fun() -> receive never -> ok end end),
    exit(P, kill).

killed_fix() ->
    {P, R} = spawn_monitor(fun() -> receive never -> ok end end),
    exit(P, kill),
    receive {'DOWN', R, process, P, killed} -> ok end.

%% A link ends the test: 1. That is one error, of the process that has crashed.
by_link_bug() ->
    spawn_link(fun() -> exit(oops) end),
    receive never -> ok end.

by_link_fix() ->
    spawn_link(fun() -> exit(normal) end),
    ok.

%% Links end one process after another, and the last one's owner is told: 1.
through_links() ->
    {P, R} = spawn_monitor(fun() ->
                               spawn_link(fun() -> exit(oops) end),
                               receive never -> ok end
                           end),
    receive {'DOWN', R, process, P, oops} -> ok end.

%% ---- A supervisor

init(Child) -> {ok, {#{intensity => 1, period => 1000}, [#{id => c, start => {?MODULE, start_child, [Child]}}]}}.

start_child(Child) -> {ok, proc_lib:spawn_link(Child)}.

%% Its child always crashes. It is told each time, gives up, and takes the test along.
given_up_bug() ->
    {ok, _} = supervisor:start_link(?MODULE, fun() -> error(oops) end),
    receive never -> ok end.

restarted() ->
    {ok, Sup} = supervisor:start_link(?MODULE, fun() -> receive crash -> error(oops) end end),
    [{c, P, _, _}] = supervisor:which_children(Sup),
    R = monitor(process, P),
    P ! crash,
    receive {'DOWN', R, process, P, {oops, _}} -> ok end,
    [{c, Q, _, _}] = supervisor:which_children(Sup),
    true = is_pid(Q) andalso Q =/= P,
    ok.

%% ---- Who is told, and exits for that reason

server() -> spawn(fun() -> receive {call, _} -> error(oops) end end).

call(Server) ->
    R = monitor(process, Server),
    Server ! {call, self()},
    receive
        {reply, X} -> demonitor(R, [flush]), X;
        {'DOWN', R, process, Server, Why} -> exit({Why, {call, Server}})
    end.

%% The test is told, and fails: one error, that of the server: 1.
server_crash_bug() -> call(server()).

server_crash_fix() ->
    caught = try call(server()) catch exit:{{oops, _}, _} -> caught end,
    ok.

%% A client ends because its server has crashed; somebody is told of the client: 1.
worker_gives_up() ->
    {P, R} = spawn_monitor(fun() -> call(server()) end),
    receive {'DOWN', R, process, P, {{oops, _}, _}} -> ok end.

%% Somebody is told of the server, and nobody of the client. The call of a third process may overtake
%% the monitor: 2.
lonely_client_bug() ->
    S = server(),
    R = monitor(process, S),
    spawn(fun() -> call(S) end),
    receive {'DOWN', R, process, S, _} -> ok end.

%% A failed assertion is an error whoever is told: 1.
assertion_bug() ->
    {P, R} = spawn_monitor(fun() -> ?assert(lists:member(a, [b])) end),
    receive {'DOWN', R, process, P, _} -> ok end.
