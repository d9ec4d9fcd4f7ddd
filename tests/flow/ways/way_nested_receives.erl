-module(way_nested_receives).
-compile([export_all,nowarn_export_all]).
test() -> S = self(), S ! {a, 1}, S ! {b, fun(X) -> X end}, receive {b, F} -> receive {a,
    N} -> F(N) end end.
