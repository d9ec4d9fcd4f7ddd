%% Correct programs of the everyday kind: tasks whose results are exit reasons, links, monitors,
%% calls to the own node.
-module(everyday_tasks).
-export([task_by_exit/0, tasks_by_exit/0, parallel_map/0, parallel_map_with_crash/0, trapped_link/0,
         monitored_crash/0, monitor_after_exit/0, kill_and_wait/0, kill_linked/0, first_answer_wins/0,
         erpc_call/0, erpc_with_timeout/0, erpc_exception/0, erpc_multicall/0, rpc_call/0,
         worker_with_timeout/0, spawn_and_forget/0, chain_of_links/0, unlinked_in_time/0, throw_in_task/0]).

%% The result of a worker is the reason of its exit, as Dialyzer's workers do it.
task_by_exit() ->
    {P, R} = spawn_monitor(fun() -> exit({result, lists:sum([1, 2, 3])}) end),
    receive {'DOWN', R, process, P, {result, 6}} -> ok end.

tasks_by_exit() ->
    Workers = [spawn_monitor(fun() -> exit({ok, N * N}) end) || N <- [1, 2, 3]],
    [1, 4, 9] = [receive {'DOWN', R, process, P, {ok, X}} -> X end || {P, R} <- Workers],
    ok.

parallel_map() ->
    Self = self(),
    Refs = [begin
                Ref = make_ref(),
                spawn_link(fun() -> Self ! {Ref, 2 * N} end),
                Ref
            end || N <- [1, 2, 3]],
    [2, 4, 6] = [receive {Ref, X} -> X end || Ref <- Refs],
    ok.

parallel_map_with_crash() ->
    Work = fun(0) -> error(zero); (N) -> 10 div N end,
    Workers = [spawn_monitor(fun() -> exit({ok, Work(N)}) end) || N <- [5, 0]],
    [{ok, 2}, {error, zero}] =
        [receive
             {'DOWN', R, process, P, {ok, X}} -> {ok, X};
             {'DOWN', R, process, P, {Why, _Stack}} -> {error, Why}
         end || {P, R} <- Workers],
    ok.

trapped_link() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit(boom) end),
    receive {'EXIT', P, boom} -> ok end.

monitored_crash() ->
    {P, R} = spawn_monitor(fun() -> list_to_atom(hd([1])) end),
    receive {'DOWN', R, process, P, {badarg, _}} -> ok end.

%% It may have exited before it is monitored: noproc.
monitor_after_exit() ->
    P = spawn(fun() -> exit(early) end),
    R = monitor(process, P),
    receive {'DOWN', R, process, P, Why} -> true = lists:member(Why, [early, noproc]) end,
    ok.

kill_and_wait() ->
    P = spawn(fun() -> receive never -> ok end end),
    R = monitor(process, P),
    exit(P, kill),
    receive {'DOWN', R, process, P, killed} -> ok end,
    false = is_process_alive(P),
    ok.

kill_linked() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> receive never -> ok end end),
    exit(P, kill),
    receive {'EXIT', P, killed} -> ok end.

%% The slower ones are ended, and seen to have ended.
first_answer_wins() ->
    Self = self(),
    Workers = [spawn_monitor(fun() -> Self ! {answer, N}, receive never -> ok end end) || N <- [1, 2]],
    receive {answer, N} -> true = lists:member(N, [1, 2]) end,
    [exit(P, kill) || {P, _} <- Workers],
    [receive {'DOWN', R, process, P, killed} -> ok end || {P, R} <- Workers],
    receive {answer, _} -> ok after 0 -> ok end.

erpc_call() ->
    [2, 1] = erpc:call(node(), lists, reverse, [[1, 2]]),
    ok.

erpc_with_timeout() ->
    [2, 1] = erpc:call(node(), fun() -> lists:reverse([1, 2]) end, 5000),
    ok.

erpc_exception() ->
    caught = try erpc:call(node(), erlang, error, [oops], 5000) catch error:{exception, oops, _} -> caught end,
    ok.

erpc_multicall() ->
    [{ok, 3}, {ok, 3}] = erpc:multicall([node(), node()], erlang, '+', [1, 2], 5000),
    ok.

rpc_call() ->
    [2, 1] = rpc:call(node(), lists, reverse, [[1, 2]]),
    {badrpc, {'EXIT', {oops, _}}} = rpc:call(node(), erlang, error, [oops]),
    ok.

worker_with_timeout() ->
    {P, R} = spawn_monitor(fun() -> receive never -> ok end end),
    receive
        {'DOWN', R, process, P, _} -> error(impossible)
    after 100 ->
        exit(P, kill),
        receive {'DOWN', R, process, P, killed} -> ok end
    end.

spawn_and_forget() ->
    T = ets:new(t, [public]),
    spawn(fun() -> catch ets:insert(T, {a, 1}) end),
    spawn(fun() -> ok end),
    ok.

%% The crash of the last one ends all of them, and the first one's owner knows.
chain_of_links() ->
    {P, R} = spawn_monitor(fun() ->
                               spawn_link(fun() ->
                                              spawn_link(fun() -> exit(at_the_end) end),
                                              receive never -> ok end
                                          end),
                               receive never -> ok end
                           end),
    receive {'DOWN', R, process, P, at_the_end} -> ok end.

unlinked_in_time() ->
    P = spawn_link(fun() -> receive go -> exit(late) end end),
    R = monitor(process, P),
    unlink(P),
    P ! go,
    receive {'DOWN', R, process, P, late} -> ok end.

throw_in_task() ->
    {P, R} = spawn_monitor(fun() -> throw(ball) end),
    receive {'DOWN', R, process, P, {{nocatch, ball}, _}} -> ok end.
