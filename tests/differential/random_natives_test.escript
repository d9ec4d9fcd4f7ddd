#!/usr/bin/env escript
%%! +S 2
%% Native functions with random arguments, on Fathom's machine and in OTP: the value, or class
%% and reason of the exception with error_info and the two top frames of its trace, must be equal.
%%
%%   random_natives_test.escript [SEED [MODULE:NAME/ARITY...]]
%%
%% Every native function that both have is called, but those of excluded/0. What arguments are
%% plausible is read from the functions' specs; one in five is anything. The generator
%% (random_natives.erl) runs on both machines, with the same seed, so that only results are
%% compared. COUNT (calls of each function), SEED and SECONDS in the environment say how far it goes.
-mode(compile).
-include("fathom_port.hrl").

main(Arguments) ->
    {Seed, Wanted} = case Arguments of
                         [S | Names] -> {list_to_integer(S), Names};
                         [] -> {number("SEED", 1), []}
                     end,
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_random_natives." ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    Natives = [N || {M, F, A, _} = N <- natives(),
                    Wanted =:= [] orelse lists:member(lists:concat([M, ":", F, "/", A]), Wanted)],
    {ok, random_natives, Code} = compile:file("tests/differential/random_natives.erl", [binary, debug_info]),
    {module, random_natives} = code:load_binary(random_natives, "random_natives.erl", Code),
    Until = erlang:monotonic_time(second) + number("SECONDS", 1000000),
    Counts = rounds(Natives, Seed, number("COUNT", 24), Until),
    file:del_dir(Dir),
    {Passed, Failed, Missing} = lists:foldl(fun({P, F, U}, {Ps, Fs, Us}) -> {P + Ps, F + Fs, U + Us} end,
                                            {0, 0, 0}, Counts),
    io:format("~w native functions, ~w calls; ~w of them not modelled~n",
              [length(Natives), Passed + Failed + Missing, Missing]),
    summary(Passed, Failed).

number(Name, Default) ->
    case os:getenv(Name) of
        false -> Default;
        Text -> list_to_integer(Text)
    end.

%% So many calls of each function at once that an answer stays small.
rounds(Natives, Seed, Count, Until) when Count > 0 ->
    Some = min(Count, 24),
    Counts = [check(Group, Seed, Some) || Group <- groups(Natives, 40)],
    case erlang:monotonic_time(second) < Until of
        true -> Counts ++ rounds(Natives, Seed + 1, Count - Some, Until);
        false -> Counts
    end;
rounds(_, _, _, _) -> [].

groups([], _) -> [];
groups(List, N) ->
    {Some, Others} = lists:split(min(N, length(List)), List),
    [Some | groups(Others, N)].

%% {Passed, Failed, Not modelled}. Where Fathom ends without an answer, the halves are tried.
check(Natives, Seed, Count) -> check(Natives, Seed, 1, Count).

check(Natives, Seed, From, To) ->
    Expected = random_natives:run(Natives, Seed, From, To),
    case fathom_results(Natives, Seed, From, To) of
        {ok, Got} when length(Got) =:= length(Expected) ->
            Different = [D || {{Call, E}, {_, G}} = D <- lists:zip(Expected, Got), E =/= G, Call =/= G],
            [io:format("DIFFERENT (seed ~w) ~ts~n  expected ~0tP~n  got      ~0tP~n", [Seed, Call, E, 60, G, 60])
             || {{Call, E}, {_, G}} <- lists:sublist(Different, 12)],
            {length(Expected) - length(Different), length(Different), 0};
        _ when length(Natives) > 1 ->
            {A, B} = lists:split(length(Natives) div 2, Natives),
            sum(check(A, Seed, From, To), check(B, Seed, From, To));
        _ when From < To ->
            Middle = (From + To) div 2,
            sum(check(Natives, Seed, From, Middle), check(Natives, Seed, Middle + 1, To));
        {exit, _, Output} ->
            [{Call, E}] = Expected,
            case string:find(Output, "is not modelled") of
                nomatch ->
                    io:format("DIFFERENT (seed ~w) ~ts~n  expected ~0tP~n  got      ~ts~n", [Seed, Call, E, 60, Output]),
                    {0, 1, 0};
                _ -> {0, 0, 1}
            end;
        Other ->
            io:format("DIFFERENT (seed ~w) ~0tp: ~0tP~n", [Seed, Natives, Other, 60]),
            {0, 1, 0}
    end.

sum({A, B, C}, {D, E, F}) -> {A + D, B + E, C + F}.

fathom_results(Natives, Seed, From, To) ->
    Expression = lists:flatten(io_lib:format("base64:encode(term_to_binary(random_natives:run(~w, ~w, ~w, ~w)))",
                                             [Natives, Seed, From, To])),
    case fathom_value(["tests/differential/random_natives.erl", "--no-project", "--time-limit", "60", "-e",
                       "logger:set_primary_config(level, none), " ++ Expression]) of
        {ok, Text} -> {ok, binary_to_term(base64:decode(Text))};
        Problem -> Problem
    end.

%% --- the functions

%% {Module, Name, Arity, Types of the arguments}
natives() ->
    Known = fathom_natives(),
    [{M, F, A, types(M, F, A)}
     || {M, F, A} = Native <- lists:usort(erlang:system_info(snifs)),
        sets:is_element(Native, Known), not lists:member(Native, excluded()),
        not lists:member({M, F}, excluded()), not lists:member(M, excluded())].

%% `fathom natives` prints a line for each: the function, and whether it is there.
fathom_natives() ->
    Fathom = os:getenv("FATHOM", filename:absname("build/fathom")),
    {match, Found} = re:run(os:cmd(Fathom ++ " natives"), "^'?([a-z_0-9]+)'?:'?([^ ']+)'?/([0-9]+) +(yes|in part)",
                            [global, multiline, {capture, all_but_first, list}]),
    sets:from_list([{list_to_atom(M), list_to_atom(F), list_to_integer(A)} || [M, F, A, _] <- Found]).

%% Modules, functions, or functions of one arity, that end or disturb the test in OTP, that wait,
%% print, or whose arguments no generator can guess.
excluded() ->
    [%% they end the system, the process, or wait for what does not come
     {erlang, halt}, {erlang, exit}, {erlang, hibernate}, {erlang, yield}, {erlang, suspend_process}, {erlang, resume_process},
     {erlang, exit_signal}, {erlang, raise}, {erts_internal, suspend_process}, {erts_internal, await_exit},
     {erlang, group_leader}, {erts_internal, group_leader}, {erts_internal, flush_monitor_messages},
     {erts_internal, await_microstate_accounting_modifications}, {erts_internal, await_port_send_result},
     {erts_internal, await_sched_wall_time_modifications},
     %% they change what all others see
     {erlang, system_flag}, {erlang, register}, {erlang, unregister}, {erlang, set_cpu_topology}, {erlang, load_nif},
     {erlang, load_module}, {erlang, delete_module}, {erlang, purge_module}, {erlang, set_cookie}, {erlang, setnode},
     {erlang, system_monitor}, {erlang, system_profile}, {erts_internal, trace}, {erts_internal, trace_pattern},
     {erlang, seq_trace}, {erlang, seq_trace_print}, {erts_debug, set_internal_state}, {erts_debug, get_internal_state},
     {erts_internal, system_check}, {erts_internal, ets_super_user}, {erts_internal, erase_persistent_terms},
     {persistent_term, get, 0}, {erlang, dist_ctrl_put_data}, {os, putenv}, {os, unsetenv}, {os, set_signal}, {os, set_signal_handler},
     {erts_internal, prepare_loading}, {erts_internal, open_port}, {erts_internal, spawn_init},
     {erts_internal, spawn_system_process}, {erts_internal, dist_spawn_request}, {ets, setopts}, {ets, give_away},
     %% they print
     {erlang, display}, {erlang, display_string}, {erlang, display_nl}, {erts_debug, display},
     %% other processes answer, or the state of BEAM does
     {erts_internal, request_system_task}, {erts_internal, check_process_code}, {erlang, check_process_code},
     {erts_internal, garbage_collect}, {erlang, garbage_collect}, {erts_internal, is_process_alive},
     {erlang, processes}, {erlang, registered}, {erlang, ports}, {erlang, loaded}, {erlang, pre_loaded}, {erlang, memory},
     {erlang, statistics}, {erlang, get_module_info}, {erlang, module_loaded}, {erts_internal, no_aux_work_threads},
     {erts_debug, instructions}, {erts_debug, flat_size}, erl_ddll, {erts_debug, lcnt_control}, {erts_internal, scheduler_wall_time},
     {erlang, finish_loading}, {erlang, has_prepared_code_on_load}, {erts_internal, get_dflags},
     {os, getenv}, {os, get_env_var}, {os, list_env_vars}, {os, env}, {os, getpid}, {os, set_env_var}, {os, unset_env_var},
     {ets, all}, {ets, safe_fixtable}, {ets, new}, {ets, internal_request_all}, {ets, internal_select_delete},
     %% what is timed: timers_test and kernel_test compare those
     {erlang, start_timer}, {erlang, send_after}, {erlang, process_info}, {erlang, spawn_opt}, {erlang, spawn_request},
     {erlang, system_info},
     %% what atoms there are
     {erlang, list_to_existing_atom}, {erlang, binary_to_existing_atom},
     %% OTP does not check the arguments of what it calls only itself, and may crash
     {ets, update_counter, 4},
     erts_internal, erts_debug, prim_file].

%% --- plausible types, from the specs

types(M, F, A) ->
    case overridden(M, F, A) of
        none -> spec_types(M, F, A);
        Types -> Types
    end.

%% Where any number is allowed by the type and too large a one would cost a machine its memory, or
%% where the type says nothing.
overridden(binary, copy, 2) -> [binary, {only, {range, -2, 60}}];
overridden(erlang, make_tuple, 2) -> [{only, {range, -2, 60}}, any];
overridden(erlang, make_tuple, 3) -> [{only, {range, -2, 20}}, any, {list, {tuple, [{range, 0, 22}, any]}}];
overridden(erlang, 'bsl', 2) -> [integer, {range, -80, 80}];
overridden(erts_internal, atomics_new, 2) -> [{only, {range, -1, 50}}, {range, 0, 2}];
overridden(erts_internal, counters_new, 1) -> [{only, {range, -1, 50}}];
overridden(erlang, atom_to_binary, 2) -> [atom, encoding];
overridden(erlang, binary_to_atom, 2) -> [binary, encoding];
overridden(erlang, binary_to_existing_atom, 2) -> [binary, encoding];
%% {bm, Reference} with a reference of another kind crashes BEAM.
overridden(binary, F, 2) when F =:= match; F =:= matches; F =:= split -> [binary, pattern()];
overridden(binary, F, 3) when F =:= match; F =:= matches ->
    [binary, pattern(), {list, {tuple, [{lit, scope}, {tuple, [{range, -3, 9}, {range, -9, 9}]}]}}];
overridden(binary, split, 3) ->
    [binary, pattern(), {list, {union, [{lit, global}, {lit, trim}, {lit, trim_all}, {tuple, [{lit, scope}, {tuple, [{range, 0, 3}, {range, 0, 5}]}]}]}}];
overridden(erlang, nodes, 1) -> [{union, [{lit, this}, {lit, hidden}, {list, {lit, visible}}]}];
overridden(erlang, nodes, 2) -> [{union, [{lit, this}, {lit, hidden}]}, map];
overridden(unicode, bin_is_7bit, 1) -> [binary];
overridden(erlang, F, 2) when F =:= '==' orelse F =:= '=:=' orelse F =:= '<' -> [any, any];
overridden(_, _, _) -> none.

pattern() -> {only, {union, [binary, {list, binary}, atom, integer]}}.

spec_types(M, F, A) ->
    Forms = forms(M),
    Specs = [T || {attribute, _, spec, {Name, [T | _]}} <- Forms, Name =:= {F, A} orelse Name =:= {M, F, A}],
    case Specs of
        [Spec] -> argument_types(Spec, Forms);
        _ -> lists:duplicate(A, any)
    end.

forms(M) ->
    case get({forms, M}) of
        undefined ->
            Forms = case beam_lib:chunks(beam_path(M), [abstract_code]) of
                        {ok, {_, [{abstract_code, {_, Fs}}]}} -> Fs;
                        _ -> []
                    end,
            put({forms, M}, Forms),
            Forms;
        Forms -> Forms
    end.

beam_path(M) ->
    case code:which(M) of
        preloaded -> filename:join([code:lib_dir(erts), "ebin", lists:concat([M, ".beam"])]);
        Path -> Path
    end.

argument_types({type, _, bounded_fun, [Fun, Constraints]}, Forms) ->
    Bound = maps:from_list([{V, T} || {type, _, constraint, [{atom, _, is_subtype}, [{var, _, V}, T]]} <- Constraints]),
    arguments_of(Fun, Forms, Bound);
argument_types(Fun, Forms) -> arguments_of(Fun, Forms, #{}).

arguments_of({type, _, 'fun', [{type, _, product, Types}, _]}, Forms, Bound) ->
    [type(T, Forms, Bound, 6) || T <- Types].

%% A type of the abstract format as random_natives.erl makes values of it.
type(_, _, _, 0) -> any;
type({ann_type, _, [_, T]}, Fs, B, D) -> type(T, Fs, B, D);
type({var, _, V}, Fs, B, D) ->
    case B of
        #{V := T} -> type(T, Fs, maps:remove(V, B), D - 1);
        _ -> any
    end;
type({atom, _, A}, _, _, _) -> {lit, A};
type({integer, _, I}, _, _, _) -> {lit, I};
type({op, _, '-', {integer, _, I}}, _, _, _) -> {lit, -I};
type({type, _, union, Ts}, Fs, B, D) -> {union, [type(T, Fs, B, D - 1) || T <- Ts]};
type({type, _, range, [Low, High]}, _, _, _) -> {range, erl_parse:normalise(Low), erl_parse:normalise(High)};
type({type, _, tuple, any}, _, _, _) -> tuple;
type({type, _, tuple, Ts}, Fs, B, D) -> {tuple, [type(T, Fs, B, D - 1) || T <- Ts]};
type({type, _, nil, []}, _, _, _) -> {lit, []};
type({type, _, List, [T]}, Fs, B, D) when List =:= list; List =:= nonempty_list; List =:= maybe_improper_list ->
    {list, type(T, Fs, B, D - 1)};
type({type, _, 'fun', [{type, _, product, Ts}, _]}, _, _, _) -> {function, length(Ts)};
type({type, _, Name, _}, _, _, _) ->
    case lists:member(Name, [integer, non_neg_integer, pos_integer, neg_integer, float, number, atom, boolean, binary,
                             bitstring, iolist, iodata, string, list, map, tuple, pid, reference, byte, char, module,
                             arity, term, function, node]) of
        true -> Name;
        false -> any
    end;
type({user_type, _, Name, _}, _, _, _) when Name =:= tab; Name =:= table -> table;
type({user_type, _, Name, []}, Fs, _, D) ->
    case [T || {attribute, _, Kind, {N, T, []}} <- Fs, Kind =:= type orelse Kind =:= opaque, N =:= Name] of
        [T] -> type(T, Fs, #{}, D - 1);
        _ -> any
    end;
type({remote_type, _, [{atom, _, ets}, {atom, _, Name}, _]}, _, _, _) when Name =:= tab; Name =:= table -> table;
type(_, _, _, _) -> any.
