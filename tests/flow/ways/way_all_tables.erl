-module(way_all_tables).
-compile([export_all,nowarn_export_all]).
test() -> T = ets:new(x, [named_table, public]), ets:insert(T, {a, fun() -> y end}), [begin [{_,
    F}] = ets:lookup(N, a), F() end || N <- ets:all(), N =:= x], ets:info(T, owner) ! {own, 1},
    receive {own, V} -> V end.
