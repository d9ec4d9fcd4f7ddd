%% Tests that EUnit ends: by their time-outs, by exit signals.
-module(hangs).
-include_lib("eunit/include/eunit.hrl").

hang() -> receive never -> ok end.

in_time_test() -> timer:sleep(5).
hang_test_() -> {spawn, {timeout, 0.1, ?_test(hang())}}.
hang_in_group_test_() -> {spawn, [?_test(ok), {"waits", {timeout, 0.1, ?_test(hang())}}, ?_test(ok)]}.
group_test_() -> {spawn, {timeout, 0.1, [?_test(ok), ?_test(hang()), ?_test(ok)]}}.
sleeps_test_() -> {spawn, {timeout, 0.1, ?_test(timer:sleep(3000))}}.
parallel_test_() -> {inparallel, [{timeout, 0.1, ?_test(hang())}, ?_test(ok), {timeout, 0.2, ?_test(hang())}]}.
linked_test_() -> {spawn, ?_test(begin spawn_link(fun() -> exit(gone) end), hang() end)}.
killed_test_() -> {spawn, [?_test(exit(self(), kill)), ?_test(ok)]}.
error_signal_test_() -> {spawn, ?_test(begin spawn_link(fun() -> exit({bad, [thing]}) end), hang() end)}.
trapped_test_() ->
    {spawn, ?_test(begin process_flag(trap_exit, true), spawn_link(fun() -> exit(gone) end),
                         receive {'EXIT', _, gone} -> ok end end)}.
last_test() -> ?assertEqual(1, 2).
cut_off_test() -> exit(self(), kill), hang().
