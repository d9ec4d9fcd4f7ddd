-module(way_exit_reason_by_monitor).
-compile([export_all,nowarn_export_all]).
test() -> {P, R} = spawn_monitor(fun() -> exit({reason, fun() -> from_exit end}) end),
    receive {'DOWN', R, process, P, {reason, F}} -> F() end.
