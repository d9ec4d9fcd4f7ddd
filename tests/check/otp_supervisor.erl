%% Programs with supervisors, in pairs: *_bug goes wrong in some interleavings, *_fix in none.
-module(otp_supervisor).
-behaviour(supervisor).
-export([init/1, handle_call/3, handle_cast/2, start_worker/0]).
-export([restart_bug/0, restart_fix/0, start_child_bug/0, start_child_fix/0]).
-export([shutdown_bug/0, shutdown_fix/0]).

-include("together.hrl").

%% Of the supervisor, and of its worker.
init(supervisor) ->
    {ok, {#{strategy => one_for_one, intensity => 5}, [child()]}};
init(dynamic) ->
    {ok, {#{strategy => one_for_one}, []}};
init(worker) ->
    {ok, 0}.

child() -> #{id => worker, start => {?MODULE, start_worker, []}}.

start_worker() -> gen_server:start_link({local, worker}, ?MODULE, worker, []).

handle_call(add, _, N) -> {reply, N + 1, N + 1}.

%% A permanent child is started again even if it has stopped normally.
handle_cast(stop, N) -> {stop, normal, N}.

%% The test is the supervisor's parent; it stops it in the end.
supervised(Arg, Test) ->
    {ok, Sup} = supervisor:start_link(?MODULE, Arg),
    Test(Sup),
    unlink(Sup),
    Ref = monitor(process, Sup),
    gen_server:stop(Sup),
    receive {'DOWN', Ref, process, Sup, _} -> ok end.

%% The worker stops and is started again. A client that calls in between finds nobody.
restart_bug() ->
    supervised(supervisor, fun(_) ->
        gen_server:cast(worker, stop),
        together([fun() -> gen_server:call(worker, add) end])
    end).

%% The client waits for the worker's end, and then asks the supervisor, which answers when the
%% new one is there.
restart_fix() ->
    supervised(supervisor, fun(Sup) ->
        Ref = monitor(process, worker),
        gen_server:cast(worker, stop),
        receive {'DOWN', Ref, process, _, _} -> ok end,
        [{worker, Pid, _, _}] = supervisor:which_children(Sup),
        together([fun() -> gen_server:call(Pid, add) end])
    end).

%% Two clients want the same child, and each expects to be the first.
start_child_bug() ->
    supervised(dynamic, fun(Sup) ->
        together([fun() -> {ok, _} = supervisor:start_child(Sup, child()) end || _ <- [1, 2]])
    end).

start_child_fix() ->
    supervised(dynamic, fun(Sup) ->
        together([fun() ->
                      case supervisor:start_child(Sup, child()) of
                          {ok, Pid} -> Pid;
                          {error, {already_started, Pid}} -> Pid
                      end
                  end || _ <- [1, 2]])
    end).

%% The child is taken away while a client calls it.
shutdown_bug() ->
    supervised(supervisor, fun(Sup) ->
        Client = spawn_monitor(fun() -> gen_server:call(worker, add) end),
        supervisor:terminate_child(Sup, worker),
        join([Client])
    end).

shutdown_fix() ->
    supervised(supervisor, fun(Sup) ->
        Client = spawn_monitor(fun() -> gen_server:call(worker, add) end),
        join([Client]),
        supervisor:terminate_child(Sup, worker)
    end).
