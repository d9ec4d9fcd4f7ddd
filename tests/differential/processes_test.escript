#!/usr/bin/env escript
%%! +S 2
%% Concurrent programs with one possible outcome, on Fathom's machine and in OTP: links,
%% monitors, aliases, exit signals, names, timers, time-outs, hibernation, OTP's behaviours.
%%
%%   processes_test.escript [FAMILY...]
-mode(compile).
-include("fathom_port.hrl").
-include("batches.hrl").

main(Wanted) ->
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_processes." ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    %% What processes of the programs die of is no news.
    logger:set_primary_config(level, none),
    Families = [F || {Name, _} = F <- families(),
                     Wanted =:= [] orelse lists:member(atom_to_list(Name), Wanted)],
    Counts = [check_texts(Dir, Name, Texts()) || {Name, Texts} <- Families],
    _ = [file:delete(F) || F <- filelib:wildcard(filename:join(Dir, "*"))],
    file:del_dir(Dir),
    {Passed, Failed} = lists:unzip(Counts),
    summary(lists:sum(Passed), lists:sum(Failed)).

families() ->
    [{spawning, fun spawning/0},
     {messages, fun messages/0},
     {links, fun links/0},
     {monitors, fun monitors/0},
     {aliases, fun aliases/0},
     {names, fun names/0},
     {timers, fun timers/0},
     {facts, fun facts/0},
     {behaviours, fun behaviours/0}].

%% Each program runs in a process of its own, so that none leaves anything to the next.
%% own(Fun): what it returns, or how it ended. got(): all messages, in order, once no more
%% come. why(Reason): a reason without its stack trace.
helpers() ->
    "own(F) -> own(F, []).\n"
    "own(F, O) -> {P, R} = spawn_opt(fun() -> exit({returned, F()}) end, [monitor | O]),\n"
    "    receive {'DOWN', R, process, P, Why} -> case Why of {returned, V} -> V; _ -> {ended, why(Why)} end\n"
    "    after 20000 -> hangs end.\n"
    "got() -> receive M -> [M | got()] after 300 -> [] end.\n"
    "why({Why, [{_, _, _, _} | _]}) -> Why;\nwhy(Why) -> Why.\n"
    "loop() -> receive stop -> ok; {exit, Why} -> exit(Why); {error, Why} -> error(Why); {do, F} -> F(), loop() end.\n"
    "dead() -> {P, R} = spawn_monitor(fun() -> ok end), receive {'DOWN', R, _, _, _} -> P end.\n"
    "trap() -> process_flag(trap_exit, true).\n"
    "is(P, Q) when P =:= Q -> same;\nis(_, _) -> other.\n"
    "t(F) -> try F() catch C:R -> {C, why(R)} end.\n".

own(Texts) -> ["own(fun() -> " ++ T ++ " end)" || T <- Texts].

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
    own(["register(a_name, self()), X = is(whereis(a_name), self()), a_name ! x, unregister(a_name), {X, whereis(a_name), got()}",
         "register(a_name, self()), t(fun() -> register(a_name, self()) end)", "register(a_name, self()), t(fun() -> register(b_name, self()) end)",
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
