%% A child that cannot start again: its supervisor gives up.
%% RUN: fathom check -t bad-restarts:t %s > %t/out || code=$?
%% RUN: sed -E 's/ in [0-9.]+ s$//' %t/out; exit $code
-module('bad-restarts').
-behaviour(supervisor).
-export([t/0, init/1, start_child/0]).

t() ->
    {ok, Supervisor} = supervisor:start_link(?MODULE, []),
    [{_, Child, _, _}] = supervisor:which_children(Supervisor),
    Child ! crash,
    receive done -> ok end.

init([]) ->
    {ok, {#{intensity => 2, period => 5}, [#{id => child, start => {?MODULE, start_child, []}}]}}.

start_child() ->
    Pid = spawn_link(fun() -> child(get(crashed)) end),
    {ok, Pid}.

child(_) -> self() ! crash, receive crash -> exit(no_connection) end.
%% EXIT: 2
