%% Correct programs of the everyday kind: supervision with restarts, brutal kills, applications.
-module(everyday_supervision).
-behaviour(supervisor).
-export([restarted_worker/0, restarted_by_exit/0, killed_worker/0, one_for_all/0, rest_for_one/0,
         transient_stops/0, temporary_crashes/0, brutal_kill/0, shutdown_in_time/0, simple_one_for_one/0,
         dynamic_child/0, nested_supervisors/0, crash_in_call/0, linked_helper_crashes/0,
         application_started/0, supervisor_left/0, supervisor_bridge_like/0]).
-export([init/1, start_worker/1, start_stubborn/0, start_sup/1]).
-export([handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

%% ---- Supervisors and their children

init({sup, Flags, Children}) -> {ok, {Flags, Children}};
init({worker, _Id}) -> {ok, 0}.

child(Id) -> #{id => Id, start => {?MODULE, start_worker, [Id]}, shutdown => 1000}.

start_worker(Id) -> gen_server:start_link({local, Id}, ?MODULE, {worker, Id}, []).

start_sup(Spec) -> supervisor:start_link(?MODULE, Spec).

start_stubborn() ->
    {ok, proc_lib:spawn_link(fun() ->
                                 process_flag(trap_exit, true),
                                 receive never -> ok end
                             end)}.

handle_call(get, _From, N) -> {reply, N, N};
handle_call(add, _From, N) -> {reply, ok, N + 1};
handle_call(crash, _From, _) -> error(crash);
handle_call(stop, _From, N) -> {stop, normal, ok, N}.

handle_cast(crash, _) -> error(crash);
handle_cast({exit, Why}, _) -> exit(Why);
handle_cast({link, Fun}, N) -> spawn_link(Fun), {noreply, N};
handle_cast(stop, N) -> {stop, normal, N}.

handle_info(_, N) -> {noreply, N}.

terminate(_, _) -> ok.

supervised(Flags, Children, Fun) ->
    {ok, Sup} = supervisor:start_link(?MODULE, {sup, Flags, Children}),
    Fun(Sup),
    unlink(Sup),
    Ref = monitor(process, Sup),
    exit(Sup, shutdown),
    receive {'DOWN', Ref, process, Sup, shutdown} -> ok end.

%% Ends the worker, and comes back when the supervisor has seen to it.
end_worker(Sup, Id, End) ->
    Old = whereis(Id),
    Ref = monitor(process, Old),
    End(Old),
    receive {'DOWN', Ref, process, Old, _} -> ok end,
    Children = supervisor:which_children(Sup),
    {Id, New, worker, _} = lists:keyfind(Id, 1, Children),
    true = New =/= Old,
    New.

%% ---- Restarts

restarted_worker() ->
    supervised(#{}, [child(w)], fun(Sup) ->
        ok = gen_server:call(w, add),
        New = end_worker(Sup, w, fun(_) -> gen_server:cast(w, crash) end),
        0 = gen_server:call(New, get)
    end).

restarted_by_exit() ->
    supervised(#{}, [child(w)], fun(Sup) ->
        New = end_worker(Sup, w, fun(_) -> gen_server:cast(w, {exit, {out_of, memory}}) end),
        true = is_pid(New)
    end).

killed_worker() ->
    supervised(#{}, [child(w)], fun(Sup) ->
        New = end_worker(Sup, w, fun(Old) -> exit(Old, kill) end),
        0 = gen_server:call(New, get)
    end).

one_for_all() ->
    supervised(#{strategy => one_for_all}, [child(a), child(b)], fun(Sup) ->
        B = whereis(b),
        end_worker(Sup, a, fun(_) -> gen_server:cast(a, crash) end),
        true = whereis(b) =/= B
    end).

rest_for_one() ->
    supervised(#{strategy => rest_for_one}, [child(a), child(b)], fun(Sup) ->
        A = whereis(a),
        end_worker(Sup, b, fun(_) -> gen_server:cast(b, crash) end),
        A = whereis(a)
    end).

transient_stops() ->
    supervised(#{}, [(child(w))#{restart => transient}], fun(Sup) ->
        undefined = end_worker(Sup, w, fun(_) -> gen_server:cast(w, stop) end)
    end).

temporary_crashes() ->
    supervised(#{}, [(child(w))#{restart => temporary}], fun(Sup) ->
        Ref = monitor(process, w),
        gen_server:cast(w, crash),
        receive {'DOWN', Ref, process, _, {crash, _}} -> ok end,
        [] = supervisor:which_children(Sup)
    end).

%% ---- Ends

brutal_kill() ->
    Child = #{id => c, start => {?MODULE, start_stubborn, []}, shutdown => brutal_kill},
    supervised(#{}, [Child], fun(Sup) -> ok = supervisor:terminate_child(Sup, c) end).

shutdown_in_time() ->
    supervised(#{}, [child(w)], fun(Sup) ->
        ok = supervisor:terminate_child(Sup, w),
        {ok, New} = supervisor:restart_child(Sup, w),
        0 = gen_server:call(New, get)
    end).

%% ---- Children that come and go

simple_one_for_one() ->
    Child = #{id => any, start => {?MODULE, start_worker, []}, restart => temporary},
    supervised(#{strategy => simple_one_for_one}, [Child], fun(Sup) ->
        {ok, A} = supervisor:start_child(Sup, [a]),
        {ok, _} = supervisor:start_child(Sup, [b]),
        Ref = monitor(process, A),
        gen_server:cast(A, crash),
        receive {'DOWN', Ref, process, A, _} -> ok end,
        1 = proplists:get_value(active, supervisor:count_children(Sup))
    end).

dynamic_child() ->
    supervised(#{}, [], fun(Sup) ->
        {ok, _} = supervisor:start_child(Sup, child(w)),
        {error, {already_started, _}} = supervisor:start_child(Sup, child(w)),
        ok = supervisor:terminate_child(Sup, w),
        ok = supervisor:delete_child(Sup, w)
    end).

nested_supervisors() ->
    Inner = #{id => inner, type => supervisor, start => {?MODULE, start_sup, [{sup, #{}, [child(w)]}]}},
    supervised(#{}, [Inner], fun(Sup) ->
        [{inner, InnerSup, supervisor, _}] = supervisor:which_children(Sup),
        end_worker(InnerSup, w, fun(_) -> gen_server:cast(w, crash) end)
    end).

%% A client that expects that its server may crash.
crash_in_call() ->
    supervised(#{}, [child(w)], fun(Sup) ->
        caught = try gen_server:call(w, crash) catch exit:{{crash, _}, _} -> caught end,
        [{w, New, worker, _}] = supervisor:which_children(Sup),
        0 = gen_server:call(New, get)
    end).

%% A helper takes its worker along, and the supervisor starts a new one.
linked_helper_crashes() ->
    supervised(#{}, [child(w)], fun(Sup) ->
        end_worker(Sup, w, fun(_) -> gen_server:cast(w, {link, fun() -> error(helpless) end}) end)
    end).

%% ---- Applications

application_started() ->
    {ok, _} = application:ensure_all_started(sasl),
    true = lists:keymember(sasl, 1, application:which_applications()),
    ok = application:stop(sasl).

%% The supervisor and its worker go on when the test has ended: idle.
supervisor_left() ->
    {ok, Sup} = supervisor:start_link(?MODULE, {sup, #{}, [child(w)]}),
    unlink(Sup),
    0 = gen_server:call(w, get),
    ok.

%% A supervisor of one's own, with what it needs of OTP: links.
supervisor_bridge_like() ->
    Self = self(),
    spawn_link(fun() ->
                   process_flag(trap_exit, true),
                   Job = fun(N) -> spawn_link(fun() -> N > 1 orelse exit(first), Self ! {done, N} end) end,
                   P = Job(1),
                   receive {'EXIT', P, first} -> ok end,
                   Q = Job(2),
                   receive {'EXIT', Q, normal} -> ok end
               end),
    receive {done, 2} -> ok end.
