-module(processes_SUITE).
-compile([export_all, nowarn_export_all]).
%% Which processes live how long: those linked to a case, or to an init function, end with it.
all() -> [suites_link_is_gone, suites_own_is_there, starts, is_gone, links_in_init, gone_again, not_linked, is_there_still, monitors, trap].
init_per_suite(Config) ->
    register(suite_linked, spawn_link(fun loop/0)),
    register(suite_own, spawn(fun loop/0)),
    Config.
end_per_suite(_) -> suite_own ! stop, ok.
init_per_testcase(links_in_init, Config) -> register(init_linked, spawn_link(fun loop/0)), Config;
init_per_testcase(_, Config) -> Config.
loop() -> receive stop -> ok; {From, Message} -> From ! Message, loop() end.
suites_link_is_gone(_) -> undefined = whereis(suite_linked).
suites_own_is_there(_) -> suite_own ! {self(), hello}, receive hello -> ok end.
starts(_) -> register(linked, spawn_link(fun loop/0)).
is_gone(_) -> undefined = whereis(linked).
links_in_init(_) -> init_linked ! {self(), hello}, receive hello -> ok end.
gone_again(_) -> undefined = whereis(init_linked).
not_linked(_) -> register(free, spawn(fun loop/0)).
is_there_still(_) -> true = is_pid(whereis(free)), exit(whereis(free), kill).
monitors(_) ->
    {Pid, Monitor} = spawn_monitor(fun() -> exit(done) end),
    receive {'DOWN', Monitor, process, Pid, done} -> ok end.
trap(_) ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> exit(done) end),
    receive {'EXIT', Pid, done} -> ok end.
