-module(way_hibernation).
-compile([export_all,nowarn_export_all]).
test() -> P = proc_lib:spawn(fun() -> proc_lib:hibernate(?MODULE, wake, [fun(X) -> {w,
    X} end]) end), P ! {self(), 5}, receive {w, 5} -> ok after 100 -> no end.
wake(F) -> receive {P, X} -> P ! F(X) end.
