-module(way_server_with_continue).
-compile([export_all,nowarn_export_all]).
-behaviour(gen_server).
test() -> {ok, P} = gen_server:start({local, srv}, ?MODULE, fun(X) -> {i, X} end, []),
    A = gen_server:call(srv, {run, 1}), gen_server:cast(P, {set, fun(X) -> {j, X} end}),
    B = gen_server:call(srv, {run, 2}), Id = gen_server:send_request(srv, {run, 3}), {reply,
    C} = gen_server:wait_response(Id, 1000), gen_server:stop(P), {A, B, C}.
init(F) -> {ok, F, {continue, later}}. handle_continue(later, F) -> erlang:send_after(1, self(),
    tick), {noreply, F}.
handle_call({run, X}, From, F) -> gen_server:reply(From, F(X)), {noreply, F,
    10}. handle_cast({set, G}, _) -> {noreply, G}. handle_info(tick, F) -> {noreply,
    F}; handle_info(timeout, F) -> {noreply, F, hibernate}.
