-module(way_maps_of_funs).
-compile([export_all,nowarn_export_all]).
test() -> M = lists:foldl(fun(K, A) -> A#{K => fun() -> K end} end, #{}, [a, b]),
    maps:foreach(fun(_, F) -> F() end, M), maps:map(fun(_, F) -> F() end, M),
    I = maps:iterator(M), {_, F, _} = maps:next(I), F(), maps:fold(fun(_, G,
    A) -> [G() | A] end, [], maps:filter(fun(_, G) -> G() == a end, M)).
