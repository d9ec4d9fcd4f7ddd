-module(way_exit_reason_by_link).
-compile([export_all,nowarn_export_all]).
test() -> process_flag(trap_exit, true), P = spawn_link(fun() -> error({oops,
    fun() -> o end}) end), receive {'EXIT', P, {{oops, F}, [_|_]}} -> F() end.
