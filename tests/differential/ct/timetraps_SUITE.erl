-module(timetraps_SUITE).
-compile([export_all, nowarn_export_all]).
-include_lib("common_test/include/ct.hrl").
%% Cases that take too long, of their own or their suite's time.
suite() -> [{timetrap, 300}].
all() -> [in_time, too_long, waits, {group, slow}, own_time, own_time_too_long, sets_it, sets_it_longer, traps_exits,
          in_init, in_end, is_told].
groups() -> [{slow, [], [slow_in_time]}].
group(slow) -> [{timetrap, {seconds, 5}}].
own_time() -> [{timetrap, {seconds, 5}}].
own_time_too_long() -> [{timetrap, 100}].
init_per_testcase(in_init, _) -> timer:sleep(5000);
init_per_testcase(_, Config) -> Config.
end_per_testcase(too_long, Config) ->
    {failed, timetrap_timeout} = proplists:get_value(tc_status, Config),
    ets:insert(told, {status, timed_out});
end_per_testcase(in_end, _) -> timer:sleep(5000);
end_per_testcase(_, _) -> ok.
init_per_suite(Config) ->
    Self = self(),
    spawn(fun() -> ets:new(told, [named_table, public]), Self ! ready, receive stop -> ok end end),
    receive ready -> Config end.
in_time(_) -> timer:sleep(10).
too_long(_) -> timer:sleep(5000).
waits(_) -> receive never -> ok end.
slow_in_time(_) -> timer:sleep(400).
own_time(_) -> timer:sleep(400).
own_time_too_long(_) -> timer:sleep(2000).
sets_it(_) -> ct:timetrap(50), timer:sleep(2000).
sets_it_longer(_) -> ct:timetrap({seconds, 3}), timer:sleep(500).
traps_exits(_) -> process_flag(trap_exit, true), receive {'EXIT', _, _} -> caught end.
in_init(_) -> ok.
in_end(_) -> ok.
is_told(_) -> [{status, timed_out}] = ets:lookup(told, status).
