%% The functions that the concurrent programs of the differential tests may call. Each
%% program runs in a process of its own, so that none leaves anything to the next.
%%
%% What processes of the programs die of is no news.
%%
%% own(Fun): what it returns, or how it ended. got(): all messages, in order, once no more
%% come. why(Reason): a reason without its stack trace. t(Fun): what it returns or raises.
process_helpers() ->
    "own(F) -> logger:set_primary_config(level, none), own(F, []).\n"
    "own(F, O) -> {P, R} = spawn_opt(fun() -> exit({returned, F()}) end, [monitor | O]),\n"
    "    receive {'DOWN', R, process, P, Why} -> case Why of {returned, V} -> V; _ -> {ended, why(Why)} end\n"
    "    after 60000 -> hangs end.\n"
    "got() -> receive M -> [M | got()] after 300 -> [] end.\n"
    "why({Why, [{_, _, _, _} | _]}) -> Why;\nwhy(Why) -> Why.\n"
    "loop() -> receive stop -> ok; {exit, Why} -> exit(Why); {error, Why} -> error(Why); {do, F} -> F(), loop() end.\n"
    "dead() -> {P, R} = spawn_monitor(fun() -> ok end), receive {'DOWN', R, _, _, _} -> P end.\n"
    "trap() -> process_flag(trap_exit, true).\n"
    "wait(T) -> receive after T -> ok end.\n"
    "ends(P) -> R = monitor(process, P), receive {'DOWN', R, _, _, W} -> why(W) end.\n"
    "ends(P, Sent) -> R = monitor(process, P), exit(P, Sent), receive {'DOWN', R, _, _, W} -> why(W) end.\n"
    "is(P, Q) when P =:= Q -> same;\nis(_, _) -> other.\n"
    "t(F) -> try F() catch C:R -> {C, why(R)} end.\n".

own(Texts) -> ["own(fun() -> " ++ T ++ " end)" || T <- Texts].
