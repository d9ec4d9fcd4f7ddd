-module(way_pid_as_text).
-compile([export_all,nowarn_export_all]).
test() -> P = spawn(fun() -> receive {go, F} -> F() end end), L = pid_to_list(P),
    list_to_pid(L) ! {go, fun() -> hi end}, timer:sleep(2).
