-module(way_alias_reply).
-compile([export_all,nowarn_export_all]).
test() -> A = alias([reply]), S = spawn(fun() -> receive {req, To, F} -> To ! {x, F()} end end),
    S ! {req, A, fun() -> val end}, receive {x, V} -> V after 100 -> t end.
