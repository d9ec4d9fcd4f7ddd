#!/usr/bin/env escript
%%! +S 2
%% Concurrent programs with one possible outcome, on Fathom's machine and in OTP: links,
%% monitors, aliases, exit signals, names, timers, time-outs, hibernation, what processes
%% share, and many processes and messages at once. OTP's behaviours: behaviours_test.
%%
%%   processes_test.escript [FAMILY...]
-mode(compile).
-define(PARALLEL, 12).
-include("fathom_port.hrl").
-include("batches.hrl").
-include("process_helpers.hrl").

main(Wanted) ->
    check_families("processes", families(), Wanted).

families() ->
    [{spawning, fun spawning/0},
     {messages, fun messages/0},
     {awaited_references, fun awaited_references/0},
     {links, fun links/0},
     {monitors, fun monitors/0},
     {aliases, fun aliases/0},
     {names, fun names/0},
     {timers, fun timers/0},
     {facts, fun facts/0},
     {behaviours, fun behaviours/0},
     {exits, fun exits/0},
     {flags, fun flags/0},
     {tables, fun tables/0},
     {shared, fun shared/0},
     {crowds, fun crowds/0}].

helpers() -> process_helpers().

spawning() ->
    own(["S = self(), spawn(fun() -> S ! hello end), receive X -> X end",
         "S = self(), P = spawn(fun() -> S ! self() end), receive Q -> is(P, Q) end",
         "S = self(), spawn(erlang, send, [S, x]), receive X -> X end",
         "S = self(), spawn_link(fun() -> S ! x end), receive X -> X end",
         "{P, R} = spawn_monitor(fun() -> exit(y) end), receive {'DOWN', R, process, P, W} -> W end",
         "{P, R} = spawn_opt(fun() -> exit(y) end, [monitor, {priority, high}, {fullsweep_after, 0}]), receive {'DOWN', R, process, P, W} -> W end",
         "{P, R} = spawn_opt(fun() -> exit(y) end, [{monitor, [{tag, tagged}]}]), receive {tagged, R, process, P, W} -> W end",
         "P = spawn_opt(fun() -> loop() end, [link]), {links, L} = process_info(self(), links), {lists:member(P, L), is_process_alive(P)}",
         "t(fun() -> spawn_opt(fun() -> ok end, [x]) end)", "t(fun() -> spawn(x) end)", "t(fun() -> spawn(1, f, []) end)", "t(fun() -> spawn(m, f, [a | b]) end)",
         "trap(), P = spawn_link(nomodule, nofun, []), receive {'EXIT', P, W} -> why(W) end",
         "trap(), P = spawn_link(fun() -> throw(x) end), receive {'EXIT', P, W} -> why(W) end",
         "trap(), P = spawn_link(fun() -> error({x, 1}) end), receive {'EXIT', P, W} -> why(W) end",
         "trap(), P = spawn_link(fun(_) -> ok end, []), receive {'EXIT', P, W} -> why(W) end",
         "S = self(), [spawn(fun() -> S ! I end) || I <- lists:seq(1, 200)], lists:sort([receive X -> X end || _ <- lists:seq(1, 200)]) =:= lists:seq(1, 200)",
         "S = self(), P = spawn(fun() -> put(a, 1), S ! get(a) end), R = receive X -> X end, {R, get(a), is_pid(P)}",
         "exit(x)", "error(x)", "throw(x)", "1 / 0", "S = self(), spawn(fun() -> S ! process_info(self(), dictionary) end), receive X -> X end"]).

messages() ->
    own(["self() ! a, self() ! b, self() ! c, {receive b -> b end, got()}",
         "self() ! 1, self() ! 2, receive X when X > 1 -> {X, got()} end",
         "receive x -> x after 0 -> none end", "self() ! x, receive y -> y after 10 -> got() end",
         "t(fun() -> receive x -> x after foo -> y end end)", "t(fun() -> receive x -> x after -1 -> y end end)", "t(fun() -> self() ! x, receive x -> x after foo -> y end end)",
         "t(fun() -> 1 ! x end)", "t(fun() -> nobody ! x end)", "{nobody, node()} ! x", "dead() ! x", "make_ref() ! x", "erlang:send(self(), x, [])", "erlang:send(self(), x, [noconnect, nosuspend])",
         "t(fun() -> erlang:send(self(), x, [y]) end)", "erlang:send_nosuspend(self(), x)",
         "P = spawn(fun() -> receive {S, X} -> S ! {self(), X} end end), P ! {self(), 1}, receive {P, Y} -> Y end",
         "P = spawn(fun F() -> receive {S, X} -> S ! X * 2, F() end end), [begin P ! {self(), I}, receive Y -> Y end end || I <- lists:seq(1, 20)]",
         "S = self(), P = spawn(fun() -> receive first -> S ! got() end end), [P ! I || I <- [1, 2, first, 3]], receive X -> X end",
         "S = self(), spawn(fun() -> [S ! I || I <- lists:seq(1, 1000)] end), [receive X -> X end || _ <- lists:seq(1, 1000)] =:= lists:seq(1, 1000)",
         "N = 100, S = self(), L = lists:foldl(fun(_, P) -> spawn(fun() -> receive X -> P ! X + 1 end end) end, S, lists:seq(1, N)), L ! 0, receive R -> R end",
         "S = self(), spawn(fun() -> receive after 300 -> S ! late end end), spawn(fun() -> S ! early end), [receive X -> X end, receive Y -> Y end]",
         "receive after 5 -> x end", "F = fun F(0) -> done; F(N) -> receive after 1 -> F(N - 1) end end, F(20)",
         "self() ! {a, 1}, self() ! {b, 2}, Ref = make_ref(), self() ! {Ref, 3}, receive {Ref, X} -> X end",
         "S = self(), P = spawn(fun() -> erlang:hibernate(erlang, send, [S, woken]) end), P ! x, receive X -> X end",
         "S = self(), P = spawn(fun() -> S ! erlang:hibernate(erlang, self, []) end), {_, R} = {P, monitor(process, P)}, P ! x, receive {'DOWN', R, _, _, W} -> {W, got()} end"]).

%% A receive that asks for a reference does not look at older messages, which cannot have it.
awaited_references() ->
    own(["R = make_ref(), self() ! {R, 1}, receive {R, X} -> X end",
         "self() ! {a, 1}, R = make_ref(), self() ! {R, 2}, X = receive {R, Y} -> Y end, {X, got()}",
         "R = make_ref(), [self() ! {n, I} || I <- lists:seq(1, 100)], self() ! {R, x}, [self() ! {m, I} || I <- [1, 2]], receive {R, X} -> {X, length(got())} end",
         "R1 = make_ref(), self() ! {R1, a}, R2 = make_ref(), self() ! {R2, b}, {receive {R2, X} -> X end, receive {R1, Y} -> Y end}",
         "R1 = make_ref(), self() ! {R1, a}, R2 = make_ref(), self() ! {R2, b}, receive {R, X} when R =:= R1; R =:= R2 -> X end",
         "R1 = make_ref(), self() ! {x, a}, R2 = make_ref(), self() ! {R2, b}, receive {R, X} when R =:= R2; X =:= a -> {X, R1 =/= R2} end",
         "R = make_ref(), self() ! {R, a}, receive {Q, X} when Q =:= R, X =:= b -> X after 0 -> got() =:= [{R, a}] end",
         "self() ! {self(), 1}, P = self(), receive {P, X} -> X end",
         "self() ! 1, R = make_ref(), self() ! R, receive R -> got() end",
         "self() ! older, R = make_ref(), receive {R, X} -> X; older -> first end",
         "self() ! older, R = make_ref(), receive {R, X} -> X; Y when Y =:= older -> first end",
         "R = make_ref(), self() ! [alias | R], receive [alias | R] -> ok; {'DOWN', R, _, _, _} -> down end",
         "R = make_ref(), self() ! {R, R}, receive {R, R} -> ok end", "R = make_ref(), receive {R, _} -> x after 0 -> none end",
         "F = fun(R) -> receive {R, X} -> X after 0 -> none end end, R = make_ref(), self() ! {R, 1}, self() ! {R, 2}, S = make_ref(), [F(R), F(S), F(R), F(R)]",
         "Rs = [make_ref() || _ <- lists:seq(1, 50)], [self() ! {R, I} || {R, I} <- lists:zip(Rs, lists:seq(1, 50))], [receive {R, I} -> I end || R <- lists:reverse(Rs)]",
         "S = self(), P = spawn(fun() -> R = make_ref(), S ! R, S ! {R, 1} end), R = receive Q when is_reference(Q) -> Q end, Mine = make_ref(), {receive {R, X} -> X end, is_pid(P), is_reference(Mine)}",
         "self() ! {'DOWN', 1, process, 2, fake}, {P, R} = spawn_monitor(fun() -> exit(a) end), receive {'DOWN', R, process, P, W} -> {W, got()} end",
         "P = spawn(fun loop/0), R = monitor(process, P), [self() ! I || I <- [1, 2, 3]], exit(P, a), receive {'DOWN', R, process, P, W} -> {W, got()} end",
         "P = spawn(fun loop/0), R = monitor(process, P), exit(P, a), wait(30), [self() ! I || I <- [1, 2, 3]], demonitor(R, [flush]), got()",
         "P = spawn(fun loop/0), self() ! 0, R = monitor(process, P), exit(P, a), wait(30), demonitor(R, [flush]), got()",
         "A = alias(), self() ! A, A ! {A, 1}, {receive {A, X} -> X end, got() =:= [A]}",
         "T = erlang:start_timer(5, self(), x), receive {timeout, T, X} -> X end", "self() ! x, T = erlang:start_timer(0, self(), y), receive {timeout, T, Y} -> {Y, got()} end",
         "R = erlang:spawn_request(fun() -> ok end, [monitor]), receive {spawn_reply, R, ok, P} -> is_pid(P) end",
         "R = make_ref(), S = self(), spawn(fun() -> wait(20), S ! {R, late} end), receive {R, X} -> X after 5000 -> never end",
         "R = make_ref(), spawn(fun() -> ok end), receive {R, X} -> X after 20 -> never end",
         "[self() ! {n, I} || I <- lists:seq(1, 50000)], P = spawn(fun F() -> receive {'$gen_call', From, M} -> gen_server:reply(From, M), F() end end), [I = gen_server:call(P, I) || I <- lists:seq(1, 1000)], {process_info(self(), message_queue_len), length([receive {n, I} -> I end || I <- [1, 50000, 25000]])}"]).

links() ->
    Ends = ["ok", "exit(normal)", "exit(x)", "exit(kill)", "exit(shutdown)", "error(x)", "throw(x)", "exit({a, [b]})", "exit(self(), normal)", "exit(self(), x)", "exit(self(), kill)"],
    own(["trap(), P = spawn_link(fun() -> " ++ E ++ " end), receive {'EXIT', P, W} -> why(W) end" || E <- Ends]) ++
    own(["spawn_link(fun() -> " ++ E ++ " end), receive after 200 -> survived end" || E <- Ends]) ++
    own(["P = spawn(fun() -> trap(), receive X -> exit({got, X}) end end), R = monitor(process, P), receive after 200 -> ok end, exit(P, " ++ Why ++ "), receive {'DOWN', R, _, _, {got, {'EXIT', S, W}}} -> {is(S, self()), W}; {'DOWN', R, _, _, W} -> W end"
         || Why <- ["normal", "x", "kill", "shutdown", "{a, b}"]]) ++
    own(["P = spawn(fun() -> loop() end), R = monitor(process, P), exit(P, " ++ Why ++ "), receive {'DOWN', R, _, _, W} -> W after 50 -> {alive, is_process_alive(P)} end"
         || Why <- ["normal", "x", "kill", "shutdown"]]) ++
    own(["trap(), A = spawn_link(fun() -> spawn_link(fun() -> exit(inner) end), receive after infinity -> ok end end), receive {'EXIT', A, W} -> W end",
         "trap(), A = spawn_link(fun() -> trap(), B = spawn_link(fun() -> exit(inner) end), receive {'EXIT', B, W} -> exit({outer, W}) end end), receive {'EXIT', A, W2} -> W2 end",
         "P = spawn(fun() -> loop() end), link(P), unlink(P), exit(P, x), receive after 200 -> survived end",
         "P = spawn(fun() -> loop() end), true = link(P), true = link(P), unlink(P), P ! {exit, x}, receive after 200 -> survived end",
         "trap(), link(dead()), [W || {'EXIT', _, W} <- got()]", "t(fun() -> link(dead()) end)", "t(fun() -> link(x) end)", "t(fun() -> unlink(x) end)", "link(self())", "unlink(dead())",
         "t(fun() -> exit(x, y) end)", "exit(dead(), x)", "trap(), exit(self(), normal), [W || {'EXIT', _, W} <- got()]", "trap(), exit(self(), x), [W || {'EXIT', _, W} <- got()]",
         "trap(), P = spawn_link(fun() -> loop() end), process_flag(trap_exit, false), unlink(P), P ! {exit, x}, got()",
         "trap(), Ps = [spawn_link(fun() -> loop() end) || _ <- lists:seq(1, 50)], hd(Ps) ! stop, [exit(P, x) || P <- tl(Ps)], length([1 || {'EXIT', _, _} <- got()])",
         "P = spawn(fun() -> [spawn_link(fun() -> loop() end) || _ <- lists:seq(1, 20)], loop() end), receive after 200 -> ok end, {links, L} = process_info(P, links), Rs = [monitor(process, Q) || Q <- L], exit(P, bye), lists:usort([receive {'DOWN', R, _, _, W} -> W end || R <- Rs])"]).

monitors() ->
    own(["P = spawn(fun() -> loop() end), R = monitor(process, P), P ! " ++ M ++ ", receive {'DOWN', R, process, P, W} -> why(W) end"
         || M <- ["stop", "{exit, x}", "{error, x}", "{exit, normal}"]]) ++
    own(["R = monitor(process, dead()), receive {'DOWN', R, process, _, W} -> W end",
         "R = monitor(process, nobody), receive {'DOWN', R, process, I, W} -> {I =:= {nobody, node()}, W} end",
         "R = monitor(process, {nobody, node()}), receive {'DOWN', R, process, I, W} -> {I =:= {nobody, node()}, W} end",
         "P = spawn(fun() -> loop() end), register(watched, P), R = monitor(process, watched), P ! stop, receive {'DOWN', R, process, I, W} -> {I =:= {watched, node()}, W} end",
         "P = spawn(fun() -> loop() end), R = monitor(process, P), true = demonitor(R), P ! stop, got()",
         "P = spawn(fun() -> loop() end), R = monitor(process, P), P ! stop, receive after 200 -> ok end, {demonitor(R, [flush]), got()}",
         "P = spawn(fun() -> loop() end), R = monitor(process, P), {demonitor(R, [info]), demonitor(R, [info])}",
         "R = monitor(process, dead()), receive after 200 -> ok end, {demonitor(R, [info]), length(got())}",
         "R = monitor(process, dead()), receive after 200 -> ok end, {demonitor(R, [flush, info]), got()}",
         "P = spawn(fun() -> loop() end), R = monitor(process, P), {demonitor(R, [flush, info]), demonitor(R, [info, flush])}",
         "demonitor(make_ref())", "demonitor(make_ref(), [info])", "t(fun() -> demonitor(x) end)", "t(fun() -> demonitor(make_ref(), [x]) end)", "t(fun() -> demonitor(make_ref(), x) end)",
         "t(fun() -> monitor(process, 1) end)", "t(fun() -> monitor(x, self()) end)", "R = monitor(process, self()), {is_reference(R), got()}",
         "P = spawn(fun() -> loop() end), Rs = [monitor(process, P) || _ <- [1, 2, 3]], P ! stop, length([W || {'DOWN', R, _, _, W} <- got(), lists:member(R, Rs)])",
         "P = spawn(fun() -> loop() end), R = monitor(process, P, [{tag, {my, tag}}]), P ! stop, receive {{my, tag}, R, process, P, W} -> W end",
         "t(fun() -> monitor(process, self(), [x]) end)", "t(fun() -> monitor(process, self(), [{alias, x}]) end)",
         "P = spawn(fun() -> loop() end), monitor(process, P), {monitors, [{process, Q}]} = process_info(self(), monitors), {monitored_by, B} = process_info(P, monitored_by), {is(P, Q), B =:= [self()]}"]).

aliases() ->
    own(["A = alias(), A ! x, got()", "A = alias(), true = unalias(A), A ! x, {unalias(A), got()}", "A = alias([reply]), A ! 1, A ! 2, got()", "A = alias([explicit_unalias]), A ! 1, A ! 2, got()",
         "t(fun() -> alias([x]) end)", "t(fun() -> alias(x) end)", "t(fun() -> unalias(x) end)", "unalias(make_ref())",
         "A = alias(), S = self(), spawn(fun() -> A ! {from, child}, S ! done end), lists:sort(got())"] ++
        ["P = spawn(fun() -> loop() end), R = monitor(process, P, [{alias, " ++ M ++ "}]), R ! 1, R ! 2, First = got(), P ! stop, Second = got(), R ! 3, {First, [W || {'DOWN', _, _, _, W} <- Second], got()}"
         || M <- ["explicit_unalias", "demonitor", "reply_demonitor"]] ++
        ["P = spawn(fun() -> loop() end), R = monitor(process, P, [{alias, " ++ M ++ "}]), demonitor(R), R ! 1, {got(), unalias(R)}" || M <- ["explicit_unalias", "demonitor", "reply_demonitor"]] ++
        ["P = spawn(fun() -> loop() end), R = monitor(process, P, [{alias, " ++ M ++ "}]), unalias(R), R ! 1, P ! stop, [W || {'DOWN', _, _, _, W} <- got()]" || M <- ["explicit_unalias", "demonitor", "reply_demonitor"]]).

names() ->
    own(["register(a_name1, self()), X = is(whereis(a_name1), self()), a_name1 ! x, unregister(a_name1), {X, whereis(a_name1), got()}",
         "register(a_name2, self()), t(fun() -> register(a_name2, self()) end)", "register(a_name3, self()), t(fun() -> register(b_name3, self()) end)",
         "t(fun() -> register(undefined, self()) end)", "t(fun() -> register(1, self()) end)", "t(fun() -> register(c_name, dead()) end)", "t(fun() -> unregister(nobody) end)", "t(fun() -> whereis(1) end)",
         "P = spawn(fun() -> loop() end), register(d_name, P), R = monitor(process, P), P ! stop, receive {'DOWN', R, _, _, _} -> whereis(d_name) end",
         "register(e_name, self()), lists:member(e_name, registered())", "register(f_name, self()), {f_name, node()} ! x, got()", "register(g_name, self()), process_info(self(), registered_name)", "process_info(self(), registered_name)"]).

timers() ->
    own(["erlang:send_after(10, self(), x), got()", "R = erlang:start_timer(10, self(), x), receive {timeout, R, X} -> X end", "erlang:send_after(10, nobody, x), got()", "register(timed, self()), erlang:send_after(10, timed, x), got()",
         "R = erlang:send_after(100000, self(), x), N = erlang:cancel_timer(R), {N > 90000, erlang:cancel_timer(R), erlang:read_timer(R)}",
         "R = erlang:send_after(100000, self(), x), erlang:read_timer(R) > 90000", "R = erlang:send_after(5, self(), x), receive x -> {erlang:cancel_timer(R), erlang:read_timer(R)} end",
         "R = erlang:send_after(100000, self(), x), {erlang:cancel_timer(R, [{info, false}]), got()}", "R = make_ref(), {erlang:cancel_timer(R, [{async, true}]), [is(R, Q) || {cancel_timer, Q, false} <- got()]}",
         "erlang:send_after(30, self(), c), erlang:send_after(10, self(), a), erlang:send_after(20, self(), b), [receive X -> X end || _ <- [1, 2, 3]]",
         "erlang:send_after(erlang:monotonic_time(millisecond) + 10, self(), x, [{abs, true}]), got()",
         "t(fun() -> erlang:send_after(-1, self(), x) end)", "t(fun() -> erlang:send_after(x, self(), x) end)", "t(fun() -> erlang:send_after(1, 1, x) end)", "t(fun() -> erlang:cancel_timer(x) end)", "t(fun() -> erlang:send_after(1, self(), x, [y]) end)",
         "t(fun() -> erlang:cancel_timer(make_ref(), [y]) end)", "t(fun() -> erlang:read_timer(make_ref(), x) end)", "timer:sleep(5)", "{N, ok} = timer:tc(timer, sleep, [20]), N >= 20000"]).

facts() ->
    own(["P = spawn(fun() -> loop() end), receive after 200 -> ok end, process_info(P, " ++ Item ++ ")"
         || Item <- ["status", "message_queue_len", "messages", "links", "monitors", "monitored_by", "trap_exit", "registered_name", "[status, message_queue_len]", "dictionary", "priority"]]) ++
    own(["P = spawn(fun() -> loop() end), P ! a, P ! b, receive after 200 -> ok end, process_info(P, messages)", "process_info(dead(), status)", "process_info(dead())", "t(fun() -> process_info(self(), x) end)", "t(fun() -> process_info(x, status) end)",
         "P = spawn(fun() -> loop() end), {current_function, {_, F, A}} = process_info(P, current_function), is_atom(F) andalso is_integer(A)",
         "is_process_alive(self())", "is_process_alive(dead())", "t(fun() -> is_process_alive(x) end)", "lists:member(self(), processes())",
         "P = spawn(fun() -> loop() end), is(group_leader(), begin {group_leader, G} = process_info(P, group_leader), G end)",
         "P = spawn(fun() -> loop() end), group_leader(self(), P), {group_leader, G} = process_info(P, group_leader), is(G, self())"]).

behaviours() ->
    own(["{ok, P} = gen_event:start_link(), {gen_event:which_handlers(P), gen_event:notify(P, x), gen_event:sync_notify(P, y), gen_event:stop(P)}",
         "P = proc_lib:spawn_link(fun() -> loop() end), {is_pid(P), begin unlink(P), P ! stop, ok end}",
         "t(fun() -> gen_server:call(nobody, x) end)", "{E, {Why, {gen_server, call, [S, x]}}} = t(fun() -> gen_server:call(self(), x) end), {E, Why, is(S, self())}", "gen_server:cast(nobody, x)",
         "{E, {noproc, {gen_server, call, [P, x]}}} = t(fun() -> gen_server:call(dead(), x) end), {E, is_pid(P)}"]).

%% Ends that meet other ends.
exits() ->
    Reasons = ["normal", "kill", "killed", "shutdown", "x"],
    own(["trap(), P = spawn_link(fun() -> exit(" ++ W ++ ") end), M = monitor(process, P), lists:sort([case X of {'EXIT', _, V} -> {exit, V}; {'DOWN', M, _, _, V} when V =/= noproc -> down; {'DOWN', M, _, _, noproc} -> down end || X <- got()])" || W <- Reasons]) ++
    own(["trap(), S = self(), P = spawn_link(fun() -> trap(), S ! up, receive {'EXIT', S, V} -> exit({seen, V}) end end), receive up -> ok end, exit(P, " ++ W ++ "), [V || {'EXIT', _, V} <- got()]" || W <- Reasons]) ++
    own(["A = spawn(fun() -> process_flag(trap_exit, " ++ T ++ "), receive {'EXIT', _, V} -> exit({seen, V}) end end), B = spawn(fun() -> link(A), loop() end), wait(50), M = monitor(process, A), B ! {exit, " ++ W ++ "}, receive {'DOWN', M, _, _, V} -> V after 100 -> {alive, is_process_alive(A), is_process_alive(B)} end" || W <- Reasons, T <- ["true", "false"]]) ++
    own(["P = spawn(fun() -> process_flag(trap_exit, " ++ T ++ "), exit(self(), " ++ W ++ "), receive {'EXIT', _, V} -> exit({seen, V}) after 50 -> exit(survived) end end), ends(P)" || W <- Reasons, T <- ["true", "false"]]) ++
    own(["S = self(), P = spawn(fun() -> try loop() after S ! cleaned end end), wait(50), exit(P, " ++ W ++ "), wait(50), P ! stop, got()" || W <- ["x", "kill", "normal"]]) ++
    own(["S = self(), P = spawn(fun() -> try receive {go, V} -> exit(V) end catch exit:V2 -> S ! {caught, V2}, exit(again) after S ! cleaned end end), P ! {go, x}, {ends(P), lists:sort(got())}",
         "trap(), P = spawn_link(fun() -> exit(first) end), receive {'EXIT', P, first} -> ok end, exit(P, second), got()",
         "trap(), P = spawn_link(fun() -> loop() end), exit(P, first), exit(P, second), exit(P, kill), [W || {'EXIT', _, W} <- got()]",
         "trap(), P = spawn_link(fun() -> trap(), loop() end), wait(50), exit(P, first), exit(P, kill), [W || {'EXIT', _, W} <- got()]",
         "A = spawn(fun() -> trap(), receive {'EXIT', _, W} -> exit(W) end end), B = spawn(fun() -> link(A), loop() end), wait(50), MB = monitor(process, B), exit(A, x), receive {'DOWN', MB, _, _, W} -> W end",
         "A = spawn(fun loop/0), B = spawn(fun() -> link(A), loop() end), C = spawn(fun() -> link(B), loop() end), wait(50), R = monitor(process, C), A ! {exit, domino}, {receive {'DOWN', R, _, _, W} -> W end, [is_process_alive(X) || X <- [A, B, C]]}",
         "A = spawn(fun loop/0), B = spawn(fun() -> link(A), loop() end), C = spawn(fun() -> link(A), link(B), loop() end), wait(50), Rs = [monitor(process, X) || X <- [A, B, C]], B ! {exit, ring}, [receive {'DOWN', R, _, _, W} -> W end || R <- Rs]",
         "A = spawn(fun loop/0), B = spawn(fun() -> trap(), link(A), (fun L() -> receive {'EXIT', _, W} -> put(seen, W), L(); {ask, P} -> P ! get(seen), L() end end)() end), wait(50), A ! stop, wait(50), B ! {ask, self()}, receive X -> X end",
         "P = spawn(fun() -> trap(), receive {'EXIT', _, W} -> exit({converted, W}) end end), wait(50), link(P), R = t(fun() -> exit(P, bang), wait(200) end), R",
         "P = spawn(fun() -> receive go -> exit(a) end end), [begin R = monitor(process, P), R end || _ <- [1, 2, 3]], P ! go, lists:usort([W || {'DOWN', _, _, _, W} <- got()])",
         "S = self(), P = spawn(fun() -> Q = spawn_link(fun() -> trap(), receive {'EXIT', _, W} -> S ! {child_saw, W} end end), wait(50), exit(parent_ends) end), {ends(P), got()}",
         "S = self(), P = spawn(fun() -> spawn_link(fun() -> trap(), receive {'EXIT', _, W} -> S ! {child_saw, W} end end), wait(50), ok end), {ends(P), got()}",
         "trap(), link(spawn(fun() -> ok end)), wait(50), length([1 || {'EXIT', _, W} <- got(), W =:= normal orelse W =:= noproc])", "P = dead(), t(fun() -> link(P), wait(50), survived end)", "trap(), P = dead(), [link(P) || _ <- [1, 2, 3]], [W || {'EXIT', _, W} <- got()]",
         "P = dead(), [monitor(process, P) || _ <- [1, 2, 3]], [W || {'DOWN', _, _, _, W} <- got()]", "P = dead(), {exit(P, kill), P ! x, unlink(P), is_process_alive(P), process_info(P)}",
         "P = spawn(fun() -> receive after infinity -> ok end end), unlink(P), ends(P, kill) =:= noproc orelse killed", "exit(self(), kill), wait(1000)", "trap(), exit(self(), kill), wait(1000)", "trap(), exit(self(), normal), got() =:= [{'EXIT', self(), normal}]", "exit(self(), normal), wait(1000)",
         "P = spawn(fun() -> trap(), exit(self(), x), exit(self(), y), exit([W || {'EXIT', _, W} <- [receive M -> M end, receive N -> N end]]) end), ends(P)"]).

flags() ->
    own(["process_flag(trap_exit, true)", "process_flag(trap_exit, true), process_flag(trap_exit, false)", "t(fun() -> process_flag(trap_exit, x) end)", "t(fun() -> process_flag(x, true) end)", "process_flag(priority, high)", "process_flag(priority, low), process_flag(priority, max)", "t(fun() -> process_flag(priority, x) end)",
         "process_flag(min_heap_size, 1000) > 0", "process_flag(save_calls, 10)", "process_flag(sensitive, true)", "process_flag(message_queue_data, off_heap)", "t(fun() -> process_flag(message_queue_data, x) end)", "process_flag(error_handler, error_handler)",
         "#{kill := K, size := 0} = process_flag(max_heap_size, #{size => 100000, kill => false, error_logger => false}), K", "P = spawn(fun loop/0), t(fun() -> process_flag(P, trap_exit, true) end)",
         "process_flag(trap_exit, true), process_info(self(), trap_exit)", "process_info(self(), priority)", "S = self(), process_flag(priority, high), spawn(fun() -> S ! process_info(self(), priority) end), receive X -> X end",
         "S = self(), trap(), spawn(fun() -> S ! process_info(self(), trap_exit) end), receive X -> X end", "S = self(), P = spawn(fun() -> group_leader(S, self()), spawn(fun() -> S ! {leader, group_leader()} end) end), receive {leader, L} -> {is(L, self()), is_pid(P)} end",
         "P = spawn(fun loop/0), [P ! I || I <- lists:seq(1, 50)], wait(50), process_info(P, message_queue_len)", "P = spawn(fun loop/0), link(P), monitor(process, P), {links, L} = process_info(P, links), {monitored_by, M} = process_info(P, monitored_by), {L =:= [self()], M =:= [self()]}"]).

%% Tables and the processes that own, inherit and share them.
tables() ->
    Types = ["set", "bag", "duplicate_bag", "ordered_set"],
    own(["S = self(), P = spawn(fun() -> T = ets:new(x, [public]), S ! T, loop() end), T = receive X -> X end, ets:insert(T, {a, 1}), R = ets:lookup(T, a), P ! stop, wait(50), {R, t(fun() -> ets:lookup(T, a) end), ets:info(T)}",
         "S = self(), spawn(fun() -> T = ets:new(tab_n1, [named_table]), ets:insert(T, {a, 1}), S ! ready, loop() end), receive ready -> ok end, {ets:lookup(tab_n1, a), t(fun() -> ets:insert(tab_n1, {b, 2}) end)}",
         "S = self(), spawn(fun() -> ets:new(tab_n2, [named_table, private]), S ! ready, loop() end), receive ready -> ok end, {t(fun() -> ets:lookup(tab_n2, a) end), ets:info(tab_n2, protection)}",
         "T = ets:new(x, [public]), [spawn(fun() -> ets:insert(T, {I, I * I}) end) || I <- lists:seq(1, 100)], wait(100), {ets:info(T, size), lists:sum([V || {_, V} <- ets:tab2list(T)])}",
         "T = ets:new(x, [public]), ets:insert(T, {n, 0}), [spawn(fun() -> [ets:update_counter(T, n, 1) || _ <- lists:seq(1, 100)] end) || _ <- lists:seq(1, 50)], wait(200), ets:lookup(T, n)",
         "S = self(), P = spawn(fun() -> ets:new(tab_n3, [named_table, {heir, S, data}]), ets:insert(tab_n3, {a, 1}) end), receive {'ETS-TRANSFER', T, Q, D} -> {is(P, Q), T, D, ets:info(T, owner) =:= self(), ets:lookup(T, a)} end",
         "S = self(), P = spawn(fun() -> T = ets:new(x, [{heir, none}]), S ! T, loop() end), T = receive X -> X end, P ! stop, wait(50), {ets:info(T), got()}",
         "S = self(), P = spawn(fun() -> T = ets:new(x, []), ets:setopts(T, {heir, S, later}), S ! T, loop() end), T = receive X -> X end, P ! stop, receive {'ETS-TRANSFER', T, P, D} -> {D, ets:info(T, heir) =:= self()} end",
         "D = dead(), S = self(), P = spawn(fun() -> T = ets:new(x, [{heir, D, data}]), S ! T, loop() end), T = receive X -> X end, P ! stop, wait(50), ets:info(T)",
         "T = ets:new(x, []), P = spawn(fun() -> receive {'ETS-TRANSFER', T, From, D} -> exit({D, ets:info(T, owner) =:= self(), is_pid(From)}) end end), M = monitor(process, P), ets:give_away(T, P, gift), receive {'DOWN', M, _, _, W} -> {W, ets:info(T)} end",
         "T = ets:new(x, []), t(fun() -> ets:give_away(T, self(), x) end)", "T = ets:new(x, []), t(fun() -> ets:give_away(T, dead(), x) end)", "S = self(), T = ets:new(x, [public]), spawn(fun() -> S ! t(fun() -> ets:give_away(T, self(), x) end) end), receive X -> X end",
         "T = ets:new(x, []), P = spawn(fun() -> loop() end), ets:give_away(T, P, x), {t(fun() -> ets:insert(T, {a}) end), t(fun() -> ets:delete(T) end), is(ets:info(T, owner), P)}",
         "S = self(), T = ets:new(x, [public]), spawn(fun() -> S ! ets:delete(T) end), receive X -> {X, ets:info(T)} end", "S = self(), T = ets:new(x, [protected]), spawn(fun() -> S ! t(fun() -> ets:delete(T) end) end), receive X -> {X, is_list(ets:info(T))} end",
         "S = self(), P = spawn(fun() -> [ets:new(x, [{heir, S, I}]) || I <- lists:seq(1, 20)] end), ends(P), lists:sort([D || {'ETS-TRANSFER', _, _, D} <- got()]) =:= lists:seq(1, 20)",
         "S = self(), T = ets:new(x, [public, ordered_set]), ets:insert(T, [{I} || I <- lists:seq(1, 10)]), P = spawn(fun() -> ets:safe_fixtable(T, true), S ! ets:first(T), loop() end), receive 1 -> ok end, X = is_list(ets:info(T, safe_fixed_monotonic_time)) orelse element(1, ets:info(T, safe_fixed_monotonic_time)) =/= x, P ! stop, wait(50), {X, ets:info(T, safe_fixed_monotonic_time), ets:info(T, fixed)}",
         "S = self(), P = spawn(fun() -> ets:new(tab_n4, [named_table, public]), S ! up, loop() end), receive up -> ok end, t(fun() -> ets:new(tab_n4, [named_table]) end) =/= ok andalso begin P ! stop, wait(50), ets:new(tab_n4, [named_table]) end",
         "T = ets:new(tab_n5, [named_table]), ets:rename(T, tab_n6), {ets:whereis(tab_n5), ets:info(tab_n6, name)}",
         "S = self(), T = ets:new(x, [public]), spawn(fun() -> ets:insert(T, {k, fun() -> 42 end}), S ! ok end), receive ok -> ok end, [{k, F}] = ets:lookup(T, k), F()",
         "S = self(), T = ets:new(x, [public]), P = spawn(fun() -> ets:insert(T, {k, lists:seq(1, 1000)}), S ! ok, loop() end), receive ok -> ok end, exit(P, kill), wait(50), [{k, L}] = ets:lookup(T, k), lists:sum(L)",
         "T = ets:new(x, [public]), L = [spawn_monitor(fun() -> exit(ets:insert_new(T, {lock, I})) end) || I <- lists:seq(1, 20)], length([1 || {_, R} <- L, receive {'DOWN', R, _, _, W} -> W end])",
         "T = ets:new(x, [public]), ets:insert(T, {job, 1}), L = [spawn_monitor(fun() -> exit(ets:take(T, job)) end) || _ <- lists:seq(1, 20)], [W || {_, R} <- L, W <- [receive {'DOWN', R, _, _, V} -> V end], W =/= []]",
         "T = ets:new(x, [public]), ets:insert(T, {n, 0}), L = [spawn_monitor(fun() -> exit(ets:select_replace(T, [{{n, I}, [], [{{n, I + 1}}]}])) end) || I <- lists:seq(0, 0)], [receive {'DOWN', R, _, _, V} -> V end || {_, R} <- L] ++ ets:lookup(T, n)"]) ++
    own(["T = ets:new(x, [public, " ++ Type ++ "]), S = self(), spawn(fun() -> ets:insert(T, [{1, a}, {2, b}, {1, c}, {1, a}]), S ! done end), receive done -> ok end, {lists:sort(ets:tab2list(T)), lists:sort(ets:select(T, [{{1, '$1'}, [], ['$1']}])), ets:info(T, size), lists:sort(ets:match(T, {'$1', b}))}" || Type <- Types]) ++
    own(["T = ets:new(x, [public, " ++ Type ++ "]), ets:insert(T, [{I, I rem 3} || I <- lists:seq(1, 30)]), L = [spawn_monitor(fun() -> exit(ets:select_delete(T, [{{'_', M}, [], [true]}])) end) || M <- [0, 1]], {[receive {'DOWN', R, _, _, V} -> V end || {_, R} <- L], ets:info(T, size), lists:sort(ets:tab2list(T)) =:= [{I, 2} || I <- lists:seq(2, 30, 3)]}" || Type <- Types]) ++
    own(["T = ets:new(x, [public, " ++ Type ++ "]), ets:insert(T, [{I} || I <- lists:seq(1, 100)]), S = self(), P = spawn(fun() -> S ! ets:select(T, [{{'$1'}, [], ['$1']}], 10), loop() end), {L, C} = receive X -> X end, F = fun G('$end_of_table', A) -> A; G({M, D}, A) -> G(ets:select(D), M ++ A) end, P ! stop, lists:sort(F(ets:select(C), L)) =:= lists:seq(1, 100)" || Type <- Types]) ++
    own(["S = self(), T = ets:new(x, [public, " ++ Type ++ "]), ets:insert(T, [{I, x} || I <- lists:seq(1, 50)]), P = spawn(fun() -> ets:delete_all_objects(T), S ! done end), receive done -> ok end, {is_pid(P), ets:info(T, size), ets:first(T), ets:next(T, 1) =:= x}" || Type <- ["ordered_set"]]).

%% Dictionaries, arrays and numbers that all processes see.
shared() ->
    own(["K = {shared, a}, persistent_term:put(K, 1), S = self(), spawn(fun() -> S ! persistent_term:get(K) end), receive X -> X end", "K = {shared, b}, S = self(), P = spawn(fun() -> persistent_term:put(K, [self()]), S ! ok end), receive ok -> ok end, ends(P), persistent_term:get(K) =:= [P]",
         "K = {shared, c}, persistent_term:put(K, 1), S = self(), spawn(fun() -> S ! {persistent_term:erase(K), persistent_term:erase(K)} end), {receive X -> X end, t(fun() -> persistent_term:get(K) end), persistent_term:get(K, none)}",
         "A = atomics:new(2, []), L = [spawn_monitor(fun() -> [atomics:add(A, 1, 1) || _ <- lists:seq(1, 100)] end) || _ <- lists:seq(1, 50)], [receive {'DOWN', R, _, _, _} -> ok end || {_, R} <- L], {atomics:get(A, 1), atomics:get(A, 2)}",
         "C = counters:new(3, [write_concurrency]), L = [spawn_monitor(fun() -> counters:add(C, 1 + I rem 3, I) end) || I <- lists:seq(1, 60)], [receive {'DOWN', R, _, _, _} -> ok end || {_, R} <- L], [counters:get(C, I) || I <- [1, 2, 3]]",
         "A = atomics:new(1, []), L = [spawn_monitor(fun() -> exit(atomics:compare_exchange(A, 1, 0, I)) end) || I <- lists:seq(1, 20)], length([1 || {_, R} <- L, receive {'DOWN', R, _, _, W} -> W =:= ok end])",
         "A = atomics:new(1, []), L = [spawn_monitor(fun() -> exit(atomics:exchange(A, 1, I)) end) || I <- lists:seq(1, 20)], lists:sum([receive {'DOWN', R, _, _, W} -> W end || {_, R} <- L]) + atomics:get(A, 1)",
         "P = spawn(fun() -> A = atomics:new(1, []), atomics:put(A, 1, 7), exit({ref, A}) end), {ref, A} = ends(P), atomics:get(A, 1)", "L = [spawn_monitor(fun() -> exit(erlang:unique_integer()) end) || _ <- lists:seq(1, 100)], length(lists:usort([receive {'DOWN', R, _, _, W} -> W end || {_, R} <- L]))",
         "L = [spawn_monitor(fun() -> exit(make_ref()) end) || _ <- lists:seq(1, 100)], length(lists:usort([receive {'DOWN', R, _, _, W} -> W end || {_, R} <- L]))",
         "put(a, 1), S = self(), P = spawn(fun() -> put(a, 2), S ! ok, loop() end), receive ok -> ok end, {get(a), process_info(P, dictionary)}", "L = [spawn_monitor(fun() -> exit(list_to_atom(\"shared_\" ++ integer_to_list(I rem 5))) end) || I <- lists:seq(1, 50)], length(lists:usort([receive {'DOWN', R, _, _, W} -> W end || {_, R} <- L]))"]).

%% Many messages, many processes.
crowds() ->
    own(["[self() ! {n, I} || I <- lists:seq(1, 100000)], self() ! last, receive last -> ok end, F = fun G(N) -> receive {n, I} -> G(N + I) after 0 -> N end end, F(0)",
         "S = self(), P = spawn(fun() -> [S ! {n, I} || I <- lists:seq(1, 100000)], S ! last end), receive last -> {process_info(self(), message_queue_len), is_pid(P)} end",
         "[self() ! {I rem 10, I} || I <- lists:seq(1, 20000)], F = fun G(K, N) -> receive {K, _} -> G(K, N + 1) after 0 -> N end end, [F(K, 0) || K <- lists:seq(9, 0, -1)]",
         "[self() ! I || I <- lists:seq(1, 1000)], [receive I -> I end || I <- lists:seq(1000, 1, -1)] =:= lists:seq(1000, 1, -1)",
         "First = spawn(fun loop/0), Last = lists:foldl(fun(_, P) -> spawn(fun() -> link(P), loop() end) end, First, lists:seq(1, 10000)), wait(300), R = monitor(process, Last), First ! {exit, chain}, receive {'DOWN', R, _, _, W} -> W after 10000 -> late end",
         "S = self(), F = fun G(0) -> S ! bottom, loop(); G(N) -> spawn_link(fun() -> G(N - 1) end), loop() end, P = spawn(fun() -> F(5000) end), receive bottom -> ok end, {ends(P, chain) =/= x, got()}",
         "Ps = [spawn(fun loop/0) || _ <- lists:seq(1, 10000)], Rs = [monitor(process, P) || P <- Ps], [P ! stop || P <- Ps], length([receive {'DOWN', R, _, _, normal} -> ok end || R <- Rs])",
         "trap(), Ps = [spawn_link(fun loop/0) || _ <- lists:seq(1, 5000)], [P ! {exit, I} || {P, I} <- lists:zip(Ps, lists:seq(1, 5000))], lists:sum([receive {'EXIT', P, I} -> I end || P <- Ps])",
         "P = spawn(fun loop/0), Rs = [monitor(process, P) || _ <- lists:seq(1, 5000)], [demonitor(R) || R <- Rs], {monitored_by, L} = process_info(P, monitored_by), {length(L), element(2, process_info(self(), monitors))}",
         "P = spawn(fun loop/0), [begin link(P), unlink(P) end || _ <- lists:seq(1, 5000)], {process_info(self(), links), exit(P, x), wait(20)}",
         "S = self(), N = 500, L = lists:foldl(fun(_, P) -> spawn(fun F() -> receive X -> P ! X, F() end end) end, S, lists:seq(1, N)), [L ! I || I <- lists:seq(1, 20)], [receive X -> X end || _ <- lists:seq(1, 20)]",
         "S = self(), [spawn(fun() -> [S ! {I, J} || J <- lists:seq(1, 50)] end) || I <- lists:seq(1, 100)], L = [receive X -> X end || _ <- lists:seq(1, 5000)], lists:all(fun(I) -> [J || {K, J} <- L, K =:= I] =:= lists:seq(1, 50) end, lists:seq(1, 100))",
         "F = fun G(0) -> 1; G(N) -> S = self(), [spawn(fun() -> S ! G(N - 1) end) || _ <- [1, 2]], receive A -> receive B -> A + B end end end, F(10)",
         "Rs = [erlang:send_after(I rem 50, self(), I) || I <- lists:seq(1, 2000)], {length(Rs), lists:sum([receive I -> I end || _ <- Rs])}", "Rs = [erlang:start_timer(100000, self(), x) || _ <- lists:seq(1, 5000)], {length([1 || R <- Rs, is_integer(erlang:cancel_timer(R))]), got()}",
         "A = [alias() || _ <- lists:seq(1, 2000)], [X ! hi || X <- A], N = length(got()), [unalias(X) || X <- A], [X ! no || X <- A], {N, got()}",
         "[begin N = list_to_atom(\"crowd_\" ++ integer_to_list(I)), P = spawn(fun loop/0), register(N, P), N ! stop end || I <- lists:seq(1, 300)], wait(200), [N || N <- registered(), lists:prefix(\"crowd_\", atom_to_list(N))]",
         "S = self(), P = spawn(fun() -> (fun G(0) -> S ! done; G(N) -> receive {add, X} -> put(sum, X + case get(sum) of undefined -> 0; Y -> Y end), G(N - 1) end end)(20000), S ! get(sum) end), [P ! {add, I} || I <- lists:seq(1, 20000)], receive done -> ok end, receive X -> X end"]).
