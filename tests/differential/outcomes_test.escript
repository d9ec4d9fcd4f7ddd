#!/usr/bin/env escript
%%! +S 2
%% Small programs with several outcomes. Of each, programs/0 says which ones are permitted
%% and why. What OTP gives, in many rounds with random pauses, must be among them; what the
%% machine gives under many seeds too, and there all of them must occur.
%%
%% The machine delivers a message at once, or with --delivery any when it likes, within OTP's
%% rules; exit signals that end a process always take time. What they permit only because a signal may be late is listed as {delayed, Outcome}:
%% it must occur then. What they permit because one process may be much later than others is
%% listed as {late, Outcome}. It need not occur.
%%
%%   outcomes_test.escript [NAME...]     ROUNDS=200 in OTP, SEEDS=200 on the machine
-mode(compile).
-include("fathom_port.hrl").
-include("process_helpers.hrl").

-define(TOGETHER, 10).  % rounds in OTP

main(Wanted) ->
    Programs = [P || {Name, _, _, _} = P <- programs(), Wanted =:= [] orelse lists:member(atom_to_list(Name), Wanted)],
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_outcomes." ++ os:getpid()),
    File = filename:join(Dir, "outcomes.erl"),
    ok = filelib:ensure_dir(File),
    ok = file:write_file(File, module_text(Programs)),
    Otp = otp_outcomes(File, number("ROUNDS", "200")),
    Seeds = lists:seq(1, number("SEEDS", "320")),
    Instant = [machine_outcomes(File, Seed, "instant") || Seed <- Seeds],
    Any = [machine_outcomes(File, Seed, "any") || Seed <- Seeds],
    file:delete(File),
    file:del_dir(Dir),
    Results = [check(P, column(I, Otp), column(I, Instant), column(I, Any)) || {I, P} <- lists:zip(lists:seq(1, length(Programs)), Programs)],
    summary(length([ok || ok <- Results]), length([failed || failed <- Results])).

number(Variable, Default) -> list_to_integer(os:getenv(Variable, Default)).

column(I, Rows) -> lists:usort([lists:nth(I, Row) || Row <- Rows]).

check({Name, Why, _, Permitted}, Otp, Instant, Any) ->
    Delayed = [O || {delayed, O} <- Permitted],
    Usual = [O || O <- Permitted, not is_tagged(O)],
    All = Usual ++ Delayed ++ [O || {late, O} <- Permitted],
    Problems = [{"OTP gives what is not permitted", O} || O <- Otp -- All]
        ++ [{"the machine gives what is not permitted", O} || O <- Instant -- (All -- Delayed)]
        ++ [{"the machine gives what is not permitted where signals wait", O} || O <- Any -- All]
        ++ [{"does not occur on the machine", O} || O <- Usual -- Instant]
        ++ [{"does not occur where signals wait", O} || O <- Delayed -- Any],
    [io:format("~s (~ts): ~s: ~0tp~n", [Name, Why, What, O]) || {What, O} <- Problems],
    case Problems of [] -> ok; _ -> failed end.

is_tagged({Tag, _}) -> Tag =:= late orelse Tag =:= delayed;
is_tagged(_) -> false.

otp_outcomes(File, Rounds) ->
    {ok, Module, Beam} = compile:file(File, [binary]),
    {module, Module} = code:load_binary(Module, File, Beam),
    persistent_term:put(outcomes_pause, true),
    lists:append([several_rounds(Module, min(?TOGETHER, Rounds)) || _ <- lists:seq(1, Rounds, ?TOGETHER)]).

several_rounds(Module, Count) ->
    Rounds = [spawn_monitor(fun() -> exit({all, Module:all()}) end) || _ <- lists:seq(1, Count)],
    [receive {'DOWN', Ref, process, Pid, {all, Outcomes}} -> Outcomes end || {Pid, Ref} <- Rounds].

machine_outcomes(File, Seed, Delivery) ->
    {ok, Outcomes} = fathom_value([File, "--seed", integer_to_list(Seed), "--delivery", Delivery, "-e", "outcomes:all()"]),
    Outcomes.

module_text(Programs) ->
    Numbered = lists:zip(lists:seq(1, length(Programs)), Programs),
    ["-module(outcomes).\n-compile([export_all, nowarn_export_all, nowarn_unused_vars]).\n", process_helpers(), helpers(),
     "all() -> logger:set_primary_config(level, none), [", lists:join(",\n", [io_lib:format("own(fun r~w/0)", [N]) || {N, _} <- Numbered]), "].\n",
     [["r", integer_to_list(N), "() -> ", Text, ".\n"] || {N, {_, _, Text, _}} <- Numbered]].

%% y(): OTP pauses here, or not. par(Funs): what processes that run at the same time return,
%% or die of. child(Fun): a process that begins with a pause. done(Pids): they have ended.
%% name(): an atom that nobody has used.
helpers() ->
    "y() -> persistent_term:get(outcomes_pause, false) andalso case rand:uniform(4) of 1 -> erlang:yield(); 2 -> wait(1); 3 -> wait(0); 4 -> ok end.\n"
    "child(F) -> spawn(fun() -> y(), F() end).\n"
    "par(Fs) -> Ps = [spawn_monitor(fun() -> y(), exit({value, F()}) end) || F <- Fs],\n"
    "    [receive {'DOWN', R, _, P, W} -> case W of {value, V} -> V; _ -> {ended, why(W)} end end || {P, R} <- Ps].\n"
    "done(Ps) -> [ends(P) || P <- Ps], ok.\n"
    "name() -> list_to_atom(\"outcomes_\" ++ integer_to_list(erlang:unique_integer([positive]))).\n"
    "some(N) -> [receive M -> M end || _ <- lists:seq(1, N)].\n"
    "soon() -> receive M -> [M | soon()] after 30 -> [] end.\n"
    "init(F) -> F().\nhandle_call(F, From, S) -> F(From, S).\nhandle_cast(F, S) -> F(S).\nhandle_info(_, S) -> {noreply, S}.\n"
    "server(S) -> {ok, P} = gen_server:start(?MODULE, fun() -> {ok, S} end, []), P.\n".

programs() -> messages() ++ ends() ++ names() ++ tables() ++ arrays() ++ clocks() ++ servers().

messages() ->
    [{two_senders, "messages of two processes come in any order",
      "S = self(), child(fun() -> S ! a end), child(fun() -> S ! b end), some(2)", [[a, b], [b, a]]},
     {three_senders, "those of three too",
      "S = self(), [child(fun() -> S ! X end) || X <- [a, b, c]], some(3)", [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]]},
     {order_of_one_sender, "messages of one process keep their order",
      "S = self(), child(fun() -> S ! 1, y(), S ! 2 end), child(fun() -> S ! x end), some(3)", [[1, 2, x], [1, x, 2], [x, 1, 2]]},
     {two_rows, "two rows are merged in any way",
      "S = self(), child(fun() -> S ! 1, y(), S ! 2 end), child(fun() -> S ! x, y(), S ! y end), some(4)",
      [[1, 2, x, y], [1, x, 2, y], [1, x, y, 2], [x, 1, 2, y], [x, 1, y, 2], [x, y, 1, 2]]},
     {selective, "which clause is first does not matter, which message is does",
      "S = self(), done([child(fun() -> S ! a end), child(fun() -> S ! b end)]), receive b -> b; a -> a end", [a, b]},
     {not_there_yet, "after 0 does not wait",
      "S = self(), P = child(fun() -> S ! x end), y(), R = receive x -> got after 0 -> none end, done([P]), R", [got, none]},
     {passed_on, "order is kept between each pair only: what comes by way of another may be earlier",
      "S = self(), B = spawn(fun() -> receive go -> S ! y end end), child(fun() -> S ! x, B ! go end), some(2)", [[x, y], {delayed, [y, x]}]},
     {queue_length, "how many have come so far",
      "P = spawn(fun() -> receive stop -> ok end end), C = child(fun() -> P ! 1, y(), P ! 2 end), y(), {_, N} = process_info(P, message_queue_len), done([C]), P ! stop, N", [0, 1, 2]},
     {token, "one token, so one at a time",
      "S = self(), T = spawn(fun L() -> receive {take, P} -> P ! token, receive back -> L() end; stop -> ok end end), put(n, 0), "
      "Rs = par([fun() -> T ! {take, self()}, receive token -> S ! in, y(), S ! out, T ! back, ok end end || _ <- [1, 2]]), T ! stop, {Rs, some(4)}",
      [{[ok, ok], [in, out, in, out]}, {delayed, {[ok, ok], [in, in, out, out]}}]},
     {no_token, "without one, two may be in at once",
      "S = self(), par([fun() -> S ! in, y(), S ! out, ok end || _ <- [1, 2]]), some(4)", [[in, out, in, out], [in, in, out, out]]},
     {alias_race, "a message to an alias that may be gone",
      "A = alias(), P = child(fun() -> A ! m end), y(), unalias(A), done([P]), soon()", [[m], []]},
     {reply_alias, "an alias for one reply",
      "A = alias([reply]), done([child(fun() -> A ! a end), child(fun() -> A ! b end)]), soon()", [[a], [b]]}].

ends() ->
    [{monitor_race, "a process that may have ended",
      "P = child(fun() -> ok end), y(), ends(P)", [normal, noproc]},
     {link_race, "a link to one",
      "trap(), P = child(fun() -> ok end), y(), link(P), receive {'EXIT', P, W} -> W end", [normal, noproc]},
     {deadly_link, "the same without trapping: whoever links dies of it, or goes on if the end was normal",
      "P = child(fun() -> exit(x) end), y(), link(P), wait(50)", [{ended, x}, {ended, noproc}]},
     {alive, "is it still there",
      "P = child(fun() -> ok end), y(), A = is_process_alive(P), done([P]), A", [true, false]},
     {exit_race, "an exit signal to a process that ends by itself",
      "{P, R} = spawn_monitor(fun() -> y(), ok end), y(), exit(P, x), receive {'DOWN', R, _, _, W} -> W end", [x, normal]},
     {trap_race, "an exit signal before or after the process traps them",
      "{P, R} = spawn_monitor(fun() -> y(), trap(), receive {'EXIT', _, W} -> exit({seen, W}) end end), y(), exit(P, stop), receive {'DOWN', R, _, _, W} -> W end", [stop, {seen, stop}]},
     {kill_race, "kill or another reason, whichever is first",
      "{P, R} = spawn_monitor(fun() -> receive never -> ok end end), done([child(fun() -> exit(P, kill) end), child(fun() -> exit(P, x) end)]), receive {'DOWN', R, _, _, W} -> W end", [killed, x]},
     {two_exits, "two exit signals, whichever is first",
      "{P, R} = spawn_monitor(fun() -> receive never -> ok end end), done([child(fun() -> exit(P, a) end), child(fun() -> exit(P, b) end)]), receive {'DOWN', R, _, _, W} -> W end", [a, b]},
     {unlink_race, "an end before or after unlink",
      "P = spawn_link(fun() -> y(), exit(x) end), y(), unlink(P), done([P]), wait(20), survived", [survived, {ended, x}]},
     {unlink_message, "the same as a message",
      "trap(), P = spawn_link(fun() -> y(), exit(x) end), y(), unlink(P), done([P]), [W || {'EXIT', _, W} <- soon()]", [[], [x]]},
     {demonitor_race, "an end before or after demonitor",
      "{P, R} = spawn_monitor(fun() -> y(), exit(x) end), y(), demonitor(R), done([P]), [W || {'DOWN', _, _, _, W} <- soon()]", [[], [x]]},
     {demonitor_flush, "flush leaves nothing",
      "{P, R} = spawn_monitor(fun() -> y(), exit(x) end), y(), demonitor(R, [flush]), done([P]), soon()", [[]]},
     {demonitor_info, "and info says which it was",
      "{P, R} = spawn_monitor(fun() -> y(), exit(x) end), y(), B = demonitor(R, [info]), done([P]), {B, length(soon())}", [{true, 0}, {false, 1}]},
     {message_then_exit, "a message and the exit behind it keep their order",
      "trap(), P = spawn_link(fun() -> self() ! x, y(), exit(x) end), S = self(), Q = spawn_link(fun() -> S ! m, y(), exit(y) end), [case M of {'EXIT', P, x} -> p; {'EXIT', Q, y} -> q; m -> m end || M <- some(3)]", [[p, m, q], [m, p, q], [m, q, p]]},
     {first_of_two_ends, "linked to two: the first that ends is what one dies of",
      "spawn_link(fun() -> y(), exit(a) end), spawn_link(fun() -> y(), exit(b) end), wait(100)", [{ended, a}, {ended, b}]},
     {linked_pair, "two linked processes that both end: by the other's signal, or before it arrives",
      "S = self(), A = spawn(fun() -> receive {go, B} -> link(B), S ! linked, receive end_now -> y(), exit(a) end end end), B = spawn(fun() -> receive end_now -> y(), exit(b) end end), RA = monitor(process, A), RB = monitor(process, B), "
      "A ! {go, B}, receive linked -> ok end, [X ! end_now || X <- [A, B]], {receive {'DOWN', RA, _, _, W} -> W end, receive {'DOWN', RB, _, _, V} -> V end}", [{a, b}, {a, a}, {b, b}]},
     {downs, "whose end is told first",
      "Rs = [{R, X} || X <- [a, b], {_, R} <- [spawn_monitor(fun() -> y() end)]], [receive {'DOWN', R, _, _, _} -> proplists:get_value(R, Rs) end || _ <- [1, 2]]", [[a, b], [b, a]]}].

names() ->
    [{register_race, "of two that find a name free, one is too late",
      "N = name(), lists:sort(par([fun() -> case whereis(N) of undefined -> y(), try register(N, self()), wait(20), registered catch error:badarg -> failed end; _ -> found end end || _ <- [1, 2]]))", [[failed, registered], [found, registered]]},
     {name_not_there_yet, "a name that its process takes itself",
      "N = name(), P = child(fun() -> register(N, self()), receive stop -> ok end end), y(), R = t(fun() -> N ! x, sent end), P ! stop, done([P]), R", [sent, {error, badarg}]},
     {name_gone, "a name whose process may have ended",
      "N = name(), P = spawn(fun() -> receive stop -> y() end end), register(N, P), P ! stop, y(), R = t(fun() -> N ! x, sent end), done([P]), R", [sent, {error, badarg}]},
     {whereis_race, "the same, asked for",
      "N = name(), P = spawn(fun() -> receive stop -> y() end end), register(N, P), P ! stop, y(), R = whereis(N) =:= P, done([P]), R", [true, false]},
     {unregister_race, "two that unregister",
      "N = name(), register(N, self()), lists:sort(par([fun() -> t(fun() -> unregister(N) end) end || _ <- [1, 2]]))", [[true, {error, badarg}]]},
     {name_passed_on, "between two owners of a name there is a time without",
      "N = name(), register(N, self()), S = self(), P = spawn(fun() -> receive stop -> ok end end), C = child(fun() -> S ! {found, case whereis(N) of S -> first; P -> second; undefined -> nobody end} end), y(), unregister(N), y(), register(N, P), R = receive {found, X} -> X end, P ! stop, done([C]), R", [first, second, nobody]}].

tables() ->
    New = "T = ets:new(x, [public]), ets:insert(T, {n, 0}), ",
    [{lost_update, "reading and writing are two steps",
      New ++ "par([fun() -> [{n, N}] = ets:lookup(T, n), y(), ets:insert(T, {n, N + 1}) end || _ <- [1, 2]]), ets:lookup_element(T, n, 2)", [1, 2]},
     {three_updates, "with three processes the more can be lost",
      New ++ "par([fun() -> [{n, N}] = ets:lookup(T, n), y(), ets:insert(T, {n, N + 1}) end || _ <- [1, 2, 3]]), ets:lookup_element(T, n, 2)", [1, 2, 3]},
     {counter, "update_counter is one step",
      New ++ "par([fun() -> ets:update_counter(T, n, 1) end || _ <- [1, 2, 3]]), ets:lookup_element(T, n, 2)", [3]},
     {who_counts_first, "but who is first is open",
      New ++ "par([fun() -> ets:update_counter(T, n, 1) end || _ <- [1, 2]])", [[1, 2], [2, 1]]},
     {insert_new, "one of two",
      New ++ "par([fun() -> ets:insert_new(T, {key, X}) end || X <- [a, b]]), ets:lookup_element(T, key, 2)", [a, b]},
     {insert_both, "or the last of two",
      New ++ "par([fun() -> ets:insert(T, {key, X}) end || X <- [a, b]]), ets:lookup_element(T, key, 2)", [a, b]},
     {take, "one gets the job",
      New ++ "par([fun() -> ets:take(T, n) end || _ <- [1, 2]])", [[[{n, 0}], []], [[], [{n, 0}]]]},
     {flags_seen, "of two that set a flag and look at the other's, at least one sees it",
      New ++ "par([fun() -> ets:insert(T, {A, 1}), y(), length(ets:lookup(T, B)) end || {A, B} <- [{x, y}, {y, x}]])", [[0, 1], [1, 0], [1, 1]]},
     {flags_looked_at, "who looks before setting may see nothing",
      New ++ "par([fun() -> L = length(ets:lookup(T, B)), y(), ets:insert(T, {A, 1}), L end || {A, B} <- [{x, y}, {y, x}]])", [[0, 0], [0, 1], [1, 0]]},
     {size_meanwhile, "how many objects so far",
      "T = ets:new(x, [public]), hd(par([fun() -> ets:info(T, size) end, fun() -> ets:insert(T, {1}), y(), ets:insert(T, {2}) end]))", [0, 1, 2]},
     {inserted_at_once, "a list of objects comes at once",
      "T = ets:new(x, [public]), hd(par([fun() -> ets:info(T, size) end, fun() -> ets:insert(T, [{1}, {2}]) end]))", [0, 2]},
     {compare_and_swap, "select_replace compares and writes in one step",
      New ++ "lists:sort(par([fun() -> ets:select_replace(T, [{{n, 0}, [], [{{n, X}}]}]) end || X <- [1, 2]])) ++ [ets:lookup_element(T, n, 2)]", [[0, 1, 1], [0, 1, 2]]},
     {owner_ends, "a table that goes with its owner",
      "S = self(), P = spawn(fun() -> T = ets:new(x, [public]), ets:insert(T, {a}), S ! {table, T}, y() end), T = receive {table, X} -> X end, y(), R = t(fun() -> ets:lookup(T, a) end), done([P]), R", [[{a}], {error, badarg}]},
     {give_away_race, "a table for a process that may have ended",
      "T = ets:new(x, []), P = child(fun() -> ok end), y(), R = t(fun() -> ets:give_away(T, P, x) end), done([P]), R", [true, {error, badarg}]},
     {heir_race, "an heir that may end before the owner does",
      "S = self(), H = spawn(fun() -> receive stop -> y() end end), P = spawn(fun() -> T = ets:new(x, [{heir, H, x}]), S ! {table, T}, receive stop -> y() end end), T = receive {table, X} -> X end, RP = monitor(process, P), "
      "[X ! stop || X <- [H, P]], receive {'DOWN', RP, _, _, _} -> ok end, O = ets:info(T, owner), done([H]), {O =:= undefined, ets:info(T)}", [{true, undefined}, {false, undefined}]},
     {name_of_table, "of two tables of one name one is too many",
      "N = name(), lists:sort(par([fun() -> case t(fun() -> ets:new(N, [named_table]) end) of N -> wait(20), made; E -> E end end || _ <- [1, 2]]))", [[made, {error, badarg}]]}].

arrays() ->
    [{atomic_add, "adding is one step", "A = atomics:new(1, []), lists:sort(par([fun() -> atomics:add_get(A, 1, 1) end || _ <- [1, 2, 3]]))", [[1, 2, 3]]},
     {atomic_lost, "reading and writing are two", "A = atomics:new(1, []), par([fun() -> N = atomics:get(A, 1), y(), atomics:put(A, 1, N + 1) end || _ <- [1, 2]]), atomics:get(A, 1)", [1, 2]},
     {atomic_flags, "as with tables: at least one sees the other's flag", "A = atomics:new(2, []), par([fun() -> atomics:put(A, I, 1), y(), atomics:get(A, 3 - I) end || I <- [1, 2]])", [[0, 1], [1, 0], [1, 1]]},
     {compare_exchange, "one of two", "A = atomics:new(1, []), par([fun() -> atomics:compare_exchange(A, 1, 0, I) end || I <- [1, 2]])", [[ok, 1], [2, ok]]},
     {exchange, "in a row", "A = atomics:new(1, []), par([fun() -> atomics:exchange(A, 1, I) end || I <- [1, 2]]) ++ [atomics:get(A, 1)]", [[0, 1, 2], [2, 0, 1]]},
     {counters_lost, "counters have no such step", "C = counters:new(1, []), par([fun() -> N = counters:get(C, 1), y(), counters:put(C, 1, N + 1) end || _ <- [1, 2]]), counters:get(C, 1)", [1, 2]},
     {persistent_lost, "persistent terms have none either", "K = name(), persistent_term:put(K, 0), par([fun() -> N = persistent_term:get(K), y(), persistent_term:put(K, N + 1) end || _ <- [1, 2]]), N = persistent_term:get(K), persistent_term:erase(K), N", [1, 2]},
     {ascending, "who asks first gets less", "[A, B] = par([fun() -> erlang:unique_integer([monotonic]) end || _ <- [1, 2]]), A < B", [true, false]}].

clocks() ->
    [{timer_race, "a timer that is cancelled, or has fired", "R = erlang:send_after(1, self(), x), y(), case erlang:cancel_timer(R) of false -> some(1); _ -> soon() end", [[], {late, [x]}]},
     {two_timers, "the earlier one fires first", "erlang:send_after(20, self(), b), erlang:send_after(1, self(), a), some(2)", [[a, b], {late, [b, a]}]},
     {timeout_or_message, "what comes when the time is up", "S = self(), P = spawn(fun() -> wait(3), S ! x end), R = receive x -> x after 3 -> late end, done([P]), R", [{late, x}, {late, late}]}].

servers() ->
    [{cast_and_call, "a cast of another process before or after a call", "P = server(0), C = child(fun() -> gen_server:cast(P, fun(N) -> {noreply, N + 1} end) end), y(), R = gen_server:call(P, fun(_, N) -> {reply, N, N} end), done([C]), gen_server:stop(P), R", [0, 1]},
     {own_cast_and_call, "one's own cast comes before one's call", "P = server(0), gen_server:cast(P, fun(N) -> {noreply, N + 1} end), R = gen_server:call(P, fun(_, N) -> {reply, N, N} end), gen_server:stop(P), R", [1]},
     {two_calls, "two that count", "P = server(0), R = par([fun() -> gen_server:call(P, fun(_, N) -> {reply, N, N + 1} end) end || _ <- [1, 2]]), gen_server:stop(P), R", [[0, 1], [1, 0]]},
     {read_then_write, "two calls are two steps", "P = server(0), par([fun() -> N = gen_server:call(P, fun(_, N) -> {reply, N, N} end), y(), gen_server:call(P, fun(_, _) -> {reply, ok, N + 1} end) end || _ <- [1, 2]]), R = gen_server:call(P, fun(_, N) -> {reply, N, N} end), gen_server:stop(P), R", [1, 2]},
     {call_and_stop, "a call of a server that ends", called_and_stopped(1), [0, normal, {late, noproc}]},
     {stop_and_call, "the same, when the caller has more to do before", called_and_stopped(40), [{late, 0}, {late, normal}, noproc]}].

called_and_stopped(Before) ->
    "P = server(0), C = child(fun() -> catch gen_server:stop(P) end), y(), [begin self() ! tick, receive tick -> ok end end || _ <- lists:seq(1, " ++ integer_to_list(Before) ++ ")], "
    "R = case t(fun() -> gen_server:call(P, fun(_, N) -> {reply, N, N} end) end) of {exit, {W, _}} -> W; V -> V end, done([C]), R".
