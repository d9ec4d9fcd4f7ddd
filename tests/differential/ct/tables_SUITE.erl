-module(tables_SUITE).
-compile([export_all, nowarn_export_all]).
%% Tables belong to processes, and go with them.
all() -> [of_suite_is_gone, own, own_is_gone, ordered, bag, counter, given].
init_per_suite(Config) -> of_suite = ets:new(of_suite, [named_table, public]), Config.
of_suite_is_gone(_) -> undefined = ets:info(of_suite).
own(_) -> own = ets:new(own, [named_table]), true = ets:insert(own, {a, 1}), [{a, 1}] = ets:lookup(own, a).
own_is_gone(_) -> undefined = ets:info(own).
ordered(_) ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{N, N * N} || N <- [3, 1, 2]]),
    [{1, 1}, {2, 4}, {3, 9}] = ets:tab2list(T).
bag(_) ->
    T = ets:new(t, [bag]),
    ets:insert(T, [{a, 1}, {a, 2}, {a, 1}]),
    [{a, 1}, {a, 2}] = ets:lookup(T, a).
counter(_) -> T = ets:new(t, []), 1 = ets:update_counter(T, n, 1, {n, 0}), 3 = ets:update_counter(T, n, 2).
given(_) ->
    T = ets:new(t, []),
    Self = self(),
    Pid = spawn(fun() -> receive {'ETS-TRANSFER', T, Self, x} -> Self ! ets:info(T, owner) end end),
    ets:give_away(T, Pid, x),
    receive Pid -> ok end.
