%% Two clients that start the same server: a race in the registry.
%% RUN: fathom check -t bad-registry:t %s > %t/out || code=$?
%% RUN: sed -E 's/ in [0-9.]+ s$//' %t/out; exit $code
-module('bad-registry').
-export([t/0]).

t() ->
    Self = self(),
    [spawn_link(fun() -> Self ! ensure_started() end) || _ <- [1, 2]],
    receive Pid -> ok end,
    receive Pid -> ok end,
    Pid ! stop.

ensure_started() ->
    case whereis(logger_server) of
        undefined ->
            Pid = spawn(fun loop/0),
            register(logger_server, Pid),
            Pid;
        Pid -> Pid
    end.

loop() -> receive stop -> ok end.
%% EXIT: 2
