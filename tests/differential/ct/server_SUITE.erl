-module(server_SUITE).
-compile([export_all, nowarn_export_all]).
%% A server and its supervisor, started for each case.
-behaviour(gen_server).
all() -> [{group, alone}, {group, supervised}].
groups() -> [{alone, [sequence], [counts, wrong_call, times_out]}, {supervised, [], [starts, restarts, gives_up]}].
init_per_testcase(Case, Config) when Case =:= counts; Case =:= wrong_call; Case =:= times_out ->
    {ok, Pid} = gen_server:start_link({local, ?MODULE}, ?MODULE, 0, []),
    [{server, Pid} | Config];
init_per_testcase(_, Config) ->
    {ok, Pid} = supervisor:start_link({local, top}, ?MODULE, supervisor),
    [{top, Pid} | Config].
end_per_testcase(_, Config) ->
    case proplists:get_value(server, Config) of
        undefined -> ok;
        Pid -> unlink(Pid), gen_server:stop(Pid)
    end.
init(supervisor) ->
    {ok, {#{strategy => one_for_one, intensity => 1, period => 5},
          [#{id => server, start => {gen_server, start_link, [{local, ?MODULE}, ?MODULE, 0, []]}}]}};
init(N) -> {ok, N}.
handle_call(next, _, N) -> {reply, N, N + 1};
handle_call(crash, _, _) -> exit(crashed);
handle_call(silence, _, N) -> {noreply, N}.
handle_cast(_, N) -> {noreply, N}.
counts(_) -> 0 = gen_server:call(?MODULE, next), 1 = gen_server:call(?MODULE, next).
wrong_call(_) -> {'EXIT', {noproc, _}} = (catch gen_server:call(nobody, next)).
times_out(_) -> {'EXIT', {timeout, _}} = (catch gen_server:call(?MODULE, silence, 20)).
starts(_) -> 0 = gen_server:call(?MODULE, next).
restarts(_) ->
    0 = gen_server:call(?MODULE, next),
    {'EXIT', _} = (catch gen_server:call(?MODULE, crash)),
    timer:sleep(50),
    0 = gen_server:call(?MODULE, next).
gives_up(_) ->
    [begin catch gen_server:call(?MODULE, crash), timer:sleep(20) end || _ <- [1, 2, 3]],
    timer:sleep(1000).
