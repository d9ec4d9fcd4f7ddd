-module(way_swapped_handlers).
-behaviour(gen_event).
-export([test/0, init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2]).
test() ->
    process_flag(trap_exit, true),
    {ok, M} = gen_event:start_link(),
    ok = gen_event:add_handler(M, {?MODULE, one}, {fun(E) -> {one, E} end, self()}),
    ok = gen_event:add_sup_handler(M, {?MODULE, two}, {fun(E) -> {two, E} end, self()}),
    gen_event:notify(M, {hello, [1]}),
    gen_event:sync_notify(M, {bye, #{k => fun() -> in_map end}}),
    M ! {info, fun(S) -> S end},
    A = gen_event:call(M, {?MODULE, one}, get),
    ok = gen_event:swap_handler(M, {{?MODULE, one}, swapping}, {{?MODULE, three}, {fun(E) -> {three, E} end, self()}}),
    B = gen_event:call(M, {?MODULE, three}, get),
    C = gen_event:delete_handler(M, {?MODULE, two}, {why, fun() -> reason end}),
    L = collect([]),
    gen_event:stop(M),
    {A, B, C, L}.
collect(Acc) -> receive {got, F, V} -> collect([F(V) | Acc]); {gen_event_EXIT, H, R} -> collect([{H, R} | Acc]) after 100 -> Acc end.
init({{F, Pid}, {state, S}}) -> {ok, {F, Pid, S}};
init({{F, Pid}, _}) -> {ok, {F, Pid, []}};
init({F, Pid}) -> {ok, {F, Pid, []}}.
handle_event({bye, #{k := G}} = E, {F, Pid, S}) -> Pid ! {got, F, G()}, {ok, {F, Pid, [E | S]}};
handle_event(E, {F, Pid, S}) -> Pid ! {got, F, E}, {ok, {F, Pid, [E | S]}}.
handle_call(get, {F, _, S} = St) -> {ok, [F(X) || X <- S], St}.
handle_info({info, G}, {F, Pid, S}) -> {ok, {F, Pid, G(S)}};
handle_info(_, S) -> {ok, S}.
terminate(swapping, {_, _, S}) -> {state, S};
terminate({why, F}, _) -> F();
terminate(_, _) -> ok.
