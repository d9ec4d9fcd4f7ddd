%% What is true only as long as signals arrive at once, as they are assumed to by default: with
%% `--delivery any` each of the programs _bug fails, and none of those _fix.
-module(late_signals).
-export([monitor_fix/0, link_bug/0, link_fix/0, alias_bug/0, trap_bug/0]).
-export([trap_fix/0, monitored_by_bug/0]).

%% What one process sends another arrives in its order.
monitor_fix() ->
    Process = spawn(fun() -> receive stop -> ok end end),
    Reference = monitor(process, Process),
    Process ! stop,
    normal = reason(Reference).

reason(Reference) -> receive {'DOWN', Reference, process, _, Reason} -> Reason end.

link_bug() ->
    process_flag(trap_exit, true),
    Process = spawn(fun() -> receive stop -> ok end end),
    link(Process),
    spawn(fun() -> Process ! stop end),
    receive {'EXIT', Process, Reason} -> normal = Reason end.

link_fix() ->
    process_flag(trap_exit, true),
    Process = spawn(fun() -> receive stop -> ok end end),
    link(Process),
    Process ! stop,
    receive {'EXIT', Process, Reason} -> normal = Reason end.

%% The message may arrive when the alias is no more.
alias_bug() ->
    Alias = alias(),
    Self = self(),
    spawn(fun() ->
              Alias ! answer,
              spawn(fun() -> Self ! go_on end)
          end),
    receive go_on -> ok end,
    unalias(Alias),
    receive answer -> ok after 0 -> error(lost) end.

%% The signal may arrive when the process traps exits no longer.
trap_bug() ->
    {Process, Reference} =
        spawn_monitor(fun() ->
                          process_flag(trap_exit, true),
                          receive go_on -> ok end,
                          process_flag(trap_exit, false)
                      end),
    wait_until_it_traps(Process),
    exit(Process, oops),
    spawn(fun() -> Process ! go_on end),
    normal = reason(Reference).

trap_fix() ->
    {Process, Reference} =
        spawn_monitor(fun() ->
                          process_flag(trap_exit, true),
                          receive go_on -> ok end,
                          process_flag(trap_exit, false)
                      end),
    wait_until_it_traps(Process),
    exit(Process, oops),
    Process ! go_on,
    normal = reason(Reference).

wait_until_it_traps(Process) ->
    case process_info(Process, trap_exit) of
        {trap_exit, true} -> ok;
        _ -> wait_until_it_traps(Process)
    end.

monitored_by_bug() ->
    Process = spawn(fun() -> receive stop -> ok end end),
    monitor(process, Process),
    Self = self(),
    spawn(fun() -> Self ! {by, process_info(Process, monitored_by)} end),
    receive {by, By} -> {monitored_by, [_]} = By end,
    Process ! stop.
