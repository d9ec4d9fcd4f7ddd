-module(way_all_processes).
-compile([export_all,nowarn_export_all]).
test() -> spawn(fun() -> receive {hello, F} -> F() end end), [P ! {hello,
    fun() -> h end} || P <- processes(), P =/= self()], timer:sleep(2), ok.
