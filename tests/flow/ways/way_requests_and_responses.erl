-module(way_requests_and_responses).
-behaviour(gen_server).
-export([test/0, init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2, terminate/2, code_change/3]).
-record(st, {k = #{}, pending = queue:new(), fs = []}).
test() ->
    {ok, P} = gen_server:start({local, ?MODULE}, ?MODULE, #{f => fun(X) -> {init, X} end}, []),
    R1 = gen_server:call(?MODULE, {call, 1}),
    Self = self(),
    spawn(fun() -> Self ! {late, gen_server:call(P, {wait, fun(V) -> {waited, V} end})} end),
    timer:sleep(5),
    gen_server:cast(P, {release, 7}),
    R2 = receive {late, X} -> X after 200 -> none end,
    Id = gen_server:send_request(P, {call, 2}),
    {reply, R3} = gen_server:receive_response(Id, 500),
    Id2 = gen_server:send_request(P, {call, 3}),
    R4 = gen_server:wait_response(Id2, 500),
    {Rs, _} = gen_server:multi_call([node()], ?MODULE, {call, 4}),
    _ = sys:replace_state(P, fun(S) -> S#st{fs = [fun() -> replaced end | S#st.fs]} end),
    #st{fs = Fs} = sys:get_state(P),
    R5 = [F() || F <- Fs],
    P ! {timer, fun() -> info_fun end},
    erlang:send_after(1, P, {timer, fun() -> after_fun end}),
    timer:sleep(20),
    R6 = gen_server:call(P, infos),
    R7 = (catch gen_server:call(P, {die, fun() -> in_reason end})),
    {'EXIT', {{dying, DF}, _}} = R7,
    {R1, R2, R3, R4, Rs, R5, R6, DF()}.
init(Args) -> {ok, #st{k = Args}, {continue, {more, fun() -> cont end}}}.
handle_continue({more, F}, S) -> {noreply, S#st{fs = [F]}}.
handle_call({call, X}, _From, S = #st{k = #{f := F}}) -> {reply, F(X), S, 1000};
handle_call({wait, F}, From, S = #st{pending = Q}) -> {noreply, S#st{pending = queue:in({From, F}, Q)}};
handle_call(infos, _, S = #st{k = K}) -> {reply, [F() || F <- maps:get(infos, K, [])], S};
handle_call({die, F}, From, S) -> {stop, {dying, F}, S#st{fs = [From]}}.
handle_cast({release, V}, S = #st{pending = Q}) ->
    {{value, {From, F}}, Q2} = queue:out(Q),
    spawn(fun() -> gen_server:reply(From, F(V)) end),
    {noreply, S#st{pending = Q2}, hibernate}.
handle_info({timer, F}, S = #st{k = K}) -> {noreply, S#st{k = maps:update_with(infos, fun(L) -> [F | L] end, [F], K)}};
handle_info(timeout, S) -> {noreply, S}.
terminate({dying, F}, _) -> F();
terminate(_, _) -> ok.
code_change(_, S, _) -> {ok, S}.
