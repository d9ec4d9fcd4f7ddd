#!/usr/bin/env escript
%%! +S 2
%% Programs on OTP's behaviours with one possible outcome, on Fathom's machine and in OTP:
%% gen_server, gen_statem, gen_event, supervisor, and sys, proc_lib and timer beside them.
%% The generated module is the callback module of all behaviours; what a callback is to do
%% is a fun that the program gives it, as the argument of init/1, as a request or as state.
%%
%%   behaviours_test.escript [FAMILY...]
-mode(compile).
-define(PARALLEL, 12).
-include("fathom_port.hrl").
-include("batches.hrl").
-include("process_helpers.hrl").

main(Wanted) ->
    check_families("behaviours", families(), Wanted).

families() ->
    [{servers, fun servers/0},
     {requests, fun requests/0},
     {server_ends, fun server_ends/0},
     {statems, fun statems/0},
     {statem_timeouts, fun statem_timeouts/0},
     {statem_ends, fun statem_ends/0},
     {events, fun events/0},
     {supervisors, fun supervisors/0},
     {strategies, fun strategies/0},
     {shutdowns, fun shutdowns/0},
     {systems, fun systems/0},
     {starts, fun starts/0},
     {clocks, fun clocks/0}].

helpers() ->
    "-compile([export_all, nowarn_export_all]).\n" ++ process_helpers() ++ server_helpers() ++ statem_helpers() ++ supervisor_helpers().

%% A server's requests are funs of the state; any other message is added to it.
server_helpers() ->
    "init({F, _}) -> F();\ninit(F) -> F().\n"
    "handle_call(F, From, S) -> F(From, S).\n"
    "handle_cast(F, S) -> F(S).\n"
    "handle_info(F, S) when is_function(F, 1) -> F(S);\nhandle_info(M, {last, _} = S) -> {noreply, S};\nhandle_info(M, S) -> {noreply, [M | S]}.\n"
    "handle_continue(F, S) -> F(S).\n"
    "terminate(Why, {last, F}) -> F(Why);\nterminate(_, _) -> ok.\n"
    "handle_event(F, S) -> F(S).\nhandle_call(F, S) -> F(S).\n"
    "srv() -> srv([]).\nsrv(S) -> serve(fun() -> {ok, S} end).\n"
    "serve(F) -> {ok, P} = gen_server:start_link(?MODULE, F, []), P.\n"
    "call(P, F) -> gen_server:call(P, F).\n"
    "look(P) -> gen_server:call(P, fun(_, S) -> {reply, S, S} end).\n"
    "register_name(N, P) -> case whereis(N) of undefined -> register(N, P), yes; _ -> no end.\n"
    "unregister_name(N) -> unregister(N).\nwhereis_name(N) -> whereis(N).\nsend(N, M) -> N ! M, whereis(N).\n".

%% A machine's data is the fun of its events: type, content, state.
statem_helpers() ->
    "callback_mode() -> get(mode).\n"
    "a(T, C, F) -> F(T, C, a).\nb(T, C, F) -> F(T, C, b).\nc(T, C, F) -> F(T, C, c).\n"
    "handle_event(T, C, S, F) -> F(T, C, S).\n"
    "terminate(Why, S, F) -> catch F(terminate, Why, S), ok.\n"
    "statem(F) -> statem(handle_event_function, F, []).\n"
    "statem(Mode, F, Actions) -> {ok, P} = gen_statem:start_link(?MODULE, fun() -> put(mode, Mode), {ok, a, F, Actions} end, []), P.\n"
    "ask(P, X) -> gen_statem:call(P, X, 2000).\n".

%% kid(S, Id): a child that tells S when it starts and, having been told to stop, ends.
supervisor_helpers() ->
    "sup(Flags, Kids) -> supervisor:start_link(?MODULE, fun() -> {ok, {Flags, Kids}} end).\n"
    "kid(S, Id) -> kid(S, Id, #{}).\n"
    "kid(S, Id, More) -> maps:merge(#{id => Id, start => {?MODULE, start_kid, [S, Id]}}, More).\n"
    "start_kid(S, Id) -> proc_lib:start_link(?MODULE, kid_init, [S, Id]).\n"
    "kid_init(S, Id) -> trap(), S ! {up, Id}, proc_lib:init_ack({ok, self()}), kid_loop(S, Id).\n"
    "kid_loop(S, Id) -> receive {'EXIT', _, Why} -> S ! {down, Id, Why}, exit(Why); {die, Why} -> exit(Why); ignore -> kid_loop(S, Id) end.\n"
    "refuse(Why) -> {error, Why}.\nignore() -> ignore.\nagree(X) -> {ok, spawn_link(fun loop/0), X}.\n"
    "pid(Sup, Id) -> {_, P, _, _} = lists:keyfind(Id, 1, supervisor:which_children(Sup)), P.\n"
    "die(Sup, Id, Why) -> P = pid(Sup, Id), R = monitor(process, P), P ! {die, Why}, receive {'DOWN', R, _, _, _} -> ok end, wait(100).\n"
    "kids(Sup) -> [{Id, case P of _ when is_pid(P) -> pid; _ -> P end, T, M} || {Id, P, T, M} <- supervisor:which_children(Sup)].\n".

servers() ->
    own(["P = srv(1), {call(P, fun(_, S) -> {reply, S, S + 1} end), look(P)}",
         "P = srv(1), gen_server:cast(P, fun(S) -> {noreply, S * 10} end), look(P)",
         "P = srv([]), P ! a, P ! b, look(P)",
         "P = srv([]), [gen_server:cast(P, fun(S) -> {noreply, [I | S]} end) || I <- lists:seq(1, 500)], look(P) =:= lists:seq(500, 1, -1)",
         "P = serve(fun() -> {ok, [], {continue, fun(S) -> {noreply, [first | S]} end}} end), P ! x, look(P)",
         "P = srv([]), {call(P, fun(_, S) -> {reply, r, S, {continue, fun(T) -> {noreply, [c | T]} end}} end), look(P)}",
         "P = srv([]), gen_server:cast(P, fun(S) -> {noreply, S, {continue, fun(T) -> {noreply, [c | T], {continue, fun(U) -> {noreply, [d | U]} end}} end}} end), P ! x, look(P)",
         "P = serve(fun() -> {ok, [], 20} end), wait(150), look(P)", "P = serve(fun() -> {ok, [], 100} end), P ! early, wait(250), look(P)",
         "P = serve(fun() -> {ok, [], 0} end), wait(50), look(P)", "P = serve(fun() -> {ok, [], infinity} end), wait(50), look(P)",
         "P = srv([]), call(P, fun(_, S) -> {reply, ok, S, 20} end), wait(150), look(P)", "P = srv([]), gen_server:cast(P, fun(S) -> {noreply, S, 20} end), wait(150), look(P)",
         "P = srv([]), P ! fun(S) -> {noreply, S, 20} end, wait(150), look(P)",
         "P = serve(fun() -> {ok, [], {continue, fun(S) -> {noreply, S, 20} end}} end), wait(150), look(P)",
         "P = serve(fun() -> {ok, [], hibernate} end), wait(50), F = process_info(P, current_function), P ! x, {F, look(P)}",
         "P = srv([]), call(P, fun(_, S) -> {reply, ok, S, hibernate} end), wait(50), F = process_info(P, current_function), P ! x, {F, look(P)}",
         "{ok, P} = gen_server:start_link(?MODULE, fun() -> {ok, []} end, [{hibernate_after, 20}]), wait(200), F = process_info(P, current_function), P ! x, {F, look(P)}",
         "P = srv(1), {F, A} = {self(), fun(From, S) -> gen_server:reply(From, early), {noreply, S + 1} end}, {call(P, A), look(P), is_pid(F)}",
         "P = srv(none), S = self(), spawn(fun() -> S ! {answer, call(P, fun(From, _) -> {noreply, From} end)} end), wait(100), From = look(P), gen_server:reply(From, late), receive X -> X end",
         "P = srv(0), S = self(), [spawn(fun() -> S ! call(P, fun(_, N) -> {reply, N, N + 1} end) end) || _ <- lists:seq(1, 100)], lists:sort([receive X -> X end || _ <- lists:seq(1, 100)]) =:= lists:seq(0, 99)",
         "A = srv(1), B = srv(2), call(A, fun(_, S) -> {reply, {S, look(B)}, S} end)",
         "{ok, P} = gen_server:start({local, srv_n1}, ?MODULE, fun() -> {ok, 1} end, []), X = {is(whereis(srv_n1), P), look(srv_n1), look({srv_n1, node()})}, gen_server:stop(srv_n1), {X, whereis(srv_n1)}",
         "{ok, P} = gen_server:start({local, srv_n2}, ?MODULE, fun() -> {ok, 1} end, []), {error, {already_started, Q}} = gen_server:start({local, srv_n2}, ?MODULE, fun() -> {ok, 2} end, []), X = is(P, Q), gen_server:stop(P), X",
         "{ok, P} = gen_server:start({via, ?MODULE, srv_n3}, ?MODULE, fun() -> {ok, 1} end, []), X = {is(whereis(srv_n3), P), look({via, ?MODULE, srv_n3})}, gen_server:stop({via, ?MODULE, srv_n3}), {X, t(fun() -> look({via, ?MODULE, srv_n3}) end) =/= ok}",
         "{ok, P} = gen_server:start({local, srv_n4}, ?MODULE, fun() -> {ok, []} end, []), abcast = gen_server:abcast([node()], srv_n4, fun(S) -> {noreply, [x | S]} end), X = look(P), gen_server:stop(P), X",
         "{ok, P} = gen_server:start({local, srv_n5}, ?MODULE, fun() -> {ok, 7} end, []), X = gen_server:multi_call([node()], srv_n5, fun(_, S) -> {reply, S, S} end), gen_server:stop(P), X =:= {[{node(), 7}], []}",
         "gen_server:multi_call([node()], srv_nobody, x) =:= {[], [node()]}",
         "{ok, {P, R}} = gen_server:start_monitor(?MODULE, fun() -> {ok, 1} end, []), gen_server:cast(P, fun(S) -> {stop, normal, S} end), receive {'DOWN', R, process, P, W} -> W end",
         "P = proc_lib:spawn_link(fun() -> gen_server:enter_loop(?MODULE, [], [entered]) end), P ! x, look(P)",
         "P = proc_lib:spawn_link(fun() -> gen_server:enter_loop(?MODULE, [], [entered], 20) end), wait(150), look(P)",
         "P = proc_lib:spawn_link(fun() -> register(srv_n6, self()), gen_server:enter_loop(?MODULE, [], [named], {local, srv_n6}) end), wait(50), X = look(srv_n6), unlink(P), gen_server:stop(P), X",
         "trap(), P = spawn_link(fun() -> gen_server:enter_loop(?MODULE, [], x) end), receive {'EXIT', P, W} -> why(W) end",
         "P = srv([]), Big = lists:seq(1, 10000), call(P, fun(_, _) -> {reply, ok, Big} end), length(look(P))",
         "P = srv(0), [begin N = look(P), call(P, fun(_, S) -> {reply, ok, S + 1} end), N end || _ <- lists:seq(1, 200)] =:= lists:seq(0, 199)"]).

requests() ->
    own(["P = srv(5), I = gen_server:send_request(P, fun(_, S) -> {reply, S, S} end), gen_server:receive_response(I, 1000)",
         "P = srv(5), I = gen_server:send_request(P, fun(_, S) -> {reply, S, S} end), gen_server:wait_response(I, 1000)",
         "P = srv(5), I = gen_server:send_request(P, fun(_, S) -> {noreply, S} end), {gen_server:wait_response(I, 50), gen_server:receive_response(I, 50)}",
         "P = srv(5), I = gen_server:send_request(P, fun(_, S) -> {reply, S, S} end), receive M -> gen_server:check_response(M, I) end", "I = gen_server:send_request(srv(), x), gen_server:check_response(other, I)",
         "P = srv(none), I = gen_server:send_request(P, fun(F, _) -> {noreply, F} end), timeout = gen_server:receive_response(I, 50), gen_server:reply(look(P), late), got()",
         "{error, {W, P}} = gen_server:receive_response(gen_server:send_request(dead(), x), 1000), {W, is_pid(P)}", "{error, {W, N}} = gen_server:receive_response(gen_server:send_request(srv_none, x), 1000), {W, N}",
         "trap(), P = srv(1), I = gen_server:send_request(P, fun(_, S) -> {stop, gone, S} end), {error, {W, Q}} = gen_server:receive_response(I, 1000), {W, is(P, Q)}",
         "P = srv(5), C = lists:foldl(fun(L, C) -> gen_server:send_request(P, fun(_, S) -> {reply, {L, S}, S + 1} end, L, C) end, gen_server:reqids_new(), [a, b, c]), {gen_server:reqids_size(C), lists:sort([L || {_, L} <- gen_server:reqids_to_list(C)])}",
         "P = srv(5), C0 = lists:foldl(fun(L, C) -> gen_server:send_request(P, fun(_, S) -> {reply, {L, S}, S + 1} end, L, C) end, gen_server:reqids_new(), [a, b, c]), {X, lx, C1} = case gen_server:receive_response(C0, 1000, true) of {Y, _, D} -> {Y, lx, D} end, {X, gen_server:reqids_size(C1)}",
         "P = srv(5), C0 = gen_server:send_request(P, fun(_, S) -> {reply, S, S} end, lab, gen_server:reqids_new()), {{reply, 5}, lab, C1} = gen_server:wait_response(C0, 1000, true), {gen_server:wait_response(C1, 10, true), gen_server:receive_response(C1, 10, false), gen_server:reqids_size(C1)}",
         "P = srv(5), C0 = gen_server:reqids_add(gen_server:send_request(P, fun(_, S) -> {reply, S, S} end), l, gen_server:reqids_new()), receive M -> {R, l, C1} = gen_server:check_response(M, C0, true), {R, gen_server:reqids_size(C1)} end",
         "gen_server:check_response(x, gen_server:reqids_new(), true)", "t(fun() -> gen_server:reqids_size(x) end)", "t(fun() -> gen_server:reqids_add(x, l, gen_server:reqids_new()) end)",
         "P = srv(), {E, {W, {gen_server, call, [Q, _, 50]}}} = t(fun() -> gen_server:call(P, fun(_, S) -> {noreply, S} end, 50) end), {E, W, is(P, Q)}",
         "P = srv(), catch gen_server:call(P, fun(F, S) -> wait(100), {reply, late, S} end, 20), got()",
         "P = srv(), t(fun() -> gen_server:call(P, x, -1) end) =/= ok", "trap(), P = srv(), {exit, {{bad, [_ | _]}, {gen_server, call, _}}} = (try call(P, fun(_, _) -> error(bad) end) catch C:R -> {C, R} end), [W || {'EXIT', _, {W, _}} <- got()]",
         "I = gen_statem:send_request(statem(fun({call, F}, Q, _) -> {keep_state_and_data, {reply, F, Q}} end), q), gen_statem:receive_response(I, 1000)",
         "P = statem(fun({call, F}, Q, _) -> {keep_state_and_data, {reply, F, Q}} end), C = lists:foldl(fun(L, C) -> gen_statem:send_request(P, L, L, C) end, gen_statem:reqids_new(), [a, b]), {R, L, C1} = gen_statem:receive_response(C, 1000, true), {R, L, gen_statem:reqids_size(C1)}",
         "{ok, P} = gen_event:start_link(), gen_event:add_handler(P, ?MODULE, fun() -> {ok, 3} end), I = gen_event:send_request(P, ?MODULE, fun(S) -> {ok, {r, S}, S} end), gen_event:receive_response(I, 1000)"]).

server_ends() ->
    Ends = ["{stop, normal, S}", "{stop, shutdown, S}", "{stop, {shutdown, x}, S}", "{stop, bad, S}", "exit(x)", "error(x)", "throw({noreply, [thrown]})", "throw(x)", "bad_return"],
    own(["trap(), P = srv({last, fun(W) -> self() ! none, exit({last, why(W)}) end}), gen_server:cast(P, fun(S) -> " ++ E ++ " end), receive {'EXIT', P, W} -> why(W) after 100 -> look(P) end" || E <- Ends]) ++
    own(["trap(), P = srv([]), gen_server:cast(P, fun(S) -> " ++ E ++ " end), receive {'EXIT', P, W} -> why(W) after 100 -> look(P) end" || E <- Ends]) ++
    own(["trap(), P = srv([]), R = t(fun() -> call(P, fun(_, S) -> " ++ E ++ " end) end), {case R of {exit, {W, {gen_server, call, _}}} -> {call_exit, why(W)}; _ -> R end, receive {'EXIT', P, W2} -> why(W2) after 100 -> alive end}"
         || E <- ["{stop, normal, bye, S}", "{stop, bad, bye, S}", "{stop, normal, S}", "exit(x)", "error(x)", "throw({reply, thrown, S})", "bad_return"]]) ++
    own(["trap(), R = gen_server:start_link(?MODULE, fun() -> " ++ E ++ " end, []), {case R of {ok, _} -> ok; {error, W} -> {error, why(W)}; _ -> R end, [why(W) || {'EXIT', _, W} <- got()]}"
         || E <- ["{stop, x}", "ignore", "exit(x)", "error(x)", "throw(x)", "throw({ok, 1})", "bad_return", "{ok, s, bad}", "exit(normal)", "{stop, normal}", "wait(100), {ok, 1}"]]) ++
    own(["R = gen_server:start(?MODULE, fun() -> " ++ E ++ " end, []), {case R of {ok, _} -> ok; {error, W} -> {error, why(W)}; _ -> R end, got()}" || E <- ["{stop, x}", "ignore", "exit(x)", "error(x)"]]) ++
    own(["trap(), {gen_server:start_link(?MODULE, fun() -> wait(1000), {ok, 1} end, [{timeout, 50}]), [W || {'EXIT', _, W} <- got()]}",
         "S = self(), P = spawn(fun() -> serve(fun() -> trap(), {ok, {last, fun(W) -> S ! {last, W} end}} end), loop() end), wait(100), P ! {exit, parent_gone}, got()",
         "S = self(), P = spawn(fun() -> serve(fun() -> {ok, {last, fun(W) -> S ! {last, W} end}} end), loop() end), wait(100), P ! {exit, parent_gone}, got()",
         "S = self(), P = serve(fun() -> {ok, {last, fun(W) -> S ! {last, W} end}} end), {gen_server:stop(P), got()}",
         "trap(), S = self(), P = serve(fun() -> {ok, {last, fun(W) -> S ! {last, W} end}} end), {gen_server:stop(P, why, 1000), [case M of {'EXIT', _, W} -> {exit, W}; _ -> M end || M <- got()]}",
         "t(fun() -> gen_server:stop(dead()) end)", "t(fun() -> gen_server:stop(srv_none) end)", "P = srv(), spawn(fun() -> call(P, fun(_, _) -> wait(500), {reply, ok, x} end) end), wait(50), t(fun() -> gen_server:stop(P, normal, 50) end)",
         "trap(), P = serve(fun() -> trap(), {ok, []} end), exit(P, stranger), wait(50), is_process_alive(P)",
         "trap(), P = serve(fun() -> trap(), {ok, []} end), Q = spawn(fun() -> exit(P, stranger) end), wait(50), [{'EXIT', X, W}] = look(P), {is(X, Q), W}",
         "trap(), P = serve(fun() -> {ok, []} end), exit(P, kill), [W || {'EXIT', _, W} <- got()]",
         "trap(), P = srv({last, fun(_) -> error(in_terminate) end}), gen_server:cast(P, fun(S) -> {stop, normal, S} end), [why(W) || {'EXIT', _, W} <- got()]",
         "trap(), P = srv([]), S = self(), [spawn(fun() -> S ! element(1, element(2, t(fun() -> call(P, fun(_, X) -> {noreply, X} end) end))) end) || _ <- [1, 2, 3]], wait(100), gen_server:cast(P, fun(X) -> {stop, gone, X} end), lists:sort([case M of {'EXIT', _, W} -> {exit, W}; _ -> M end || M <- got()])"]).

statems() ->
    Both = ["handle_event_function", "state_functions"],
    own([T || Mode <- Both,
              T <- ["P = statem(" ++ Mode ++ ", fun G({call, F}, go, a) -> {next_state, b, G, {reply, F, was_a}}; G({call, F}, go, b) -> {next_state, a, G, {reply, F, was_b}} end, []), [ask(P, go) || _ <- [1, 2, 3]]",
                    "P = statem(" ++ Mode ++ ", fun G(cast, X, a) -> put(x, X), {next_state, b, G}; G({call, F}, _, S) -> {keep_state_and_data, {reply, F, {S, get(x)}}} end, []), gen_statem:cast(P, 5), ask(P, x)",
                    "P = statem(" ++ Mode ++ ", fun G(info, X, S) -> put(x, {S, X}), keep_state_and_data; G({call, F}, _, _) -> {keep_state_and_data, [{reply, F, get(x)}]} end, []), P ! hello, ask(P, x)",
                    "S = self(), P = statem([" ++ Mode ++ ", state_enter], fun G(enter, Old, New) -> S ! {Old, New}, keep_state_and_data; G(cast, To, _) -> {next_state, To, G} end, []), [gen_statem:cast(P, X) || X <- [b, c, c, a]], got()",
                    "P = statem(" ++ Mode ++ ", fun G(cast, later, a) -> {keep_state_and_data, postpone}; G(cast, later, b) -> put(x, [later | get(x)]), keep_state_and_data; G(cast, go, a) -> put(x, [go]), {next_state, b, G}; G(cast, X, b) -> put(x, [X | get(x)]), keep_state_and_data; G({call, F}, q, _) -> {keep_state_and_data, {reply, F, get(x)}} end, []), [gen_statem:cast(P, X) || X <- [later, later, go, last]], ask(P, q)",
                    "P = statem(" ++ Mode ++ ", fun G(cast, x, _) -> put(x, [cast]), {keep_state_and_data, [{next_event, internal, i1}, {next_event, cast, i2}]}; G(T, X, _) when X =:= i1; X =:= i2 -> put(x, [{T, X} | get(x)]), keep_state_and_data; G(cast, y, _) -> put(x, [y | get(x)]), keep_state_and_data; G({call, F}, q, _) -> {keep_state_and_data, {reply, F, get(x)}} end, []), gen_statem:cast(P, x), gen_statem:cast(P, y), ask(P, q)"]]) ++
    own(["S = self(), P = statem([handle_event_function, state_enter], fun G(enter, _, b) -> S ! entered, {keep_state_and_data, {state_timeout, 30, up}}; G(enter, _, _) -> keep_state_and_data; G(cast, go, a) -> {next_state, b, G}; G(state_timeout, up, b) -> S ! timed, {next_state, a, G} end, []), gen_statem:cast(P, go), got()",
         "S = self(), P = statem([handle_event_function, state_enter], fun G(enter, O, N) -> S ! {O, N}, keep_state_and_data; G(cast, again, _) -> repeat_state_and_data; G(cast, same, _) -> {keep_state, G}; G(cast, rep, _) -> {repeat_state, G} end, []), [gen_statem:cast(P, X) || X <- [again, same, rep]], got()",
         "S = self(), P = statem([handle_event_function, state_enter], fun G(enter, _, a) -> {keep_state_and_data, {next_event, internal, x}} end, []), wait(100), ok",
         "P = statem(fun G({call, F}, later, a) -> put(from, F), {next_state, b, G}; G(cast, now, b) -> {next_state, a, G, {reply, get(from), replied}} end), S = self(), spawn(fun() -> S ! ask(P, later) end), wait(50), gen_statem:cast(P, now), receive X -> X end",
         "P = statem(fun({call, F}, later, a) -> put(from, F), keep_state_and_data; (cast, now, a) -> gen_statem:reply(get(from), direct), keep_state_and_data end), S = self(), spawn(fun() -> S ! ask(P, later) end), wait(50), gen_statem:cast(P, now), receive X -> X end",
         "P = statem(fun({call, F}, _, _) -> put(fs, [F | case get(fs) of undefined -> []; L -> L end]), keep_state_and_data; (cast, flush, _) -> gen_statem:reply([{reply, F, I} || {I, F} <- lists:zip(lists:seq(1, length(get(fs))), lists:reverse(get(fs)))]), keep_state_and_data end), S = self(), [begin spawn(fun() -> S ! {I, ask(P, q)} end), wait(50) end || I <- [a, b, c]], gen_statem:cast(P, flush), lists:sort(got())",
         "P = statem(fun({call, F}, deep, {a, N}) -> {keep_state_and_data, {reply, F, N}}; ({call, F}, X, _) -> {next_state, {a, X}, fun G({call, H}, _, S) -> {keep_state_and_data, {reply, H, S}} end, {reply, F, changed}} end), [ask(P, 7), ask(P, x)]",
         "P = statem(fun({call, F}, q, _) -> {keep_state_and_data, [{reply, F, ok}, hibernate]} end), ask(P, q), wait(50), {process_info(P, current_function), ask(P, q)}",
         "P = statem(fun({call, F}, q, _) -> {keep_state_and_data, {reply, F, ok}} end), {Name, Data} = sys:get_state(P), {Name, is_function(Data), ask(P, q)}",
         "S = self(), P = statem(fun G(cast, N, _) when N > 0 -> S ! N, {keep_state_and_data, {next_event, cast, N - 1}}; G(cast, 0, _) -> {stop, normal} end), unlink(P), gen_statem:cast(P, 5), got()",
         "P = statem(fun G(cast, {push, M}, _) -> {keep_state_and_data, {push_callback_module, M}}; G({call, F}, q, S) -> {keep_state_and_data, {reply, F, S}} end), gen_statem:cast(P, {push, ?MODULE}), ask(P, q)",
         "P = statem(fun G(cast, {ch, M}, _) -> {keep_state_and_data, {change_callback_module, M}}; G(cast, pop, _) -> {keep_state_and_data, pop_callback_module}; G({call, F}, q, S) -> {keep_state_and_data, {reply, F, S}} end), gen_statem:cast(P, {ch, ?MODULE}), ask(P, q)",
         "{ok, P} = gen_statem:start({local, stm_n1}, ?MODULE, fun() -> put(mode, handle_event_function), {ok, a, fun({call, F}, X, _) -> {keep_state_and_data, {reply, F, X}} end} end, []), X = {ask(stm_n1, 1), is(whereis(stm_n1), P)}, {X, gen_statem:stop(stm_n1), whereis(stm_n1)}",
         "P = proc_lib:spawn_link(fun() -> put(mode, handle_event_function), gen_statem:enter_loop(?MODULE, [], entered, fun({call, F}, _, S) -> {keep_state_and_data, {reply, F, S}} end) end), ask(P, x)"]).

statem_timeouts() ->
    own(["S = self(), statem(handle_event_function, fun(T, X, St) -> S ! {T, X, St}, keep_state_and_data end, [{" ++ Kind ++ ", 30, up}]), got()"
         || Kind <- ["state_timeout", "timeout", "{timeout, named}"]]) ++
    own(["S = self(), P = statem(handle_event_function, fun G(cast, go, _) -> {next_state, b, G}; G(T, X, St) -> S ! {T, X, St}, keep_state_and_data end, [{" ++ Kind ++ ", 150, up}]), wait(30), gen_statem:cast(P, go), got()"
         || Kind <- ["state_timeout", "timeout", "{timeout, named}"]]) ++
    own(["S = self(), P = statem(handle_event_function, fun G(cast, go, _) -> keep_state_and_data; G(T, X, St) -> S ! {T, X, St}, keep_state_and_data end, [{" ++ Kind ++ ", 150, up}]), wait(30), gen_statem:cast(P, go), got()"
         || Kind <- ["state_timeout", "timeout", "{timeout, named}"]]) ++
    own(["S = self(), P = statem(handle_event_function, fun G(cast, go, _) -> {keep_state_and_data, {" ++ Kind ++ ", " ++ What ++ "}}; G(T, X, St) -> S ! {T, X, St}, keep_state_and_data end, [{" ++ Kind ++ ", 150, up}]), wait(30), gen_statem:cast(P, go), got()"
         || Kind <- ["state_timeout", "{timeout, named}"], What <- ["cancel", "update, changed", "infinity, x", "0, now", "50, sooner", "erlang:monotonic_time(millisecond) + 40, x, [{abs, true}]"]]) ++
    own(["S = self(), statem(handle_event_function, fun(T, X, St) -> S ! {T, X, St}, keep_state_and_data end, [{{timeout, c}, 90, 3}, {{timeout, a}, 30, 1}, {{timeout, b}, 60, 2}]), got()",
         "S = self(), statem(handle_event_function, fun(T, X, _) -> S ! {T, X}, keep_state_and_data end, [{timeout, 0, zero}, {next_event, internal, first}]), got()",
         "S = self(), statem(handle_event_function, fun(T, X, _) -> S ! {T, X}, keep_state_and_data end, [{state_timeout, 0, zero}, {next_event, internal, first}]), got()",
         "S = self(), statem(handle_event_function, fun(T, X, _) -> S ! {T, X}, keep_state_and_data end, [{{timeout, n}, 0, a}, {state_timeout, 0, b}]), got()",
         "S = self(), P = statem(handle_event_function, fun G(state_timeout, N, _) when N < 4 -> S ! N, {keep_state_and_data, {state_timeout, 10, N + 1}}; G(state_timeout, N, _) -> S ! last, keep_state_and_data end, [{state_timeout, 10, 1}]), got()",
         "S = self(), P = statem(handle_event_function, fun G({timeout, T}, X, _) -> S ! {T, X}, {keep_state_and_data, [{{timeout, other}, cancel}]} end, [{{timeout, one}, 20, x}, {{timeout, other}, 100, y}]), got()",
         "P = statem(fun({call, _}, _, _) -> keep_state_and_data end), {E, {W, {gen_statem, call, [Q, q, 50]}}} = t(fun() -> gen_statem:call(P, q, 50) end), {E, W, is(P, Q)}",
         "P = statem(fun({call, F}, _, _) -> wait(100), {keep_state_and_data, {reply, F, late}} end), {catch element(1, element(2, t(fun() -> gen_statem:call(P, q, {clean_timeout, 20}) end))), got()}",
         "P = statem(fun({call, F}, _, _) -> wait(100), {keep_state_and_data, {reply, F, late}} end), catch gen_statem:call(P, q, {dirty_timeout, 20}), length(got())"]).

statem_ends() ->
    Ends = ["stop", "{stop, normal}", "{stop, bad}", "{stop, bad, none}", "exit(x)", "error(x)", "throw(x)", "throw(keep_state_and_data)", "bad_return", "{keep_state_and_data, bad_action}", "{keep_state_and_data, {state_timeout, x, y}}", "{stop, {shutdown, x}}"],
    own(["trap(), S = self(), P = statem(fun(terminate, W, St) -> S ! {last, why(W), St}; (cast, _, _) -> " ++ E ++ " end), gen_statem:cast(P, go), [case M of {'EXIT', _, W} -> {exit, why(W)}; _ -> M end || M <- got()]" || E <- Ends]) ++
    own(["trap(), P = statem(fun({call, F}, _, _) -> " ++ E ++ " end), R = t(fun() -> ask(P, go) end), {case R of {exit, {W, {gen_statem, call, _}}} -> {call_exit, why(W)}; _ -> R end, [why(W) || {'EXIT', _, W} <- got()]}"
         || E <- ["{stop_and_reply, normal, {reply, F, bye}}", "{stop_and_reply, bad, [{reply, F, bye}], none}", "{stop, normal}", "exit(x)"]]) ++
    own(["trap(), R = gen_statem:start_link(?MODULE, fun() -> put(mode, " ++ Mode ++ "), " ++ E ++ " end, []), {case R of {ok, _} -> ok; {error, W} -> {error, why(W)}; _ -> R end, [why(W) || {'EXIT', _, W} <- got()]}"
         || {Mode, E} <- [{"handle_event_function", "{stop, x}"}, {"handle_event_function", "ignore"}, {"handle_event_function", "exit(x)"}, {"handle_event_function", "bad"}, {"bad_mode", "{ok, a, d}"},
                          {"handle_event_function", "{ok, a, d, bad_action}"}, {"state_functions", "{ok, {not_an_atom}, d}"}, {"handle_event_function", "throw({ok, a, d})"}]]) ++
    own(["t(fun() -> gen_statem:stop(dead()) end)", "t(fun() -> gen_statem:call(stm_none, x) end)", "gen_statem:cast(stm_none, x)",
         "trap(), S = self(), P = statem(fun(terminate, W, _) -> S ! {last, W} end), {gen_statem:stop(P, shutdown, 1000), [case M of {'EXIT', _, W} -> {exit, W}; _ -> M end || M <- got()]}",
         "S = self(), Q = spawn(fun() -> {ok, _} = gen_statem:start_link(?MODULE, fun() -> trap(), put(mode, handle_event_function), {ok, a, fun(terminate, W, _) -> S ! {last, W} end} end, []), loop() end), wait(100), Q ! {exit, gone}, got()"]).

events() ->
    Start = "{ok, P} = gen_event:start_link(), S = self(), H = fun(Id) -> gen_event:add_handler(P, {?MODULE, Id}, fun() -> {ok, {Id, []}} end) end, ",
    own([Start ++ T || T <-
        ["{H(a), H(b), gen_event:which_handlers(P) =:= [{?MODULE, b}, {?MODULE, a}]}", "{H(a), H(a)}", "H(a), H(b), gen_event:notify(P, fun({I, _} = X) -> S ! I, {ok, X} end), got()",
         "H(a), gen_event:sync_notify(P, fun({I, L}) -> {ok, {I, [e | L]}} end), gen_event:call(P, {?MODULE, a}, fun({I, L} = X) -> {ok, L, X} end)",
         "H(a), gen_event:call(P, {?MODULE, none}, x)", "H(a), {gen_event:delete_handler(P, {?MODULE, a}, why), gen_event:which_handlers(P)}", "gen_event:delete_handler(P, {?MODULE, none}, why)",
         "gen_event:add_handler(P, ?MODULE, fun() -> {ok, {last, fun(W) -> S ! {last, W}, final end}} end), {gen_event:delete_handler(P, ?MODULE, arg), got()}",
         "gen_event:add_handler(P, ?MODULE, fun() -> {ok, {last, fun(W) -> S ! {last, W}, final end}} end), {gen_event:stop(P), got()}",
         "gen_event:add_handler(P, ?MODULE, fun() -> {ok, {last, fun(W) -> S ! {last, W}, old end}} end), R = gen_event:swap_handler(P, {?MODULE, swapped}, {{?MODULE, new}, fun() -> {ok, n} end}), {R, got(), gen_event:which_handlers(P) =:= [{?MODULE, new}]}",
         "R = gen_event:swap_handler(P, {?MODULE, none}, {{?MODULE, new}, fun() -> {ok, n} end}), {R, gen_event:which_handlers(P) =:= [{?MODULE, new}]}",
         "gen_event:add_handler(P, {?MODULE, a}, fun() -> bad end)", "gen_event:add_handler(P, {?MODULE, a}, fun() -> {error, x} end)", "{'EXIT', W} = gen_event:add_handler(P, {?MODULE, a}, fun() -> error(x) end), why(W)",
         "{'EXIT', W} = gen_event:add_handler(P, {no_such_module, a}, x), why(W)",
         "H(a), H(b), gen_event:sync_notify(P, fun({a, _}) -> remove_handler; (X) -> {ok, X} end), gen_event:which_handlers(P) =:= [{?MODULE, b}]",
         "H(a), gen_event:sync_notify(P, fun(_) -> error(crash) end), gen_event:which_handlers(P)", "H(a), gen_event:sync_notify(P, fun(_) -> bad end), gen_event:which_handlers(P)",
         "H(a), gen_event:sync_notify(P, fun(X) -> {ok, X, hibernate} end), wait(30), process_info(P, current_function)",
         "H(a), gen_event:sync_notify(P, fun(_) -> {swap_handler, sw, {a, st}, {?MODULE, b}, fun() -> {ok, {b, []}} end} end), gen_event:which_handlers(P) =:= [{?MODULE, b}]",
         "H(a), R = gen_event:call(P, {?MODULE, a}, fun(_) -> {remove_handler, bye} end), {R, gen_event:which_handlers(P)}", "H(a), {error, {'EXIT', W}} = gen_event:call(P, {?MODULE, a}, fun(_) -> error(in_call) end), {why(W), gen_event:which_handlers(P)}",
         "H(a), gen_event:call(P, {?MODULE, a}, fun(_) -> bad end)",
         "ok = gen_event:add_sup_handler(P, {?MODULE, a}, fun() -> {ok, x} end), gen_event:sync_notify(P, fun(_) -> error(crash) end), [case R of {'EXIT', W} -> {crash, why(W)}; _ -> R end || {gen_event_EXIT, {_, a}, R} <- got()]",
         "ok = gen_event:add_sup_handler(P, {?MODULE, a}, fun() -> {ok, x} end), gen_event:sync_notify(P, fun(_) -> remove_handler end), [R || {gen_event_EXIT, {_, a}, R} <- got()]",
         "ok = gen_event:add_sup_handler(P, {?MODULE, a}, fun() -> {ok, x} end), gen_event:delete_handler(P, {?MODULE, a}, arg), [R || {gen_event_EXIT, {_, a}, R} <- got()]",
         "ok = gen_event:add_sup_handler(P, {?MODULE, a}, fun() -> {ok, x} end), gen_event:swap_handler(P, {{?MODULE, a}, sw}, {{?MODULE, b}, fun() -> {ok, y} end}), [{A, B} || {gen_event_EXIT, {_, _}, {A, {_, B}, _}} <- got()]",
         "Q = spawn(fun() -> gen_event:add_sup_handler(P, {?MODULE, a}, fun() -> {ok, {last, fun(W) -> S ! {last, W} end}} end), loop() end), wait(50), Q ! {exit, gone}, X = got(), {X, gen_event:which_handlers(P)}",
         "H(a), P ! fun({I, _} = X) -> S ! {info, I}, {ok, X} end, wait(50), got(), length(gen_event:which_handlers(P))",
         "[H(I) || I <- lists:seq(1, 20)], gen_event:sync_notify(P, fun({I, L}) -> {ok, {I, [I * I | L]}} end), lists:sum([hd(gen_event:call(P, {?MODULE, I}, fun({_, L} = X) -> {ok, L, X} end)) || I <- lists:seq(1, 20)])"]]) ++
    own(["trap(), {ok, P} = gen_event:start_link({local, ev_n1}), X = {is(whereis(ev_n1), P), gen_event:start_link({local, ev_n1}) =:= {error, {already_started, P}}}, gen_event:stop(ev_n1), X",
         "t(fun() -> gen_event:which_handlers(ev_none) end)", "gen_event:notify(ev_none, x)", "t(fun() -> gen_event:stop(dead()) end)", "t(fun() -> gen_event:sync_notify(dead(), x) end) =/= ok"]).

supervisors() ->
    own(["S = self(), {ok, P} = sup(#{}, [kid(S, a), kid(S, b)]), {got(), supervisor:count_children(P), kids(P)}",
         "{ok, P} = sup(#{}, []), {supervisor:which_children(P), supervisor:count_children(P)}",
         "S = self(), {ok, P} = sup({one_for_one, 1, 5}, [{a, {?MODULE, start_kid, [S, a]}, permanent, 1000, worker, [?MODULE]}]), {got(), kids(P)}",
         "S = self(), {ok, P} = sup(#{}, []), {ok, Q} = supervisor:start_child(P, kid(S, a)), {got(), is_pid(Q), is(Q, pid(P, a)), element(1, supervisor:start_child(P, kid(S, a))), element(1, element(2, supervisor:start_child(P, kid(S, a))))}",
         "S = self(), {ok, P} = sup(#{}, [kid(S, a)]), {supervisor:terminate_child(P, a), kids(P), supervisor:restart_child(P, a) =/= x, kids(P), got()}",
         "S = self(), {ok, P} = sup(#{}, [kid(S, a)]), {supervisor:delete_child(P, a), supervisor:terminate_child(P, a), supervisor:delete_child(P, a), kids(P)}",
         "S = self(), {ok, P} = sup(#{}, [kid(S, a)]), supervisor:terminate_child(P, a), {supervisor:start_child(P, kid(S, a)), supervisor:restart_child(P, none), supervisor:terminate_child(P, none), supervisor:delete_child(P, none), supervisor:get_childspec(P, none)}",
         "S = self(), {ok, P} = sup(#{}, [kid(S, a)]), {supervisor:restart_child(P, a), got()}",
         "S = self(), {ok, P} = sup(#{}, [kid(S, a, #{restart => transient, shutdown => 77})]), {ok, M} = supervisor:get_childspec(P, a), maps:without([start, modules], M)",
         "S = self(), {ok, P} = sup(#{}, [kid(S, a)]), {element(1, supervisor:start_child(P, #{id => b})), supervisor:start_child(P, bad), supervisor:start_child(P, kid(S, c, #{restart => sometimes}))}",
         "{ok, P} = sup(#{}, [#{id => i, start => {?MODULE, ignore, []}}]), {kids(P), supervisor:count_children(P), supervisor:restart_child(P, i)}",
         "{ok, P} = sup(#{}, [#{id => i, start => {?MODULE, ignore, []}, restart => temporary}]), kids(P)",
         "{ok, P} = sup(#{}, []), {ok, Q, x} = supervisor:start_child(P, #{id => i, start => {?MODULE, agree, [x]}}), is_pid(Q)",
         "{ok, P} = sup(#{}, []), {supervisor:start_child(P, #{id => i, start => {?MODULE, refuse, [no]}}), kids(P)}",
         "{ok, P} = sup(#{}, []), {error, {{'EXIT', {undef, _}}, _}} = supervisor:start_child(P, #{id => i, start => {?MODULE, no_such_function, []}}), kids(P)",
         "trap(), {error, E} = sup(#{}, [#{id => i, start => {?MODULE, refuse, [no]}}]), {E =/= x, element(1, E), [element(1, W) || {'EXIT', _, W} <- [hd(got())], is_tuple(W)]}",
         "trap(), S = self(), {error, {shutdown, {failed_to_start_child, bad, no}}} = sup(#{}, [kid(S, a), kid(S, b), #{id => bad, start => {?MODULE, refuse, [no]}}, kid(S, d)]), [case M of {'EXIT', _, _} -> exit; _ -> M end || M <- got()]",
         "trap(), [begin {error, W} = supervisor:start_link(?MODULE, fun() -> R end), {element(1, W), length(got())} end || R <- [bad, {ok, bad}, {ok, {#{strategy => odd}, []}}, {ok, {#{intensity => -1}, []}}, {ok, {#{period => 0}, []}}, {ok, {#{}, [bad]}}]]",
         "supervisor:start_link(?MODULE, fun() -> ignore end)", "supervisor:check_childspecs([#{id => a, start => {m, f, []}}, {b, {m, f, []}, permanent, 10, worker, [m]}])", "supervisor:check_childspecs([#{id => a}])", "supervisor:check_childspecs([#{id => a, start => {m, f, []}}, #{id => a, start => {m, f, []}}])",
         "supervisor:check_childspecs([#{id => a, start => {m, f, []}, shutdown => soon}])", "supervisor:check_childspecs([#{id => a, start => {m, f, []}, type => boss}])", "supervisor:check_childspecs(x)", "supervisor:check_childspecs([#{id => a, start => {m, f, []}, significant => true}])",
         "{ok, P} = supervisor:start_link({local, sup_n1}, ?MODULE, fun() -> {ok, {#{}, []}} end), {is(whereis(sup_n1), P), supervisor:which_children(sup_n1), element(1, element(2, supervisor:start_link({local, sup_n1}, ?MODULE, fun() -> ignore end)))}",
         "S = self(), {ok, P} = sup(#{strategy => simple_one_for_one}, [#{id => k, start => {?MODULE, start_kid, [S]}}]), [{ok, _} = supervisor:start_child(P, [I]) || I <- [1, 2, 3]], {got(), supervisor:count_children(P), [{I, T} || {I, _, T, _} <- supervisor:which_children(P)]}",
         "S = self(), {ok, P} = sup(#{strategy => simple_one_for_one}, [#{id => k, start => {?MODULE, start_kid, [S]}}]), {ok, Q} = supervisor:start_child(P, [1]), {supervisor:terminate_child(P, Q), supervisor:terminate_child(P, Q), supervisor:terminate_child(P, k), supervisor:delete_child(P, k), supervisor:restart_child(P, k), supervisor:count_children(P)}",
         "S = self(), {ok, P} = sup(#{strategy => simple_one_for_one}, [#{id => k, start => {?MODULE, start_kid, [S]}, restart => temporary}]), Qs = [element(2, supervisor:start_child(P, [I])) || I <- lists:seq(1, 50)], [exit(Q, kill) || Q <- Qs], wait(100), supervisor:count_children(P)",
         "trap(), S = self(), {ok, P} = sup(#{strategy => simple_one_for_one, intensity => 5}, [#{id => k, start => {?MODULE, start_kid, [S]}}]), {ok, Q} = supervisor:start_child(P, [1]), Q ! {die, x}, wait(100), {got(), supervisor:count_children(P)}",
         "{ok, P} = sup(#{strategy => simple_one_for_one}, [#{id => k, start => {?MODULE, refuse, []}}]), {supervisor:start_child(P, [no]), element(1, supervisor:start_child(P, []))}",
         "S = self(), {ok, Inner} = sup(#{}, []), unlink(Inner), {ok, P} = sup(#{}, [#{id => in, type => supervisor, start => {supervisor, start_link, [?MODULE, fun() -> {ok, {#{}, [kid(S, deep)]}} end]}}]), {kids(P), kids(pid(P, in)), got()}"]).

%% Who is started anew when one of three dies, and who dies first.
strategies() ->
    own(["S = self(), {ok, P} = sup(#{strategy => " ++ St ++ ", intensity => 3}, [kid(S, I, #{restart => " ++ R ++ "}) || I <- [a, b, c]]), F = got(), die(P, b, " ++ W ++ "), {length(F), got(), kids(P)}"
         || St <- ["one_for_one", "one_for_all", "rest_for_one"], R <- ["permanent", "transient", "temporary"], W <- ["x", "normal", "shutdown", "{shutdown, x}"]]) ++
    own(["S = self(), {ok, P} = sup(#{strategy => " ++ St ++ ", intensity => 3}, [kid(S, I) || I <- [a, b, c]]), got(), exit(pid(P, b), kill), {got(), kids(P)}" || St <- ["one_for_one", "one_for_all", "rest_for_one"]]) ++
    own(["trap(), S = self(), {ok, P} = sup(#{strategy => " ++ St ++ ", intensity => " ++ N ++ ", period => 10}, [kid(S, I) || I <- [a, b]]), got(), [is_process_alive(P) andalso die(P, a, x) || _ <- [1, 2, 3]], {[case M of {'EXIT', _, W} -> {exit, W}; _ -> M end || M <- got()], is_process_alive(P)}"
         || St <- ["one_for_one", "one_for_all", "rest_for_one"], N <- ["0", "1", "2", "5"]]) ++
    own(["S = self(), {ok, P} = sup(#{intensity => 1, period => 1}, [kid(S, a)]), die(P, a, x), wait(2200), die(P, a, x), wait(2200), die(P, a, x), {got(), is_process_alive(P)}",
         "S = self(), {ok, P} = sup(#{strategy => one_for_all, intensity => 3}, [kid(S, a), kid(S, t, #{restart => temporary}), kid(S, c)]), got(), die(P, a, x), {got(), kids(P)}",
         "S = self(), {ok, P} = sup(#{strategy => rest_for_one, intensity => 3}, [kid(S, a), kid(S, t, #{restart => temporary}), kid(S, c)]), got(), die(P, t, x), {got(), kids(P)}",
         "put(n, 0), S = self(), T = ets:new(tries, [public]), ets:insert(T, {n, 0}), Start = fun() -> case ets:update_counter(T, n, 1) of N when N > 1, N < 4 -> S ! {refused, N}, {error, not_yet}; N -> S ! {started, N}, {ok, spawn_link(fun loop/0)} end end, {ok, P} = sup(#{intensity => 5}, [#{id => a, start => {erlang, apply, [Start, []]}}]), pid(P, a) ! {exit, x}, {got(), kids(P)}",
         "trap(), S = self(), T = ets:new(tries, [public]), ets:insert(T, {n, 0}), Start = fun() -> case ets:update_counter(T, n, 1) of N when N > 1 -> S ! {refused, N}, {error, never}; N -> {ok, spawn_link(fun loop/0)} end end, {ok, P} = sup(#{intensity => 3}, [#{id => a, start => {erlang, apply, [Start, []]}}]), pid(P, a) ! {exit, x}, [case M of {'EXIT', _, W} -> {exit, W}; _ -> M end || M <- got()]"]) ++
    own(["trap(), S = self(), R = sup(#{auto_shutdown => " ++ A ++ "}, [kid(S, a, #{restart => transient, significant => " ++ Sig ++ "}), kid(S, b, #{restart => temporary, significant => " ++ Sig ++ "}), kid(S, c)]), case R of {error, W} -> {element(1, W), length(got())}; {ok, P} -> got(), die(P, a, " ++ W ++ "), X = is_process_alive(P), X andalso die(P, b, normal), {X, [case M of {'EXIT', _, W2} -> {exit, W2}; _ -> M end || M <- got()], is_process_alive(P)} end"
         || A <- ["never", "any_significant", "all_significant"], Sig <- ["true", "false"], W <- ["normal", "x"], {A, Sig, W} =/= {"never", "true", "x"}]).

shutdowns() ->
    own(["S = self(), {ok, P} = sup(#{strategy => " ++ St ++ "}, [kid(S, I) || I <- [a, b, c, d]]), got(), unlink(P), {ends(P, shutdown), got()}" || St <- ["one_for_one", "one_for_all", "rest_for_one"]]) ++
    own(["S = self(), Stubborn = fun() -> {ok, spawn_link(fun() -> trap(), S ! up, (fun L() -> receive X -> S ! {ignored, element(3, X)}, L() end end)() end)} end, {ok, P} = sup(#{}, [#{id => a, shutdown => " ++ H ++ ", start => {erlang, apply, [Stubborn, []]}}]), got(), A = pid(P, a), R = monitor(process, A), supervisor:terminate_child(P, a), {receive {'DOWN', R, _, _, W} -> W end, got()}"
         || H <- ["brutal_kill", "50", "0"]]) ++
    own(["S = self(), {ok, P} = sup(#{}, [kid(S, a, #{shutdown => " ++ H ++ "})]), got(), A = pid(P, a), R = monitor(process, A), supervisor:terminate_child(P, a), {receive {'DOWN', R, _, _, W} -> W end, got()}" || H <- ["brutal_kill", "50", "infinity"]]) ++
    own(["S = self(), Slow = fun(I) -> {ok, spawn_link(fun() -> trap(), receive {'EXIT', _, W} -> wait(60), S ! {slow, I, W}, exit(W) end end)} end, {ok, P} = sup(#{}, [#{id => I, start => {erlang, apply, [Slow, [I]]}} || I <- [1, 2, 3]]), unlink(P), {ends(P, shutdown), got()}",
         "trap(), S = self(), {ok, P} = sup(#{}, [kid(S, a)]), exit(P, normal), {[case M of {'EXIT', _, W} -> {exit, W}; _ -> M end || M <- got()], is_process_alive(P)}",
         "trap(), S = self(), {ok, P} = sup(#{}, [kid(S, a)]), exit(P, kill), lists:sort([case M of {'EXIT', _, W} -> {exit, W}; _ -> M end || M <- got()])",
         "S = self(), Q = spawn(fun() -> {ok, _} = sup(#{}, [kid(S, a), kid(S, b)]), loop() end), wait(50), Q ! {exit, gone}, got()",
         "S = self(), {ok, P} = sup(#{}, [kid(S, a)]), Q = spawn(fun() -> link(P), exit(stranger) end), wait(100), {got(), is_process_alive(P), is_process_alive(Q)}",
         "S = self(), {ok, P} = sup(#{}, [kid(S, a)]), got(), A = pid(P, a), exit(A, normal), wait(50), {got(), is_process_alive(A)}",
         "S = self(), {ok, P} = sup(#{strategy => simple_one_for_one}, [#{id => k, start => {?MODULE, start_kid, [S]}}]), [supervisor:start_child(P, [I]) || I <- lists:seq(1, 30)], got(), unlink(P), {ends(P, shutdown), lists:sort(got()) =:= [{down, I, shutdown} || I <- lists:seq(1, 30)]}",
         "S = self(), {ok, P} = sup(#{}, [#{id => in, type => supervisor, start => {supervisor, start_link, [?MODULE, fun() -> {ok, {#{}, [kid(S, x), kid(S, y)]}} end]}}, kid(S, z)]), got(), unlink(P), {ends(P, shutdown), got()}",
         "{ok, P} = supervisor_bridge:start_link(?MODULE, fun() -> {ok, spawn_link(fun loop/0), {last, fun(W) -> W end}} end), is_process_alive(P)",
         "trap(), S = self(), {ok, P} = supervisor_bridge:start_link(?MODULE, fun() -> {ok, spawn_link(fun loop/0), {last, fun(W) -> S ! {last, W} end}} end), exit(P, shutdown), [case M of {'EXIT', _, W} -> {exit, W}; _ -> M end || M <- got()]"]).

systems() ->
    own(["P = srv([]), sys:suspend(P), P ! x, X = t(fun() -> gen_server:call(P, fun(_, S) -> {reply, S, S} end, 50) end), sys:resume(P), {element(1, X), length(look(P))}",
         "P = srv(1), {sys:get_state(P), sys:replace_state(P, fun(S) -> S + 1 end), look(P)}", "P = srv(1), catch sys:replace_state(P, fun(_) -> error(bad) end), look(P)", "P = srv(1), sys:suspend(P), X = sys:get_state(P), sys:resume(P), X",
         "P = srv(1), {status, Q, {module, gen_server}, [_, Status, Parent, _, Misc]} = sys:get_status(P), {is(P, Q), Status, is(Parent, self()), is_list(Misc)}", "P = srv(1), sys:suspend(P), {status, _, _, [_, Status | _]} = sys:get_status(P), Status",
         "P = srv(1), sys:statistics(P, true), look(P), P ! x, {ok, L} = sys:statistics(P, get), X = [proplists:get_value(K, L) || K <- [messages_in, messages_out]], {X, sys:statistics(P, false), sys:statistics(P, get)}",
         "P = srv([]), sys:log(P, true), P ! x, look(P), {ok, L} = sys:log(P, get), {length(L), sys:log(P, false)}", "P = srv([]), sys:trace(P, false)", "P = srv([]), sys:no_debug(P)",
         "S = self(), P = srv([]), sys:install(P, {fun(St, Ev, _) -> S ! element(1, Ev), St end, x}), look(P), P ! y, wait(50), got()",
         "S = self(), P = srv([]), F = {seen, fun(St, _, _) -> S ! seen, St end, x}, sys:install(P, F), P ! y, wait(50), sys:remove(P, seen), P ! z, {got(), length(look(P))}",
         "trap(), P = srv({last, fun(W) -> W end}), sys:terminate(P, bye), [W || {'EXIT', _, W} <- got()]", "element(1, element(2, t(fun() -> sys:get_state(dead()) end)))", "t(fun() -> sys:suspend(sys_none) end)",
         "P = statem(fun({call, F}, q, S) -> {keep_state_and_data, {reply, F, S}} end), {a, _} = sys:get_state(P), sys:replace_state(P, fun({a, D}) -> {b, D} end), ask(P, q)",
         "{ok, P} = gen_event:start_link(), gen_event:add_handler(P, ?MODULE, fun() -> {ok, st} end), [{M, false, st}] = sys:get_state(P), [{M, false, nst}] = sys:replace_state(P, fun({A, B, st}) -> {A, B, nst} end), gen_event:call(P, ?MODULE, fun(X) -> {ok, X, X} end)",
         "S = self(), {ok, P} = sup(#{}, [kid(S, a)]), sys:suspend(P), sys:resume(P), length(supervisor:which_children(P))",
         "P = srv([]), sys:suspend(P), exit(P, normal), Q = spawn(fun() -> gen_server:stop(P) end), wait(50), {is_process_alive(P), is_process_alive(Q)}",
         "P = srv([]), S = self(), [spawn(fun() -> sys:suspend(P), sys:resume(P), S ! ok end) || _ <- lists:seq(1, 10)], [receive ok -> ok after 2000 -> late end || _ <- lists:seq(1, 10)]",
         "P = srv([]), {sys:change_code(P, ?MODULE, v, x) =/= ok, look(P)}"]).

starts() ->
    own(["P = proc_lib:spawn(fun() -> loop() end), wait(50), {proc_lib:initial_call(P) =/= false, is_pid(P)}", "P = proc_lib:spawn(?MODULE, loop, []), wait(50), {proc_lib:initial_call(P) =:= {?MODULE, loop, []}, proc_lib:translate_initial_call(P) =:= {?MODULE, loop, 0}}",
         "P = srv(), proc_lib:translate_initial_call(P) =:= {?MODULE, init, 1}", "P = spawn(fun loop/0), {proc_lib:initial_call(P), proc_lib:translate_initial_call(P)}", "proc_lib:initial_call(dead())",
         "S = self(), P = proc_lib:spawn(fun() -> S ! {get('$ancestors'), element(1, get('$initial_call')) =:= ?MODULE} end), receive {[A | _], X} -> {is(A, self()), X, is_pid(P)} end",
         "R = proc_lib:start(erlang, apply, [fun() -> proc_lib:init_ack({ok, x}), loop() end, []]), R", "S = self(), proc_lib:start_link(erlang, apply, [fun() -> proc_lib:init_ack(S, from_parent), loop() end, []])",
         "trap(), {proc_lib:start_link(erlang, apply, [fun() -> exit(no) end, []]), [W || {'EXIT', _, W} <- got()]}", "trap(), {proc_lib:start_link(erlang, apply, [fun() -> wait(1000) end, []], 50), [W || {'EXIT', _, W} <- got()]}",
         "proc_lib:start(erlang, apply, [fun() -> error(no) end, []]) =/= ok", "{R, M} = proc_lib:start_monitor(erlang, apply, [fun() -> proc_lib:init_ack(ok), exit(later) end, []]), {R, receive {'DOWN', M, _, _, W} -> W end}",
         "{R, M} = proc_lib:start_monitor(erlang, apply, [fun() -> exit(no) end, []]), {R, receive {'DOWN', M, _, _, W} -> W end}", "proc_lib:start(erlang, apply, [fun() -> ok end, []])",
         "P = proc_lib:spawn(fun() -> loop() end), t(fun() -> proc_lib:stop(P, normal, 50) end)", "P = srv(), {proc_lib:stop(P), is_process_alive(P)}", "t(fun() -> proc_lib:stop(dead()) end)",
         "S = self(), P = proc_lib:spawn(fun() -> proc_lib:hibernate(erlang, send, [S, woken]) end), P ! x, receive X -> X end", "trap(), proc_lib:spawn_link(fun() -> exit(x) end), [W || {'EXIT', _, W} <- got()]",
         "trap(), proc_lib:spawn_link(fun() -> error(x) end), [why(W) || {'EXIT', _, W} <- got()]", "trap(), proc_lib:spawn_link(fun() -> throw(x) end), [why(W) || {'EXIT', _, W} <- got()]", "{_, R} = proc_lib:spawn_opt(fun() -> exit(x) end, [monitor]), receive {'DOWN', R, _, _, W} -> W end"]).

clocks() ->
    own(["timer:send_after(20, x), got()", "timer:send_after(20, self(), x), got()", "S = self(), {ok, R} = timer:apply_after(20, erlang, send, [S, x]), {is_tuple(R), got()}", "{ok, R} = timer:send_after(100, x), {timer:cancel(R), got()}",
         "{ok, R} = timer:send_interval(50, x), wait(175), timer:cancel(R), length(got())", "S = self(), {ok, R} = timer:apply_interval(50, erlang, send, [S, x]), wait(175), timer:cancel(R), length(got())", "trap(), P = spawn_link(fun loop/0), timer:kill_after(20, P), [W || {'EXIT', _, W} <- got()]",
         "trap(), P = spawn_link(fun loop/0), timer:exit_after(20, P, why), [W || {'EXIT', _, W} <- got()]", "timer:cancel(x)", "timer:send_after(-1, x)", "timer:send_after(x, y)", "[timer:seconds(2), timer:minutes(2), timer:hours(2), timer:hms(1, 2, 3)]", "timer:now_diff({1, 2, 3}, {1, 1, 2})"]).
