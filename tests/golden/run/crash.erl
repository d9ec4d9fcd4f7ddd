%% RUN: fathom run %s -e 'crash:main()'
-module(crash).
-export([main/0]).

%% What the user sees of processes that end badly: as erl shows it, with the times of the
%% machine's own clock.
main() ->
    {_, Plain} = spawn_monitor(fun() -> receive go -> ok after 1500 -> hd([]) end end),
    receive {'DOWN', Plain, process, _, _} -> ok end,
    Unseen = proc_lib:spawn(fun() -> exit(shutdown) end),
    Thrown = spawn(fun() -> throw({ball, Unseen}) end),
    logger:info("not shown"),
    logger:warning("~p was thrown", [is_pid(Thrown)]),
    error_logger:error_report([{reason, "none"}]),
    timer:sleep(1),
    ok = logger:set_primary_config(level, none),
    spawn(fun() -> error(silent) end),
    timer:sleep(1),
    done.
%% OUT: =ERROR REPORT==== 1-Jan-2025::00:00:01.500001 ===
%% OUT: Error in process <0.2.0> with exit value:
%% OUT: {badarg,[{erlang,hd,[[]],[{error_info,#{module => erl_erts_errors}}]},
%% OUT:          {crash,'-main/0-fun-0-',0,[{file,"crash.erl"},{line,8}]}]}
%% OUT:
%% OUT: =WARNING REPORT==== 1-Jan-2025::00:00:01.500002 ===
%% OUT: true was thrown
%% OUT: =ERROR REPORT==== 1-Jan-2025::00:00:01.500003 ===
%% OUT:     reason: none
%% OUT: =ERROR REPORT==== 1-Jan-2025::00:00:01.500004 ===
%% OUT: Error in process <0.14.0> with exit value:
%% OUT: {{nocatch,{ball,<0.13.0>}},
%% OUT:  [{crash,'-main/0-fun-2-',1,[{file,"crash.erl"},{line,11}]}]}
%% OUT:
%% OUT: done
