#!/usr/bin/env escript
%%! +S 2
%% Code that a program makes, loads, replaces and deletes; expressions that erl_eval evaluates; and
%% errors that name their frames: on Fathom's machine and in OTP.
%%
%%   loading_test.escript [FAMILY...]
-mode(compile).
-include("fathom_port.hrl").
-include("batches.hrl").

main(Wanted) ->
    logger:set_primary_config(level, none),
    Families = [{loading, fun loading/0}, {evaluated, fun evaluated_forms/0}, {receiving, fun receiving/0},
                {raised, fun raised/0}, {limits, fun limits/0}],
    %% Each text has names of its own.
    check_families("loading", [{Name, fun() -> ["run(fun() -> " ++ T ++ " end)" || T <- Texts()] end}
                               || {Name, Texts} <- Families], Wanted).

helpers() ->
    %% A module with f/0 -> Value, compiled here.
    "run(F) -> F().\n"
    "made(M, Value) -> made(M, Value, []).\n"
    "made(M, Value, More) ->\n"
    "    {ok, Ts, _} = erl_scan:string(lists:flatten(io_lib:format(\"~p.\", [Value]))), {ok, E} = erl_parse:parse_exprs(Ts),\n"
    "    {ok, M, Code} = compile:forms([{attribute, 1, module, M}, {attribute, 1, compile, export_all},\n"
    "        {function, 2, f, 0, [{clause, 2, [], [], E}]} | More], []),\n"
    "    Code.\n"
    "form(Text) -> {ok, Ts, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Ts), F.\n"
    "load(M, Value) -> code:load_binary(M, \"made\", made(M, Value)).\n"
    "gone(M) -> code:purge(M), code:delete(M), code:purge(M).\n"
    "eval(Text) -> eval(Text, []).\n"
    "eval(Text, Bs) -> {ok, Ts, _} = erl_scan:string(Text), {ok, Es} = erl_parse:parse_exprs(Ts),\n"
    "    {value, V, _} = erl_eval:exprs(Es, Bs), V.\n"
    "mailbox() -> receive M -> [M | mailbox()] after 0 -> [] end.\n"
    "top(N, F) -> try F() catch C:R:S -> {C, R, [setelement(4, E, [X || {K, _} = X <- element(4, E), K =/= file]) || E <- lists:sublist(S, N), tuple_size(E) =:= 4]} end.\n".

loading() ->
    ["R = {load(lm1, 17), lm1:f(), code:which(lm1), code:is_loaded(lm1)}, gone(lm1), R",
     "load(lm2, a), A = lm2:f(), F = fun lm2:f/0, load(lm2, b), R = {A, lm2:f(), F(), erlang:check_old_code(lm2)}, gone(lm2), R",
     "load(lm3, a), R = {code:delete(lm3), code:delete(lm3), catch lm3:f(), code:purge(lm3), code:is_loaded(lm3)}, {element(1, R), element(2, R), element(1, element(2, element(3, R))), element(4, R), element(5, R)}",
     "code:load_binary(lm4, \"x\", <<\"no code\">>)", "code:load_binary(lm4, \"x\", <<>>)",
     "R = code:load_binary(lm_other, \"x\", made(lm4, 1)), gone(lm4), R",
     "R = {code:purge(nowhere), code:soft_purge(nowhere), code:delete(nowhere), erlang:check_old_code(nowhere), catch erlang:delete_module(nowhere)}, R",
     "top(1, fun() -> erlang:delete_module(1) end)", "top(1, fun() -> erlang:check_old_code(\"x\") end)", "top(1, fun() -> erlang:purge_module(nowhere) end)",
     "load(lm5, {1, [b], \"c\", #{d => 2.5}, <<7>>}), R = lm5:f(), gone(lm5), R",
     "C = made(lm6, 1, [form(\"g(0) -> 1; g(N) -> N * g(N - 1).\")]), {module, lm6} = erlang:load_module(lm6, C), R = {lm6:g(20), erlang:load_module(lm6, C), erlang:load_module(lm6, C)}, gone(lm6), R",
     %% A process in old code is killed by a purge; one that has left it is not.
     "L = [form(\"loop() -> receive {P, X} -> P ! {X, f()}, loop() end.\")], code:load_binary(lm7, \"m\", made(lm7, a, L)), P = spawn(lm7, loop, []), "
     "M = monitor(process, P), P ! {self(), 1}, A = receive {1, X1} -> X1 end, code:load_binary(lm7, \"m\", made(lm7, b, L)), P ! {self(), 2}, B = receive {2, X2} -> X2 end, "
     "S = code:soft_purge(lm7), K = code:purge(lm7), D = receive {'DOWN', M, process, P, W} -> W end, R = {A, B, S, K, D}, gone(lm7), R",
     "L = [form(\"loop() -> receive {P, X} -> P ! {X, f()}, ?MODULE:loop() end.\")], L2 = [setelement(5, hd(L), element(5, hd(L)))], code:load_binary(lm8, \"m\", made(lm8, a, "
     "[form(\"loop() -> receive {P, X} -> P ! {X, f()}, lm8:loop() end.\")])), P = spawn(lm8, loop, []), P ! {self(), 1}, A = receive {1, X1} -> X1 end, "
     "code:load_binary(lm8, \"m\", made(lm8, b, [form(\"loop() -> receive {P, X} -> P ! {X, f()}, lm8:loop() end.\")])), P ! {self(), 2}, B = receive {2, X2} -> X2 end, "
     "P ! {self(), 3}, C = receive {3, X3} -> X3 end, R = {A, B, C, code:soft_purge(lm8), is_process_alive(P)}, exit(P, kill), gone(lm8), R",
     "load(lm9, a), R = {lists:keyfind(module, 1, lm9:module_info()), lists:sort(lm9:module_info(exports)), erlang:function_exported(lm9, f, 0), erlang:function_exported(lm9, g, 0), lm9:module_info(module)}, gone(lm9), R",
     "load(lm10, a), gone(lm10), {erlang:function_exported(lm10, f, 0), erlang:module_loaded(lm10), code:which(lm10)}",
     "code:load_binary(lists, \"x\", made(lists, 1))",
     "C = made(lm11, 1, [form(\"e(X) -> error({bad, X}).\")]), code:load_binary(lm11, \"m\", C), R = try lm11:e(3) catch error:E:S -> {M, F, A, _} = hd(S), {E, M, F, A} end, gone(lm11), R",
     "C = made(lm12, 1, [form(\"g() -> fun(X) -> X + f() end.\")]), code:load_binary(lm12, \"m\", C), F = lm12:g(), load(lm12, 100), R = F(1), gone(lm12), R",
     "{ok, M, C} = compile:forms([form(\"-module(lm13).\"), form(\"-export([f/1]).\"), form(\"f(X) -> case X of {ok, V} when V > 1 -> [V || _ <- [1, 2]]; _ -> none end.\")], [debug_info]), "
     "code:load_binary(M, \"\", C), R = {lm13:f({ok, 2}), lm13:f({ok, 1})}, gone(M), R",
     "{ok, M, C, W} = compile:forms([form(\"-module(lm14).\"), form(\"-export([f/1]).\"), form(\"f(X) -> Y = 1.\")], [return, debug_info]), {M, is_binary(C), [length(L) || {_, L} <- W]}",
     "{error, E, _} = compile:forms([form(\"-module(lm15).\"), form(\"f(X) -> Y.\")], [return]), [[element(3, D) || D <- L] || {_, L} <- E]"].

evaluated_forms() ->
    ["eval(\"1 + 2.\")", "eval(\"F = fun(0) -> 1; (N) -> N * 2 end, [F(X) || X <- [0, 1, 2]].\")",
     "eval(\"case X of {a, Y} when Y > 1 -> Y; _ -> no end.\", [{'X', {a, 5}}])",
     "eval(\"try error(x) catch C:R -> {C, R} after ok end.\")",
     "eval(\"#{a => 1, b := B} = #{b => 2, a => 1}, B.\")", "eval(\"<<X:3, Y/bitstring>> = <<255, 1>>, {X, Y}.\")",
     "eval(\"lists:map(fun lists:reverse/1, [[1, 2], [3]]).\")", "eval(\"begin A = 1, B = A + 1, {A, B} end.\")",
     "eval(\"maybe_undefined:f().\")", "eval(\"F = fun G(N) when N > 0 -> N + G(N - 1); G(_) -> 0 end, F(10).\")",
     "top(2, fun() -> eval(\"X = 1, X = 2.\") end)", "eval(\"if true -> a; false -> b end.\")", "eval(\"<< <<(X * 2)>> || <<X>> <= <<1, 2, 3>> >>.\")",
     "eval(\"spawn(fun() -> ok end), self() ! m, receive m -> got end.\")"].

receiving() ->
    ["self() ! hi, eval(\"receive X -> X end.\")",
     "[self() ! N || N <- [1, 2, 3, 4]], {eval(\"receive 3 -> three end.\"), mailbox()}",
     "[self() ! N || N <- [1, 2, 3, 4]], {eval(\"receive X when X > 2 -> X after 0 -> none end.\"), mailbox()}",
     "[self() ! N || N <- [1, 2]], {eval(\"receive x -> x after 0 -> none end.\"), mailbox()}",
     "[self() ! N || N <- [1, 2]], {eval(\"receive x -> x after 5 -> late end.\"), mailbox()}",
     "P = self(), spawn(fun() -> receive after 5 -> P ! x end end), self() ! a, {eval(\"receive x -> x after 5000 -> late end.\"), mailbox()}",
     "P = self(), spawn(fun() -> [P ! I || I <- [1, 2, 3]], P ! done end), {eval(\"receive done -> ok end.\"), mailbox()}",
     "self() ! {a, 1}, self() ! {b, 2}, eval(\"{receive {b, X} -> X end, receive {a, Y} -> Y end}.\")",
     "self() ! a, {try eval(\"receive x -> 1 after foo -> 2 end.\") catch C:R -> {C, R} end, mailbox()}",
     "self() ! a, {eval(\"receive a -> 1 after foo -> 2 end.\"), mailbox()}",
     "eval(\"receive after 1 -> late end.\")", "eval(\"receive after 0 -> now end.\")",
     "self() ! a, F = eval(\"fun(W) -> receive W -> {got, W} after 10 -> none end end.\"), {F(b), F(a), F(a)}"].

raised() ->
    [lists:flatten(io_lib:format("try erlang:raise(error, foo, ~ts) of V -> V catch C:R:S -> {C, R, S} end", [S]))
     || S <- ["[{m, f, [a]}, {m, g, 1}]", "[{m, f, 1, [{line, 3}]}]", "[{m, f}]", "[{m, f, x}]", "[{m, f, 1, x}]", "[]", "[x]",
              "x", "[{m, f, 1} | x]", "[{1, f, 1}]", "[{m, f, 1, [], y}]", "[{m, f, 1}, {m, g, 2, []}]"]].

limits() ->
    ["try apply(x, y, lists:duplicate(300, x)) catch C:R:S -> {x, y, L, _} = hd(S), {C, R, length(L)} end",
     "try apply(x, y, lists:duplicate(1023, x)) catch C:R -> {C, R} end",
     "try erlang:hibernate(x, y, lists:duplicate(1025, x)) catch C:R -> {C, R} end",
     "try erlang:hibernate(x, y, lists:duplicate(5122, x)) catch C:R -> {C, R} end"] ++
    [lists:flatten(io_lib:format("{_, Result} = spawn_monitor(fun() -> exit(catch {process_flag(max_heap_size, ~ts), process_flag(max_heap_size, 0)}) end), "
                                 "receive {'DOWN', Result, _, _, {'EXIT', {R, _}}} -> R; {'DOWN', Result, _, _, V} -> V end", [X]))
     || X <- ["0", "1", "232", "233", "5000000", "#{size => 10}", "#{size => 5000000, kill => false}", "#{size => 0, kill => 1}", "-1", "x",
              "#{size => 0, error_logger => false}", "#{kill => true}", "#{size => 0, other => 1}"]] ++
    ["erts_debug:set_internal_state(available_internal_state, true)"].
