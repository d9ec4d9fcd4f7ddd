-module(way_renamed_table).
-compile([export_all,nowarn_export_all]).
test() -> ets:new(old, [named_table]), ets:insert(old, {a, fun() -> r end}), ets:rename(old,
    new), [{a, F}] = ets:lookup(new, a), F().
