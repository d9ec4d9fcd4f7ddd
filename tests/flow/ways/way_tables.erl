-module(way_tables).
-compile([export_all,nowarn_export_all]).
test() -> T = ets:new(t, [public]), ets:insert(T, {k, fun() -> hit end, self()}), [{_, F,
    P}] = ets:lookup(T, k), P ! F(), receive hit -> ok end,
 [[G]] = ets:match(T, {k, '$1', '_'}), G(), [H] = ets:select(T, [{{'_', '$1', '_'}, [],
    ['$1']}]), H(), ets:foldl(fun({_, Q, _}, A) -> [Q() | A] end, [], T).
