%% What suites call of test_server: ct.hrl's ?config, and the functions of older suites.
-module(test_server).
-export([lookup_config/2, timetrap/1, timetrap_cancel/0, timetrap_cancel/1, seconds/1, minutes/1, hours/1,
         sleep/1, adjusted_sleep/1, fail/0, fail/1, format/1, format/2, comment/1, do_times/2, do_times/4,
         m_out_of_n/3, call_crash/3, call_crash/4, call_crash/5, timetrap_scale_factor/0, is_cover/0,
         is_native/1, is_debug/0, is_valgrind/0, is_asan/0, capture_start/0, capture_stop/0,
         capture_get/0, messages_get/0, timecall/3]).

lookup_config(Key, Config) ->
    case lists:keyfind(Key, 1, Config) of
        {Key, Value} -> Value;
        _ ->
            io:format("Could not find element ~tp in Config.~n", [Key]),
            undefined
    end.

timetrap(Time) -> ct:timetrap(Time).
timetrap_cancel() -> fathom_ct_case:tell({timetrap, infinity}).
timetrap_cancel(_) -> timetrap_cancel().
seconds(N) -> trunc(N * 1000).
minutes(N) -> trunc(N * 60_000).
hours(N) -> trunc(N * 3_600_000).
sleep(Time) -> ct:sleep(Time).
adjusted_sleep(Time) -> ct:sleep(Time).
timetrap_scale_factor() -> 1.

fail() -> exit(suite_failed).
fail(Reason) -> exit({suite_failed, Reason}).
format(Format) -> io:format(Format).
format(Format, Arguments) -> io:format(Format, Arguments).
comment(Comment) -> ct:comment(Comment).

do_times(N, Fun) when is_integer(N), N > 0 ->
    Fun(),
    do_times(N - 1, Fun);
do_times(0, _) -> ok.

do_times(N, Module, Function, Arguments) -> do_times(N, fun() -> apply(Module, Function, Arguments) end).

%% Ok if it succeeds m times in n.
m_out_of_n(0, _, _) -> ok;
m_out_of_n(M, 0, _) -> exit({m_out_of_n_failed, {M, left_to_do}});
m_out_of_n(M, N, Fun) ->
    case catch Fun() of
        {'EXIT', _} -> m_out_of_n(M, N - 1, Fun);
        _ -> m_out_of_n(M - 1, N - 1, Fun)
    end.

%% The call must raise.
call_crash(Module, Function, Arguments) -> call_crash(infinity, Module, Function, Arguments).
call_crash(Time, Module, Function, Arguments) -> call_crash(Time, any, Module, Function, Arguments).

call_crash(Time, Crash, Module, Function, Arguments) ->
    {Pid, Monitor} = spawn_monitor(Module, Function, Arguments),
    receive
        {'DOWN', Monitor, process, Pid, Crash} -> ok;
        {'DOWN', Monitor, process, Pid, normal} -> exit({unexpected_return, {Module, Function}});
        {'DOWN', Monitor, process, Pid, _} when Crash =:= any -> ok;
        {'DOWN', Monitor, process, Pid, {Crash, _}} -> ok;
        {'DOWN', Monitor, process, Pid, Other} -> exit({wrong_crash_reason, Other})
    after Time -> exit(call_crash_timeout)
    end.

timecall(Module, Function, Arguments) ->
    {Microseconds, Value} = timer:tc(Module, Function, Arguments),
    {Microseconds / 1_000_000, Value}.

is_cover() -> false.
is_native(_) -> false.
is_debug() -> false.
is_valgrind() -> false.
is_asan() -> false.
capture_start() -> ct:capture_start().
capture_stop() -> ct:capture_stop().
capture_get() -> ct:capture_get().
messages_get() -> receive Message -> [Message | messages_get()] after 0 -> [] end.
