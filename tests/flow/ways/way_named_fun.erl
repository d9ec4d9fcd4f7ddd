-module(way_named_fun).
-compile([export_all,nowarn_export_all]).
test() -> Y = fun Y(F, N) when N > 0 -> F(N), Y(F, N - 1); Y(_, 0) -> done end,
    Y(fun(X) -> put(x, X) end, 3).
