-module(emulator_SUITE).
-compile([export_all, nowarn_export_all]).
%% What suites of the emulator ask of it: its state, statistics, and what a crash dump would say.
all() -> [collections, lists_of_facts, backtraces, displayed, texts, logger_of_the_system, times, microstates,
          internal_state, lists_of_links, made_binary, no_connection].
init_per_suite(Config) -> erts_debug:set_internal_state(available_internal_state, true), Config.
end_per_suite(_) -> erts_debug:set_internal_state(available_internal_state, false).
waiting() -> spawn_link(fun() -> receive stop -> ok end end).
collections(_) ->
    Pid = waiting(),
    async = erlang:garbage_collect(Pid, [{async, a}]),
    receive {garbage_collect, a, true} -> ok end,
    async = erlang:garbage_collect(self(), [{async, b}, {type, minor}]),
    receive {garbage_collect, b, true} -> ok end,
    {Dead, Monitor} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Monitor, _, _, _} -> ok end,
    async = erlang:garbage_collect(Dead, [{async, c}]),
    receive {garbage_collect, c, false} -> ok end,
    {'EXIT', {badarg, _}} = (catch erlang:garbage_collect(Pid, [{async, a} | b])),
    ok.
lists_of_facts(_) ->
    Keys = [registered_name, current_function, initial_call, status, links, backtrace, catchlevel, last_calls, memory],
    Keys = [K || {K, _} <- process_info(self(), Keys)],
    Keys = [K || {K, _} <- process_info(waiting(), Keys)].
backtraces(_) ->
    {backtrace, Own} = process_info(self(), backtrace),
    {match, _} = re:run(Own, "Program counter: 0x[0-9a-f]+ \\("),
    Pid = waiting(),
    receive after 1 -> ok end,
    {backtrace, Other} = process_info(Pid, backtrace),
    {match, _} = re:run(Other, "emulator_SUITE").
displayed(_) ->
    true = erlang:process_display(self(), backtrace),
    {'EXIT', {badarg, _}} = (catch erlang:process_display(self(), foo)),
    {'EXIT', {badarg, _}} = (catch erlang:process_display(foo, backtrace)),
    ok.
texts(_) ->
    Pid = list_to_binary(pid_to_list(self())),
    {match, _} = re:run(erlang:system_info(procs), ["=proc:", Pid]),
    {match, _} = re:run(erlang:system_info(info), "=memory\ntotal: [0-9]+"),
    {match, _} = re:run(erlang:system_info(loaded), "lists [0-9]+").
logger_of_the_system(_) ->
    Old = erlang:system_flag(system_logger, self()),
    Self = self(),
    Self = erlang:system_info(system_logger),
    Self = erlang:system_flag(system_logger, undefined),
    undefined = erlang:system_flag(system_logger, Old),
    {'EXIT', {badarg, _}} = (catch erlang:system_flag(system_logger, {x})),
    ok.
times(_) ->
    undefined = erlang:statistics(scheduler_wall_time),
    false = erlang:system_flag(scheduler_wall_time, true),
    [{1, Active, Total} | _] = lists:sort(erlang:statistics(scheduler_wall_time)),
    true = Active =< Total,
    true = erlang:system_flag(scheduler_wall_time, false).
microstates(_) ->
    false = erlang:system_flag(microstate_accounting, true),
    [#{counters := #{}, id := _, type := _} | _] = erlang:statistics(microstate_accounting),
    _ = erlang:system_flag(microstate_accounting, false).
internal_state(_) ->
    true = is_integer(erts_debug:get_internal_state(next_pid)),
    true = is_integer(erts_debug:get_internal_state(next_port)),
    running = erts_debug:get_internal_state({process_status, self()}),
    waiting = begin P = waiting(), receive after 1 -> ok end, erts_debug:get_internal_state({process_status, P}) end,
    undefined = erts_debug:get_internal_state({channel_number, a@b}),
    {{node_references, _}, {dist_references, _}} = erts_debug:get_internal_state(node_and_dist_references).
lists_of_links(_) ->
    Pid = waiting(),
    true = lists:any(fun(L) -> element(3, L) =:= Pid end, erts_debug:get_internal_state({link_list, self()})),
    Monitor = monitor(process, Pid),
    true = lists:any(fun(M) -> element(4, M) =:= Monitor end, erts_debug:get_internal_state({monitor_list, self()})).
made_binary(_) ->
    <<0:1000/unit:8>> = erts_debug:set_internal_state(binary, 1000),
    true = erts_debug:set_internal_state(reds_left, 1),
    ok = erts_debug:set_internal_state(wait, deallocations).
no_connection(_) ->
    process_flag(trap_exit, true),
    {Pid, Monitor} = spawn_monitor('a@b.invalid', lists, seq, [1, 2]),
    receive {'DOWN', Monitor, process, Pid, noconnection} -> ok end,
    Linked = spawn_link('a@b.invalid', lists, seq, [1, 2]),
    receive {'EXIT', Linked, noconnection} -> ok end,
    Request = spawn_request('a@b.invalid', lists, seq, [1, 2], []),
    receive {spawn_reply, Request, error, noconnection} -> ok end,
    Tagged = spawn_request('a@b.invalid', lists, seq, [1, 2], [{reply_tag, tag}]),
    receive {tag, Tagged, error, noconnection} -> ok end,
    {badrpc, nodedown} = rpc:call('a@b.invalid', lists, seq, [1, 2]),
    {'EXIT', {{erpc, noconnection}, _}} = (catch erpc:call('a@b.invalid', lists, seq, [1, 2])),
    ok.
