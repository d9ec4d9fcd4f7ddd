%% Processes, output, time-outs in virtual time, OTP's behaviours.
%% RUN: for f in output ring down exits waits server tables; do fathom run %s -e "processes:$f()"; done
-module(processes).
-behaviour(gen_server).
-export([output/0, ring/0, down/0, exits/0, waits/0, server/0, tables/0]).
-export([init/1, handle_call/3, handle_cast/2]).

output() ->
    io:format("~p from ~s~n", [[{answer, 42}], "here"]),
    io:put_chars(user, "Grüße\n"),
    io:get_line("> ").

ring() ->
    First = lists:foldl(fun(_, Next) -> spawn(fun() -> pass(Next) end) end, self(), lists:seq(1, 100)),
    First ! {token, 0},
    receive {token, N} -> N end.

pass(Next) -> receive {token, N} -> Next ! {token, N + 1} end.

down() ->
    {P, R} = spawn_monitor(fun() -> error(oops) end),
    receive {'DOWN', R, process, P, {Why, [{_, F, A, _} | _]}} -> {Why, F, A} end.

exits() ->
    process_flag(trap_exit, true),
    A = spawn_link(fun() -> spawn_link(fun() -> exit(inner) end), receive after infinity -> ok end end),
    B = spawn_link(fun() -> receive stop -> ok end end),
    C = spawn_link(fun() -> receive stop -> ok end end),
    B ! stop,
    exit(C, kill),
    [receive {'EXIT', P, Why} -> Why end || P <- [A, B, C]].

waits() ->
    Me = self(),
    [spawn(fun() -> receive after T -> Me ! {after_ms, T} end end) || T <- [3600000, 10, 500]],
    [receive {after_ms, T} -> T end || _ <- lists:seq(1, 3)].

server() ->
    {ok, P} = gen_server:start_link({local, counter}, ?MODULE, 1, []),
    ok = gen_server:cast(counter, {add, 4}),
    Five = gen_server:call(counter, get),
    Late = try gen_server:call(P, never, 50) catch exit:{timeout, _} -> timeout end,
    ok = gen_server:stop(P),
    {Five, Late, whereis(counter)}.

init(N) -> {ok, N}.
handle_call(get, _, N) -> {reply, N, N};
handle_call(never, _, N) -> {noreply, N}.
handle_cast({add, K}, N) -> {noreply, N + K}.

tables() ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{K, K * K} || K <- [3, 1, 2]]),
    {ets:tab2list(T), ets:select(T, [{{'$1', '$2'}, [{'>', '$2', 1}], ['$1']}]), ets:info(T, size)}.
%% OUT: [{answer,42}] from here
%% OUT: Grüße
%% OUT: eof
%% OUT: 100
%% OUT: =ERROR REPORT==== 1-Jan-2025::00:00:00.000001 ===
%% OUT: Error in process <0.2.0> with exit value:
%% OUT: {oops,[{processes,'-down/0-fun-0-',0,[{file,"processes.erl"},{line,21}]}]}
%% OUT:
%% OUT: {oops,'-down/0-fun-0-',0}
%% OUT: [inner,normal,killed]
%% OUT: [10,500,3600000]
%% OUT: {5,timeout,undefined}
%% OUT: {[{1,1},{2,4},{3,9}],[2,3],3}
