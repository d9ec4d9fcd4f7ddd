#!/usr/bin/env escript
%%! +S 2
%% The native functions of module erlang that concern one process, called by
%% Fathom's machine and by OTP: with every combination of interesting values (good
%% and bad), with random arguments, and in short scripts. Value, or class and
%% reason of the exception and the top frame of its stack trace, must be equal.
%%
%% Thousands of calls go into one generated module, which both run.
%%
%%   bifs_erlang_test.escript [FAMILY...]   SEED=n, SCALE=n, SHOW=n in the environment
-mode(compile).
-include("fathom_port.hrl").

main(Wanted) ->
    os:putenv("TZ", "UTC"),
    rand:seed(exsss, list_to_integer(os:getenv("SEED", "1"))),
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_bifs." ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    Families = [F || {Name, _} = F <- families(), wanted(Name, Wanted)],
    Counts = [check_family(Dir, Name, Calls()) || {Name, Calls} <- Families]
        ++ [check_scripts(Dir) || wanted(scripts, Wanted)]
        ++ [check_halts() || wanted(halt, Wanted)]
        ++ [check_display(Dir) || wanted(display, Wanted)],
    _ = [file:delete(F) || F <- filelib:wildcard(filename:join(Dir, "*"))],
    file:del_dir(Dir),
    {Passed, Failed} = lists:unzip(Counts),
    summary(lists:sum(Passed), lists:sum(Failed)).

wanted(Name, Wanted) -> Wanted =:= [] orelse lists:member(atom_to_list(Name), Wanted).

families() ->
    [{one_argument, fun one_argument/0},
     {two_arguments, fun two_arguments/0},
     {three_arguments, fun three_arguments/0},
     {by_hand, fun by_hand/0},
     {facts, fun facts/0},
     {floats, fun floats/0},
     {integers, fun integers/0},
     {atoms, fun atoms/0},
     {iolists, fun iolists/0},
     {lists, fun lists/0},
     {terms, fun terms/0},
     {times, fun times/0},
     {packets, fun packets/0},
     {checksums, fun checksums/0}].

scale(N) -> N * list_to_integer(os:getenv("SCALE", "1")).
repeat(N, Fun) -> [Fun() || _ <- lists:seq(1, scale(N))].

%% --- running and comparing

%% A call: {Name, Arguments}, of module erlang.
check_family(Dir, Family, Calls) ->
    {Passed, Failed} = lists:unzip([check_batch(Dir, Family, C) || C <- chunks(lists:usort(Calls))]),
    io:format("~w: ~w calls, ~w different~n", [Family, lists:sum(Passed ++ Failed), lists:sum(Failed)]),
    {lists:sum(Passed), lists:sum(Failed)}.

chunks([]) -> [];
chunks(Calls) ->
    {Some, Others} = lists:split(min(2000, length(Calls)), Calls),
    [Some | chunks(Others)].

check_batch(Dir, Family, Calls) ->
    Expected = run_otp(Dir, batch(Calls)),
    compare(Family, [{F, A} || {F, A} <- Calls], Expected, run_fathom(Dir)).

compare(Family, Titles, Expected, Got) when is_list(Got), length(Got) =:= length(Expected) ->
    Different = [{T, E, G} || {T, E, G} <- lists:zip3(Titles, Expected, Got), not same(E, G)],
    show(Family, Different),
    {length(Expected) - length(Different), length(Different)};
compare(Family, Titles, _, Got) ->
    io:format("DIFFERENT ~w: the machine gave no list of results: ~ts~n", [Family, shown(Got)]),
    {0, length(Titles)}.

%% OTP breaks off long computations, which shows in the frame: md5_trap.
same(Same, Same) -> true;
same({Class, Reason, {erlang, Name, _, _}}, {Class, Reason, {erlang, _, _, _}}) ->
    lists:suffix("_trap", atom_to_list(Name));
same(_, _) -> false.

%% Of each function the shortest calls that differ: SHOW of them.
show(Family, Different) ->
    Name = fun({{N, _}, _, _}) -> N; ({Script, _, _}) -> Script end,
    Show = list_to_integer(os:getenv("SHOW", "2")),
    [begin
         Mine = lists:sort(fun(A, B) -> erts_debug:flat_size(A) =< erts_debug:flat_size(B) end,
                           [D || D <- Different, Name(D) =:= N]),
         [print_difference(io_lib:format("~w (1 of ~w): ~ts", [Family, length(Mine), shown(T)]), E, G)
          || {T, E, G} <- lists:sublist(Mine, Show)]
     end || N <- lists:usort([Name(D) || D <- Different])].

%% Fathom's answer is one term, as io:format's ~tp prints it.
run_fathom(Dir) ->
    {Text, _} = fathom_output(["run", "--quiet", "-e", "fathom_batch:all()",
                               filename:join(Dir, "fathom_batch.erl")]),
    try
        {ok, Tokens, _} = erl_scan:string(unicode:characters_to_list(Text) ++ "."),
        {ok, Term} = erl_parse:parse_term(Tokens),
        Term
    catch _:_ -> {unreadable, Text}
    end.

fathom_output(Args) ->
    Fathom = os:getenv("FATHOM", filename:absname("build/fathom")),
    Port = open_port({spawn_executable, Fathom}, [binary, exit_status, stderr_to_stdout, {args, Args}]),
    collect(Port, []).

collect(Port, Acc) ->
    receive
        {Port, {data, Data}} -> collect(Port, [Acc | Data]);
        {Port, {exit_status, Status}} -> {iolist_to_binary(Acc), Status}
    end.

run_otp(Dir, Text) ->
    File = filename:join(Dir, "fathom_batch.erl"),
    ok = file:write_file(File, unicode:characters_to_binary(Text)),
    {ok, fathom_batch, Code, _} = compile:file(File, [binary, return]),
    {module, fathom_batch} = code:load_binary(fathom_batch, File, Code),
    Result = in_new_process(fun() -> fathom_batch:all() end),
    code:purge(fathom_batch),
    code:delete(fathom_batch),
    code:purge(fathom_batch),
    Result.

in_new_process(Fun) ->
    {Pid, Ref} = spawn_monitor(fun() -> exit({result, Fun()}) end),
    receive {'DOWN', Ref, process, Pid, {result, Result}} -> Result;
            {'DOWN', Ref, process, Pid, Other} -> {crashed, Other}
    end.

%% Arguments that are not literals stand for themselves as '$self', '$ref', '$fun'.
batch(Calls) ->
    [prelude(),
     "all() -> [call(F, A) || {F, A} <- calls()].\n",
     "calls() -> [\n", lists:join(",\n", [io_lib:format("~0tp", [C]) || C <- Calls]), "].\n"].

prelude() ->
    "-module(fathom_batch).\n"
    "-compile([nowarn_deprecated_function]).\n"
    "-export([all/0, call/2, try_it/1, exported/1]).\n"
    "-attribute(value).\n"
    "-attribute([one, two]).\n"
    "-callback one(a) -> b.\n"
    "-callback two(X :: a, b) -> b; (c, d) -> e.\n"
    "-optional_callbacks([two/2]).\n"
    "exported(X) -> X.\n"
    "call(Name, Arguments) ->\n"
    "    Given = [given(A) || A <- Arguments],\n"
    "    try_it(fun() -> apply(erlang, Name, Given) end).\n"
    "given('$self') -> self();\n"
    "given('$ref') -> make_ref();\n"
    "given('$fun') -> fun fathom_batch:exported/1;\n"
    "given('$closure') -> Self = self(), fun(X) -> {Self, X} end;\n"
    "given(Other) -> Other.\n"
    "try_it(Fun) ->\n"
    "    try Fun() of Value -> {value, plain(Value)}\n"
    "    catch Class:Reason:Trace -> {Class, plain(Reason), frame(Trace)}\n"
    "    end.\n"
    "frame([{erlang, _, Arguments, _} = Frame | _]) when is_list(Arguments) -> plain(Frame);\n"
    "frame([{Module, Name, Arity, _} | _]) when is_integer(Arity) -> {Module, Name, Arity};\n"
    "frame(_) -> none.\n"
    "plain(V) when is_pid(V) -> '$pid';\n"
    "plain(V) when is_reference(V) -> '$ref';\n"
    "plain(V) when is_port(V) -> '$port';\n"
    "plain(V) when is_function(V) -> '$fun';\n"
    "plain([H | T]) -> [plain(H) | plain(T)];\n"
    "plain(V) when is_tuple(V) -> list_to_tuple(plain(tuple_to_list(V)));\n"
    "plain(V) -> V.\n".

%% --- values

values() ->
    [0, 1, -1, 2, 3, 7, 255, 256, 65536, 1 bsl 31, 1 bsl 59, 1 bsl 61, 1 bsl 62, 1 bsl 63, 1 bsl 64, -(1 bsl 64),
     1 bsl 70, 1.5, -1.5, 0.0, 2.5, 1.0e20, 1.0e308, a, '', true, false, 'Ab c', undefined, infinity, [], [1], "abc",
     [a, b], [a | b], [[]], [[1, 2], <<"x">> | <<"y">>], [256], [-1], [1.0], {}, {a}, {a, b, c}, {1, 2.0},
     #{}, #{a => 1}, #{1 => x, 1.0 => y}, <<>>, <<"abc">>, <<"12">>, <<"1.5">>, <<1:3>>, <<"ab", 5:3>>, <<255, 254>>,
     "12", "-7", "1.5", "+3", '$self', '$ref', '$fun', '$closure'].

few_values() ->
    [0, 1, -1, 2, 16, 1 bsl 64, 1.5, a, latin1, [], [1], "12", [a | b], {}, {a}, {a, b, c}, {1, 2}, #{}, #{a => 1},
     <<>>, <<"abc">>, <<1:3>>, '$self', '$closure'].

fewest_values() -> [0, 1, 2, -1, 1.5, a, [], [1], {a, b}, <<"abc">>, #{a => 1}].

one_argument() ->
    Names = [abs, adler32, append_element, atom_to_binary, atom_to_list, binary_to_atom, binary_to_existing_atom,
             binary_to_float, binary_to_integer, binary_to_list, binary_to_term, bit_size, bitstring_to_list,
             'bnot', bump_reductions, byte_size, ceil, crc32, element, float, float_to_binary, float_to_list, floor,
             fun_info_mfa, get_keys, get, hd, integer_to_binary, integer_to_list, iolist_size, iolist_to_binary,
             iolist_to_iovec, is_atom, is_binary, is_bitstring, is_boolean, is_float, is_function, is_integer,
             is_list, is_map, is_number, is_pid, is_port, is_reference, is_tuple, length, list_to_atom,
             list_to_binary, list_to_bitstring, list_to_existing_atom, list_to_float, list_to_integer, list_to_pid,
             list_to_port, list_to_ref, list_to_tuple, map_size, md5, md5_final, node, 'not', phash2, round, size,
             throw, tl, trunc, tuple_size, tuple_to_list, '+', '-', is_process_alive, module_loaded,
             posixtime_to_universaltime, universaltime_to_posixtime, universaltime_to_localtime,
             localtime_to_universaltime, garbage_collect, seq_trace_info, dt_spread_tag, dt_restore_tag,
             dt_append_vm_tag_data, dt_prepend_vm_tag_data, external_size, term_to_binary, get_module_info, erase,
             error, exit, nif_error],
    [{N, [V]} || N <- Names, V <- values(), not varies(N, [V])]
        ++ [{N, [V]} || N <- [pid_to_list, port_to_list, ref_to_list, fun_to_list, monotonic_time, system_time,
                              time_offset, unique_integer, statistics, system_info, nodes, memory, process_info],
                        V <- [a, 0, -1, 1.5, [], {}, <<>>, #{}, [a], [positive | a], '$unknown'],
                        not fits(N, V)].

%% Here they have a value, and another one in each run.
fits(unique_integer, []) -> true;
fits(memory, []) -> true;
fits(nodes, []) -> false;
fits(_, _) -> false.

%% What depends on the node or its memory.
varies(phash2, ['$self']) -> true;
varies(phash2, ['$ref']) -> true;
varies(phash2, ['$fun']) -> false;
varies(phash2, ['$closure']) -> true;
varies(external_size, [V]) -> lists:member(V, ['$self', '$ref', '$closure']);
varies(term_to_binary, [V]) -> lists:member(V, ['$self', '$ref', '$closure']);
varies(fun_info_mfa, ['$closure']) -> true;
varies(posixtime_to_universaltime, [N]) -> is_integer(N) andalso abs(N) > 1 bsl 50;
varies(_, _) -> false.

two_arguments() ->
    Names = ['+', '-', '*', '/', 'div', 'rem', 'band', 'bor', 'bxor', 'bsl', 'bsr', '++', '--', '==', '/=', '=:=',
             '=/=', '<', '>', '=<', '>=', 'and', 'or', 'xor', append, subtract, append_element, atom_to_binary,
             binary_part, binary_to_atom, binary_to_existing_atom, binary_to_integer, crc32, adler32, delete_element,
             element, float_to_binary, float_to_list, fun_info, integer_to_binary, integer_to_list, is_function,
             is_map_key, is_record, list_to_integer, make_tuple, map_get, max, min, md5_update, phash2, phash,
             split_binary, term_to_binary, binary_to_term, external_size, get_module_info, process_flag,
             group_leader, localtime_to_universaltime, halt, error, system_flag],
    [{N, [V, W]} || N <- Names, V <- few_values(), W <- few_values(), not varies_2(N, V, W)].

varies_2(N, V, _) when N =:= phash2; N =:= phash; N =:= term_to_binary; N =:= external_size ->
    lists:member(V, ['$self', '$closure']);
varies_2(halt, V, W) -> (is_integer(V) orelse is_list(V)) andalso W =:= [];
varies_2(N, A, B) when N =:= '<'; N =:= '>'; N =:= '=<'; N =:= '>='; N =:= max; N =:= min ->
    is_function_mark(A) andalso is_function_mark(B);
varies_2('bsl', _, B) -> is_integer(B) andalso B > 1 bsl 40;
varies_2('bsr', _, B) -> is_integer(B) andalso B < -(1 bsl 40);
varies_2(N, A, B) when N =:= '=='; N =:= '/='; N =:= '=:='; N =:= '=/='; N =:= '--'; N =:= subtract ->
    is_function_mark(A) andalso is_function_mark(B);
varies_2(fun_info, _, _) -> false;
varies_2(_, _, _) -> false.

is_function_mark(V) -> V =:= '$closure'.

three_arguments() ->
    Names = [setelement, insert_element, make_tuple, is_record, binary_part, binary_to_list, crc32_combine,
             adler32_combine, function_exported, is_builtin, make_fun, send],
    [{N, [U, V, W]} || N <- Names, U <- fewest_values(), V <- fewest_values(), W <- fewest_values(),
                       not (N =:= send andalso (U =:= a orelse U =:= {a, b}))].

%% --- chosen calls

by_hand() ->
    Long = lists:duplicate(255, $x),
    lists:append(
      [[{is_record, A} || A <- [[{a, 1}, a, -1], [{a, 1}, a, 1 bsl 70], [{r, 1}, r], [{"r", 1}, "r"], [{}, r]]],
       [{make_tuple, [3, a, L]} || L <- [[], [{1, x}], [{1, x}, {3, y}, {1, z}], [{0, x}], [{4, x}], [{1, x} | a],
                                         [x], [{1}], [{1.0, x}]]],
       [{make_tuple, [N, a]} || N <- [1 bsl 24, 1 bsl 70, -1]],
       [{setelement, [I, {a, b, c}, x]} || I <- [0, 1, 2, 3, 4, -1, 1.0, 1 bsl 64]],
       [{insert_element, [I, {a, b, c}, x]} || I <- [0, 1, 2, 3, 4, 5, -1]],
       [{delete_element, [I, {a, b, c}]} || I <- [0, 1, 2, 3, 4, -1]],
       [{binary_part, [B, P]} || B <- [<<"abcde">>, <<"abc", 1:3>>, <<>>],
                                 P <- [{0, 1}, {0, 5}, {5, 0}, {5, -5}, {6, 0}, {0, 6}, {2, -3}, {-1, 1}, {3, -1},
                                       {1 bsl 64, 0}, {0, 1 bsl 64}, {0, -(1 bsl 63)}, {a, 1}, {1}, {1 bsl 62, 1 bsl 62}]],
       [{binary_to_list, [<<"abcde">>, F, T]} || F <- [0, 1, 3, 5, 6], T <- [0, 1, 3, 5, 6]],
       [{binary_to_list, [<<"ab", 1:3>>, F, T]} || F <- [1, 2, 3], T <- [1, 2, 3]],
       [{split_binary, [B, N]} || B <- [<<"abc">>, <<"abc", 5:3>>, <<>>, <<1:3>>], N <- [0, 1, 3, 4, -1, 1 bsl 64]],
       [{is_function, [F, N]} || F <- ['$fun', '$closure', a], N <- [0, 1, 2, 255, 256, -1, 1 bsl 64, -(1 bsl 64), a]],
       [{fun_info, ['$fun', I]} || I <- [module, name, arity, env, type, index, uniq, new_index, new_uniq, pid, foo]],
       [{fun_info, ['$closure', I]} || I <- [module, arity, env, type, pid, foo]],
       [{list_to_atom, [L]} || L <- [Long, [$x | Long], [$x | Long] ++ [a], Long ++ a, [16#10FFFF], [16#110000],
                                     [16#D800], [-1], [0], [1.0], lists:duplicate(255, 16#3b1),
                                     lists:duplicate(256, 16#3b1), "fathom" ++ [a], "fathom" ++ a]],
       [{list_to_existing_atom, [L]} || L <- ["erlang", "no such atom 1", "no such atom 1", Long ++ "y", [a]]],
       [{binary_to_atom, [B, E]} || E <- [latin1, utf8, unicode, foo],
                                    B <- [list_to_binary(Long), list_to_binary([$x | Long]), <<16#3b1/utf8>>, <<255>>,
                                          list_to_binary([Long, 255]), list_to_binary([Long, $x, 255]), <<16#D8, 0>>,
                                          unicode:characters_to_binary(lists:duplicate(255, 16#3b1)),
                                          unicode:characters_to_binary(lists:duplicate(256, 16#3b1)), <<1:3>>, <<0>>]],
       [{binary_to_existing_atom, [B, E]} || E <- [latin1, utf8, foo],
                                             B <- [<<"erlang">>, <<"no such atom 2">>, list_to_binary([$x | Long]), <<255>>]],
       [{atom_to_binary, [A, E]} || A <- [abc, '', 'h\x{e9}', '\x{3b1}'], E <- [latin1, utf8, unicode, foo]],
       [{atom_to_list, [A]} || A <- ['h\x{e9}', '\x{3b1}', '\x{1F600}', '\0']],
       [{list_to_pid, [L]} || L <- ["<0.1.0>", "<1.1.0>", "<0.1>", "<0.1.0", "<0.1.0>x", "<0.268435456.0>",
                                    "<0.99999.0>", "<0.1.8192>", "<0.1.4294967296>", "<0.01.0>", "<0. 1.0>", "<0.-1.0>", "", "<>"]],
       [{list_to_ref, [L]} || L <- ["#Ref<0.1.2.3>", "#Ref<0.1>", "#Ref<0.1.2>", "#Ref<0.1.2.3.4>", "#Ref<1.1.2.3>",
                                    "#Ref<0.1.2.262144>", "#Ref<0.4294967296.2.2>", ""]],
       [{list_to_port, [L]} || L <- ["#Port<0.1>", "#Port<1.1>", "#Port<0.1", "#Port<0.268435456>", ""]],
       [{unique_integer, [L]} || L <- [a, [a], [positive | a], {positive}]],
       [{N, [R]} || N <- [monotonic_time, system_time, time_offset],
                    R <- [0, -1, foo, minute, 1.5, [], 'Second', 0.0, -(1 bsl 70)]],
       [{send, [D, m]} || D <- [1, "x", {a}, {1, node}, <<>>, #{}]],
       [{send, ['$self', m, O]} || O <- [a, [], [noconnect], [nosuspend], [x], [noconnect | a], [noconnect, nosuspend]]],
       [{'!', ['$self', m]}],
       [{process_flag, [F, V]} || {F, V} <- [{trap_exit, a}, {trap_exit, false}, {priority, normal}, {priority, foo},
                                            {error_handler, error_handler}, {error_handler, 1}, {min_heap_size, -1},
                                            {min_heap_size, a}, {min_bin_vheap_size, a}, {max_heap_size, a},
                                            {max_heap_size, 0}, {message_queue_data, on_heap}, {message_queue_data, x},
                                            {save_calls, 0}, {save_calls, -1}, {save_calls, 10001}, {sensitive, false},
                                            {sensitive, 1}, {fullsweep_after, -1}, {foo, 1}]],
       [{garbage_collect, ['$self', O]} || O <- [a, [], [a], [{type, major}], [{type, minor}], [{type, x}]]],
       [{is_builtin, [erlang, F, A]} || {F, A} <- [{min, 2}, {max, 2}, {apply, 2}, {apply, 3}, {halt, 0}, {self, 0},
                                                   {atom_to_binary, 1}, {atom_to_binary, 2}, {garbage_collect, 0}, {foo, 0}]],
       [{function_exported, [M, F, A]} || {M, F, A} <- [{lists, map, 2}, {lists, foo, 2}, {erlang, element, 2},
                                                        {erlang, min, 2}, {nomod, b, 1}, {lists, module_info, 0},
                                                        {fathom_batch, exported, 1}, {fathom_batch, given, 1},
                                                        {fathom_batch, module_info, 1}, {a, b, -1}, {a, b, 256}]],
       [{module_loaded, [M]} || M <- [lists, erlang, fathom_batch, nomod, 1]],
       [{nodes, [K]} || K <- [hidden, visible, connected, this, foo, [this], [], [foo]]],
       [{process_info, ['$self', I]} || I <- [status, message_queue_len, messages, links, monitors,
                                             registered_name, error_handler, priority, last_calls, suspending, min_heap_size,
                                             message_queue_data, sequential_trace_token, foo, [], [status, foo], [a | b],
                                             [registered_name, priority], 1]],
       [{system_flag, [F, V]} || {F, V} <- [{backtrace_depth, 8}, {backtrace_depth, a}, {fullsweep_after, 65535},
                                            {min_heap_size, 233}, {trace_control_word, 0}, {foo, 1}, {1, 2},
                                            {scheduler_wall_time, false}]],
       [{halt, [S]} || S <- [a, -1, 1.0, [a], {}, "x" ++ a]],
       [{halt, [0, O]} || O <- [[x], x, [{flush, a}], [{flush, true} | x], [{flush, true}, y]]],
       [{get_module_info, [M]} || M <- [nomod, 1]],
       [{get_module_info, [fathom_batch, I]} || I <- [module, native, nifs, foo, 1]],
       [{seq_trace, [sequential_trace_token, []]}, {seq_trace_print, [x]}, {seq_trace_print, [1, x]}],
       [{N, []} || N <- [node, nodes, group_leader, self, make_ref, dt_get_tag, dt_get_tag_data, garbage_collect,
                         yield, pre_loaded]],
       [{raise, [C, r, T]} || C <- [error, exit, throw, foo], T <- [[], [{m, f, 1, []}], a, [a]]],
       [{error, [r, A]} || A <- [none, [], [1], a]]]).

%% Those that a program may rely on.
facts() ->
    [{system_info, [K]} || K <- [otp_release, version, machine, wordsize, {wordsize, internal}, {wordsize, external}, {wordsize, x},
                                 endian, atom_limit, process_limit, port_limit, ets_limit, system_architecture, threads,
                                 smp_support, heap_type, build_type, debug_compiled, emu_type, compat_rel, creation,
                                 driver_version, nif_version, fullsweep_after, min_heap_size, min_bin_vheap_size,
                                 max_heap_size, garbage_collection, message_queue_data, time_correction, time_offset,
                                 time_warp_mode, tolerant_timeofday, dynamic_trace, dynamic_trace_probes,
                                 modified_timing_level, trace_control_word, start_time, end_time, delayed_node_table_gc,
                                 dist_buf_busy_limit, cpu_quota, multi_scheduling_blockers, scheduler_bind_type,
                                 port_parallelism, eager_check_io, update_cpu_info, foo, {foo, 1}, 1, "x", [], {}]].

%% --- random ones

pick(List) -> lists:nth(rand:uniform(length(List)), List).

floats() ->
    Options = fun() ->
                      N = pick([0, 1, 2, 3, 5, 10, 15, 16, 17, 18, 19, 20, 25, 40, 100, 249, 250, 253, 254, -1]),
                      pick([[{decimals, N}], [{decimals, N}, compact], [compact, {decimals, N}], [{scientific, N}],
                            [{scientific, N}, compact], [short], [short, compact], [compact], [], [{decimals, N}, short],
                            [short, {scientific, N}], [{decimals, N}, {scientific, N}], [{scientific, N}, {decimals, N}],
                            [foo], [{decimals, a}], [{foo, N}], foo, [compact | foo]])
              end,
    Tricky = [0.0, -0.0, 0.5, 1.5, 2.5, 0.15, 1.005, 0.05, 0.95, 0.995, 9.995, 99.9999999, -0.001, -0.5, 1.0e15, 1.0e16,
              9007199254740992.0, 9007199254740993.0, 9007199254740991.5, 1.0e22, 1.0e23, 1.7976931348623157e308,
              4.9e-324, 2.2250738585072014e-308, 123456.789, 1.0e-5, 123456789012345680.0, 4503599627370496.5, 0.1, 0.2, 0.3],
    Texts = ["1,0", "1.0e400", "1.0e-400", "1.0e", "+1.5", "-1.5", "1.", "1e5", ".5", " 1.0", "1.0 ", "1.0E5", "1.0e+5",
             "1.0e-5", "--1.0", "00.5", "1.5e0005", "1.5e", "1.5e+", "1.5x", "", "-", "inf", "nan", "0x1.8p1", "1.0e308",
             "1.8e308", "4.9e-324", "1.0e-330", "1_0.0", "1.0\0", "1.5e5.5", "99999999999999999999.5", "-0.0"],
    [{F, [V, O]} || V <- Tricky, O <- [[{decimals, D}] || D <- [0, 1, 2, 3, 17, 18, 19, 30]] ++ [[short], [{scientific, 5}]],
                    F <- [float_to_list]]
        ++ [{F, [V]} || V <- Tricky, F <- [float_to_list, float_to_binary, round, trunc, floor, ceil, abs]]
        ++ [{list_to_float, [T]} || T <- Texts] ++ [{binary_to_float, [list_to_binary(T)]} || T <- Texts]
        ++ [{list_to_float, [[$1, 256]]}, {list_to_float, ["1.0" ++ a]}]
        ++ repeat(1500, fun() -> {pick([float_to_list, float_to_binary]), [random_float(), Options()]} end)
        ++ repeat(300, fun() -> {pick([round, trunc, floor, ceil, float, abs]), [random_number()]} end)
        ++ repeat(300, fun() -> {list_to_float, [float_to_list(random_float(), [{scientific, rand:uniform(20)}])]} end).

random_float() ->
    case rand:uniform(4) of
        1 -> (rand:uniform() - 0.5) * math:pow(10, rand:uniform(40) - 20);
        2 -> rand:uniform(100000) / 100;
        3 -> -(rand:uniform(1000000) / 1000);
        4 ->
            <<S:1, _:11, M:52>> = <<(rand:uniform(1 bsl 64) - 1):64>>,
            E = rand:uniform(2046),
            <<F/float>> = <<S:1, E:11, M:52>>,
            F
    end.

random_number() -> pick([random_float(), random_integer()]).

random_integer() ->
    N = rand:uniform(1 bsl pick([1, 8, 30, 58, 59, 60, 61, 62, 63, 64, 65, 100, 200])) - 1,
    pick([N, -N]).

integers() ->
    Bad = ["", "-", "+", "--1", "1-", " 1", "1 ", "1a", "0x1", "1.0", "١", "1_000", [$1, 256], [$1 | a], "+-1"],
    repeat(400, fun() -> {pick([integer_to_list, integer_to_binary]), [random_integer(), rand:uniform(40) - 1]} end)
        ++ repeat(100, fun() -> {pick([integer_to_list, integer_to_binary]), [random_integer()]} end)
        ++ repeat(300, fun() ->
                               Base = rand:uniform(35) + 1,
                               Case = pick([fun(T) -> T end, fun string:lowercase/1]),
                               Text = Case(
                                        pick(["", "+", "0", "000"]) ++ integer_to_list(abs(random_integer()), Base)),
                               pick([{list_to_integer, [Text, Base]}, {binary_to_integer, [list_to_binary(Text), Base]},
                                     {list_to_integer, [Text, rand:uniform(36)]},
                                     {binary_to_integer, [list_to_binary(Text), rand:uniform(36)]}])
                       end)
        ++ [{list_to_integer, [T]} || T <- Bad]
        ++ [{list_to_integer, [T, B]} || T <- Bad, B <- [2, 10, 16, 36, 37, 1, 0, -1, a]]
        ++ [{binary_to_integer, [list_to_binary(T), B]} || T <- lists:sublist(Bad, 10), B <- [2, 10, 16, 36, 37, 1]]
        ++ repeat(300, fun() -> {pick(['+', '-', '*', 'div', 'rem', 'band', 'bor', 'bxor']), [random_integer(), random_integer()]} end)
        ++ repeat(200, fun() -> {pick(['bsl', 'bsr']), [random_integer(), rand:uniform(200) - 100]} end).

atoms() ->
    Character = fun() -> pick([rand:uniform(127), rand:uniform(256), rand:uniform(16#3000), rand:uniform(16#110000)]) end,
    Text = fun() -> [Character() || _ <- lists:seq(1, pick([0, 1, 5, 254, 255, 256]))] end,
    repeat(100, fun() -> {list_to_atom, [Text()]} end)
        ++ repeat(100, fun() -> {binary_to_atom, [to_binary(Text()), pick([utf8, latin1, unicode])]} end)
        ++ repeat(100, fun() -> {binary_to_atom, [rand:bytes(rand:uniform(6)), pick([utf8, latin1])]} end).

to_binary(Text) -> << <<(max(0, C))/utf8>> || C <- Text, C < 16#D800 orelse C > 16#DFFF, C < 16#110000 >>.

iolists() ->
    Names = [iolist_to_binary, iolist_size, list_to_binary, list_to_bitstring, iolist_to_iovec, md5, crc32, adler32],
    repeat(600, fun() -> {pick(Names), [random_iolist(5)]} end)
        ++ [{iolist_to_iovec, [L]} || L <- long_iolists()]
        ++ repeat(100, fun() -> {pick([bitstring_to_list, binary_to_list, bit_size, byte_size, size]), [random_bits()]} end).

long_iolists() ->
    B = fun(N) -> binary:copy(<<1>>, N) end,
    I = fun(N) -> lists:duplicate(N, 1) end,
    [[B(1000)], B(1000), B(20), [B(1000), B(1000)], [B(300), B(300)], [B(200), B(300)], [B(200), B(100), B(300)],
     [B(255), B(256)], [B(256), B(256)], [B(256), 1, B(256)], [B(257), B(10)], [B(257), B(10), B(600)],
     [1, B(1000), 2, B(255)], [I(300), B(300)], [I(300), B(200)], [I(256), B(300)], [I(255), B(300)],
     [B(64), B(65), B(66)], [B(600) | B(7)], [1, B(510)], [1, B(511)], [[], [<<>>]], <<>>].

random_iolist(0) -> pick([[], <<"z">>]);
random_iolist(Depth) ->
    Items = [case rand:uniform(8) of
                 1 -> random_iolist(Depth - 1);
                 2 -> rand:bytes(rand:uniform(80));
                 3 -> [];
                 4 -> pick([<<1:3>>, 256, a, 5, 6, 7, 8, <<>>, -1, 1.0, [[[9]]]]);
                 _ -> rand:uniform(256) - 1
             end || _ <- lists:seq(1, rand:uniform(8))],
    case rand:uniform(12) of
        1 -> Items ++ <<"tail">>;
        2 -> Items ++ 7;
        3 -> rand:bytes(3);
        _ -> Items
    end.

random_bits() ->
    Bytes = rand:bytes(rand:uniform(100)),
    Size = rand:uniform(bit_size(Bytes)),
    <<Bits:Size/bits, _/bits>> = Bytes,
    Bits.

lists() ->
    Item = fun() -> pick([1, 2, 3, 4, 1.0, 2.0, a, b, "a", {1}, {1.0}, [], #{a => 1}, <<"x">>, 1 bsl 70]) end,
    Items = fun() -> [Item() || _ <- lists:seq(1, pick([0, 1, 3, 7, 9, 20, 100]))] end,
    repeat(300, fun() -> {pick(['--', subtract]), [Items(), Items()]} end)
        ++ repeat(50, fun() -> {pick(['++', append]), [Items(), pick([Items(), a, Items() ++ b])]} end)
        ++ repeat(50, fun() -> {'--', [Items() ++ pick([[], a]), Items() ++ pick([[], a])]} end)
        ++ [{'--', [lists:seq(1, 3000), lists:seq(2, 6000, 2)]}, {'--', [lists:seq(1, 100), lists:seq(100, 1, -1)]},
            {'--', [[0.0, a], [-0.0]]}, {'--', [[{0.0}, a | lists:seq(1, 20)], [{-0.0} | lists:seq(2, 20)]]},
            {length, [lists:seq(1, 5000)]}, {list_to_tuple, [lists:seq(1, 300)]}].

terms() ->
    Options = [[], [compressed], [{compressed, 0}], [{compressed, 9}], [{compressed, 10}], [{minor_version, 0}],
               [{minor_version, 1}], [{minor_version, 2}], [{minor_version, 3}], [foo], foo, [compressed | foo],
               [{minor_version, 0}, compressed], [deterministic], [deterministic, compressed], [{deterministic, true}]],
    repeat(400, fun() -> {phash2, [random_term(4)]} end)
        ++ repeat(100, fun() -> {phash2, [random_term(4), pick([1, 2, 1000, 1 bsl 27, 1 bsl 31, 1 bsl 32])]} end)
        ++ repeat(200, fun() -> {phash, [random_term(4), pick([1, 2, 1000, 1 bsl 27, 1 bsl 31, 1 bsl 32])]} end)
        ++ repeat(200, fun() -> {term_to_binary, [random_term(4)]} end)
        ++ repeat(100, fun() -> {term_to_binary, [random_term(4), pick(Options)]} end)
        ++ [{term_to_binary, [maps:from_list([{K, x} || K <- [1.0, a, {b}, "c" | lists:seq(-20, 20)]]), [deterministic]]}]
        ++ repeat(100, fun() -> {external_size, [random_term(4)]} end)
        ++ repeat(200, fun() -> {binary_to_term, [term_to_binary(random_term(4), pick([[], [compressed], [{minor_version, 2}]]))]} end)
        ++ repeat(100, fun() -> {binary_to_term, [term_to_binary(random_term(3)), pick([[used], [safe], [safe, used], foo, [foo], []])]} end)
        ++ repeat(200, fun() -> {binary_to_term, [damaged(term_to_binary(random_term(3)))]} end)
        ++ repeat(200, fun() -> {pick(['==', '=:=', '<', '>', '=<', max, min]), [random_term(3), random_term(3)]} end)
        ++ repeat(100, fun() -> T = random_term(3), {pick(['==', '=:=']), [T, T]} end).

damaged(Bytes) ->
    N = rand:uniform(byte_size(Bytes)) - 1,
    <<Before:N/binary, B, After/binary>> = Bytes,
    case rand:uniform(3) of
        1 -> Before;
        2 ->
            %% The tags from 73 to 76 are for OTP itself: it reads what lies in its memory.
            Changed = B bxor (1 bsl (rand:uniform(8) - 1)),
            <<Before/binary, (case Changed of T when T >= 73, T =< 76 -> B; T -> T end), After/binary>>;
        3 -> <<Bytes/binary, 1, 2, 3>>
    end.

random_term(0) -> pick([random_integer(), random_float(), a, [], {}, <<>>, <<1:3>>]);
random_term(D) ->
    case rand:uniform(9) of
        1 -> [random_term(D - 1) || _ <- lists:seq(1, rand:uniform(4))];
        2 -> list_to_tuple([random_term(D - 1) || _ <- lists:seq(1, rand:uniform(4))]);
        3 -> maps:from_list([{random_term(D - 1), random_term(D - 1)} || _ <- lists:seq(1, rand:uniform(4))]);
        4 -> random_bits();
        5 -> [random_term(D - 1) | random_term(D - 1)];
        6 -> pick(["text", <<"text">>, 'Atom', '\x{e9}', true, <<"longer than the sixty-four bytes that a heap binary has at most, is it">>]);
        _ -> random_term(0)
    end.

times() ->
    Dates = [{{Y, M, D}, {H, Mi, S}} || Y <- [-1, 0, 1599, 1600, 1901, 1902, 1969, 1970, 2000, 2023, 2024, 2100, 9999], M <- [1, 2, 12],
                                        D <- [1, 28, 29, 31], {H, Mi, S} <- [{0, 0, 0}, {23, 59, 59}]]
        ++ [{{2024, M, D}, T} || M <- [0, 6, 13, a], D <- [0, 30, 31, 32], T <- [{0, 0, 0}, {24, 0, 0}, {0, 60, 0}, {0, 0, 60}, {-1, 0, 0}, {a, 0, 0}, {1, 2}]]
        ++ [a, {a, b}, {{1, 2}, {3, 4, 5}}],
    %% The C library that OTP asks for local times gives up before 1902.
    [{F, [D]} || D <- Dates, F <- [universaltime_to_posixtime, universaltime_to_localtime, localtime_to_universaltime]]
        ++ [{localtime_to_universaltime, [D, pick([true, false, undefined, foo])]} || D <- Dates]
        ++ repeat(200, fun() -> {posixtime_to_universaltime, [rand:uniform(1 bsl 38) - 1 bsl 35]} end).

%% Without option lists that are not proper lists: OTP 25 does not survive them.
packets() ->
    Bytes = [<<>>, <<1>>, <<2, "abc">>, <<0, 2, "abc">>, <<0, 0, 0, 2, "abc">>, <<0, 0, 0>>, <<"abc\ndef">>, <<"abcdef">>,
             <<"\n">>, <<255, 255, 255, 255>>, <<127, 255, 255, 251>>, <<127, 255, 255, 252>>, <<128, 0, 0, 0, 0>>],
    [{decode_packet, [T, B, O]} || T <- [raw, 0, 1, 2, 4, line], B <- Bytes,
                                   O <- [[], [{packet_size, 2}], [{line_length, 2}], [{line_delimiter, $c}]]]
        ++ [{decode_packet, [line, B, O]} || B <- [<<"abc\ndef">>, <<"abcd">>],
                                             O <- [[{K, N}] || K <- [packet_size, line_length, line_delimiter, foo],
                                                               N <- [0, 1, 3, 4, 5, 256, -1, a]]
                                                 ++ [[{line_length, 3}, {packet_size, 2}], [foo]]]
        ++ [{decode_packet, [T, B, O]} || T <- [asn1, cdr, sunrm, fcgi, tpkt, ssl_tls], B <- wire_packets(), O <- [[], [{packet_size, 3}]]]
        ++ [{decode_packet, [T, B, O]} || T <- [http, httph, http_bin, httph_bin], B <- http_packets(), O <- [[], [{packet_size, 12}]]]
        ++ [{decode_packet, [T, <<"abc">>, []]} || T <- [foo, 3, "x", 5]]
        ++ [{decode_packet, [T, X, []]} || T <- [raw, 1, line], X <- [a, "abc", 1]].

%% Packets with headers of all kinds, whole and cut; what fits one type is nonsense to the others.
wire_packets() ->
    Whole = [<<2, 3, "abcd">>, <<16#30, 16#81, 3, "abcd">>, <<16#30, 16#82, 0, 3, "abcd">>, <<16#30, 16#83, 0, 0, 3, "abcd">>,
             <<16#30, 16#84, 0:24, 3, "abcd">>, <<16#30, 16#85, 0:32, 3, "abcd">>, <<16#30, 16#80, "abcd">>,
             <<16#3F, 16#81, 1, 2, "abcd">>, <<16#3F, 1, 2, "abcd">>, <<16#30, 16#84, 255, 255, 255, 255, 1>>,
             <<"GIOP", 1, 0, 0, 0, 3:32, "abcd">>, <<"GIOP", 1, 0, 1, 0, 3:32/little, "abcd">>, <<"GIOX", 0:64, "ab">>,
             <<"GIOP", 1, 0, 0, 0, 16#FFFFFFFF:32, "abcd">>,
             <<16#80, 0, 0, 3, "abcd">>, <<0, 0, 0, 3, "abcd">>, <<255, 255, 255, 255, "abcd">>,
             <<1, 1, 0, 1, 0, 3, 1, 0, "abcde">>, <<2, 1, 0, 1, 0, 3, 1, 0, "abcde">>, <<1, 1, 0, 1, 255, 255, 255, 0, "abcde">>,
             <<3, 0, 0, 7, "abcd">>, <<3, 0, 0, 4, "abcd">>, <<3, 0, 0, 3, "abcd">>, <<4, 0, 0, 7, "abcd">>,
             <<22, 3, 1, 0, 3, "abcd">>, <<99, 3, 3, 0, 0>>, <<23, 3, 1, 255, 255, "abcd">>,
             <<128, 10, 1, 3, 1, "abcdefgh">>, <<128, 3, 1, 3, 1, "abc">>, <<128, 2, 1, 3, 1, "abc">>, <<255, 255, 1, 3, 1, "abc">>],
    [<<>> | lists:usort([binary:part(B, 0, N) || B <- Whole, N <- lists:seq(1, byte_size(B))])].

http_packets() ->
    Requests = [[M, S1, U, S2, V] || M <- ["GET", "G T", "PATCH", ""], S1 <- [" ", "\t ", ""],
                                     U <- ["/", "*", "http:" "//h:80/p", "HTTPS:" "//h", "http:" "//h:x/", "http:" "//h:4294967295", "foo:bar", "foo", ":", ""],
                                     S2 <- [" ", ""], V <- ["HTTP/1.1", "HTTP/12.34 x", "HTTP/1.", "HTTP/", "http/1.1", ""]],
    Responses = ["HTTP/" ++ V ++ S ++ R || V <- ["1.1", "99999999999.0", "1", ".1", ""], S <- [" ", " \t", ""],
                                           R <- ["200 OK", "200", "200OK", "200 ", "abc", "", "99999999999 x y"]],
    Headers = [[N, C, V] || N <- ["host", "HOST", "x-fOO-bar", "content-md5", "", "a b", lists:duplicate(50, $a), lists:duplicate(51, $b), [200]],
                            C <- [":", ": ", " : ", ""], V <- ["value", " v ", "", "a\r\n b", "a\n\tb\n c"]],
    [list_to_binary([L, E]) || L <- Requests ++ Responses ++ Headers, E <- [pick(["", "\n", "\r\n", "\r\r\n"]), "\r\nx"]]
        ++ [<<"\r\n">>, <<"\n">>, <<"\r\nx">>, <<"\r">>, <<>>, <<"a\n b">>, <<"a\n b\n c">>].

checksums() ->
    repeat(100, fun() -> {md5, [rand:bytes(rand:uniform(300))]} end)
        ++ repeat(100, fun() -> {pick([crc32, adler32]), [rand:uniform(1 bsl 32) - 1, random_iolist(3)]} end)
        ++ repeat(100, fun() -> {pick([crc32_combine, adler32_combine]),
                                 [rand:uniform(65521 * 65000), rand:uniform(65521 * 65000), rand:uniform(100000)]} end)
        ++ [{N, [X, 1]} || N <- [crc32, adler32], X <- [-1, 1 bsl 32, a, (1 bsl 32) - 1]]
        ++ [{md5_update, [X, Y]} || X <- [<<0:(87 * 8)>>, <<>>, a], Y <- ["a", a]].

%% --- scripts: short functions that do more than one call

scripts() ->
    ["put(a, 1), put(b, 2), R = {put(a, 3), get(a), get(b), get(c), erase(b), get(b), erase(zz), get()}, erase(), {R, get(), get_keys()}",
     "put(a, 1), put(b, 1), put(c, 2), R = {length(get()), length(get_keys(1)), get_keys(2), get_keys(3)}, erase(), R",
     "put({k, 1.0}, x), put({k, 1}, y), R = {get({k, 1}), get({k, 1.0})}, erase(), R",
     "self() ! one, self() ! {two, 2}, receive {two, N} -> receive one -> N end end",
     "erlang:send(self(), x), self() ! y, {messages, L} = process_info(self(), messages), receive x -> receive y -> L end end",
     "self() ! m, R = process_info(self(), message_queue_len), receive m -> R end",
     "receive nothing -> no after 0 -> timed_out end",
     "make_ref() =:= make_ref()",
     "R = make_ref(), R =:= R andalso R =:= list_to_ref(ref_to_list(R))",
     "self() =:= list_to_pid(pid_to_list(self()))",
     "is_reference(make_ref())",
     "A = erlang:unique_integer(), B = erlang:unique_integer(), A =/= B",
     "A = erlang:unique_integer([monotonic]), B = erlang:unique_integer([monotonic]), A < B",
     "erlang:unique_integer([positive]) > 0",
     "A = erlang:monotonic_time(), B = erlang:monotonic_time(), {A =< B, A < 0}",
     "abs(erlang:system_time() - (erlang:monotonic_time() + erlang:time_offset())) < 1000000000",
     "A = erlang:system_time(second), {M, S, _} = os_time(erlang:timestamp()), abs(A - (M * 1000000 + S)) =< 1",
     "erlang:convert_time_unit(1500, millisecond, second)",
     "erlang:convert_time_unit(-1500, millisecond, second)",
     "erlang:convert_time_unit(1, second, nanosecond)",
     "{{Y, _, _}, {H, _, _}} = erlang:universaltime(), {Y >= 2025, H >= 0, H < 24}",
     "erlang:localtime() =:= erlang:universaltime()",
     "{D, T} = {date(), time()}, {tuple_size(D), tuple_size(T)}",
     "{A, B} = {erlang:now(), erlang:now()}, {tuple_size(A), A =< B}",
     "erlang:md5_final(erlang:md5_update(erlang:md5_update(erlang:md5_init(), \"abc\"), [<<\"def\">>, 1]))",
     "C = erlang:md5_update(erlang:md5_init(), lists_of(200)), erlang:md5_final(erlang:md5_update(C, lists_of(77)))",
     "byte_size(erlang:md5_init())",
     "group_leader(self(), self()), R = group_leader() =:= self(), R",
     "process_info(self(), current_function)",
     "{current_location, {M, F, A, [{file, _}, {line, L}]}} = process_info(self(), current_location), {M, F, A, L}",
     "{current_stacktrace, [{M, F, A, _} | _]} = process_info(self(), current_stacktrace), {M, F, A}",
     "X = process_info(self(), [current_function, status]), X",
     "[K || {K, _} <- process_info(self())]",
     "fathom_batch:behaviour_info(callbacks)",
     "fathom_batch:behaviour_info(optional_callbacks)",
     "fathom_batch:behaviour_info(other)",
     "[X || {behaviour_info, _} = X <- fathom_batch:module_info(exports)]",
     "gen_event:behaviour_info(callbacks)",
     "no_such_module:behaviour_info(callbacks)",
     "lists:behaviour_info(callbacks)",
     "process_flag(trap_exit, true), R = {process_flag(trap_exit, false), process_info(self(), trap_exit)}, R",
     "process_flag(priority, high), R = {process_info(self(), priority), process_flag(priority, normal)}, R",
     "fathom_batch:module_info(module)",
     "fathom_batch:module_info(bad_item)",
     "[X || {X, _} <- fathom_batch:module_info(), X =/= md5]",
     "[X || {attribute, X} <- fathom_batch:module_info(attributes)]",
     "[A || {N, _} = A <- fathom_batch:module_info(attributes), N =/= vsn]",
     "[X || {exported, _} = X <- fathom_batch:module_info(exports)]",
     "[X || {module_info, _} = X <- fathom_batch:module_info(exports)]",
     "[X || {given, _} = X <- fathom_batch:module_info(functions)]",
     "M = fathom_batch, M:module_info(module)",
     "apply(fathom_batch, module_info, [module])",
     "F = fun fathom_batch:module_info/1, F(module)",
     "no_such_module:module_info()",
     "erlang:get_module_info(erlang, module)",
     "F = erlang:make_fun(erlang, length, 1), F([1, 2, 3])",
     "F = erlang:make_fun(erlang, length, 1), {erlang:fun_to_list(F), erlang:fun_info(F)}",
     "X = exported(5), F = fun(Y) -> X + Y end, {erlang:fun_info(F, arity), erlang:fun_info(F, env), erlang:fun_info(F, type), erlang:fun_info(F, module)}",
     "X = exported(5), F = fun(Y) -> X + Y end, [K || {K, _} <- erlang:fun_info(F)]",
     "X = exported(5), F = fun(Y) -> X + Y end, {new_uniq, B} = erlang:fun_info(F, new_uniq), byte_size(B)",
     "X = 5, F = fun(Y) -> X + Y end, is_list(erlang:fun_to_list(F))",
     "erlang:error(foo)",
     "erlang:error(foo, [1, 2])",
     "erlang:load_nif(x, 0)",
     "{error, {load_failed, T}} = erlang:load_nif(\"x\", 0), is_list(T)",
     "throw(foo)",
     "exit(foo)",
     "binary_to_term(term_to_binary(self())) =:= self()",
     "R = make_ref(), binary_to_term(term_to_binary(R)) =:= R",
     "F = fun lists:map/2, binary_to_term(term_to_binary(F)) =:= F",
     "iolist_to_binary(deep(100000, []))",
     "erlang:iolist_size(deep(100000, <<\"x\">>))",
     "erlang:list_to_bitstring(deep(1000, [<<1:3>>, 5]))",
     "length(lists_of(100000) -- lists_of(50000))",
     "length(lists_of(100000) ++ lists_of(100000))",
     "erlang:phash2(deep(10000, a))",
     "catch list_to_integer(lists_of_digits(3000))",
     "hd(tl([1, 2, 3]))",
     "element(1, element(2, {a, {b}}))",
     "case {a, 1} of X when element(1, X) =:= a, tuple_size(X) =:= 2 -> yes; _ -> no end",
     "case [1] of X when hd(X) > 0, length(X) =:= 1, tl(X) =:= [] -> yes; _ -> no end",
     "case foo of X when hd(X) > 0 -> yes; X when length(X) > 0 -> yes; _ -> no end",
     "case #{a => 1} of X when map_get(a, X) =:= 1, is_map_key(a, X), map_size(X) =:= 1 -> yes; _ -> no end",
     "case 1.5 of X when round(X) =:= 2, trunc(X) =:= 1, floor(X) =:= 1, ceil(X) =:= 2, abs(X) > 1, float(X) > 1 -> yes; _ -> no end",
     "case <<1, 2>> of X when byte_size(X) =:= 2, bit_size(X) =:= 16, size(X) =:= 2, binary_part(X, 0, 1) =:= <<1>>, binary_part(X, {1, 1}) =:= <<2>> -> yes; _ -> no end",
     "case self() of X when is_pid(X), X =:= self(), node(X) =:= node() -> yes; _ -> no end",
     "{min(1, 1.0), max(1, 1.0), min(1.0, 1), max(1.0, 1), min(a, 1), max([], {})}",
     "erlang:yield()",
     "erlang:bump_reductions(10)",
     "is_process_alive(self())",
     "[is_pid(P) || P <- processes(), P =:= self()]",
     "{_, L} = process_info(self(), links), is_list(L)",
     "is_integer(erlang:memory(total))",
     "[K || {K, _} <- erlang:memory()]",
     "[K || {K, _} <- erlang:memory([atom, ets])]",
     "tuple_size(statistics(runtime)) + tuple_size(statistics(reductions)) + tuple_size(statistics(garbage_collection))",
     "{{input, _}, {output, _}} = statistics(io), ok"].

error_scripts() ->
    [lists:append(["try erlang:error(foo, ", A, ", ", O, ") catch error:R:S -> "
                   "[{M, F, N, [_, _ | E]} | _] = S, {R, M, F, N, E} end"])
     || A <- ["none", "[]", "[1]"],
        O <- ["[]", "[{error_info, #{cause => x}}]", "a", "[a]", "[{error_info, a}]", "[{error_info, #{}}, {a, 1}]"]].

check_scripts(Dir) ->
    Scripts = scripts() ++ error_scripts(),
    Numbered = lists:zip(lists:seq(1, length(Scripts)), Scripts),
    Text = [prelude(),
            "os_time(T) -> T.\n"
            "deep(0, X) -> X;\n"
            "deep(N, X) -> deep(N - 1, [X]).\n"
            "lists_of(N) -> lists_of(N, []).\n"
            "lists_of(0, L) -> L;\n"
            "lists_of(N, L) -> lists_of(N - 1, [N rem 256 | L]).\n"
            "lists_of_digits(0) -> [];\n"
            "lists_of_digits(N) -> [$0 + N rem 10 | lists_of_digits(N - 1)].\n"
            "all() -> [deep(0, a) =:= lists_of_digits(0) orelse lists_of(0) =/= os_time(x) | rest()].\n"
            "rest() -> [", lists:join(", ", [io_lib:format("try_it(fun s~w/0)", [N]) || {N, _} <- Numbered]), "].\n",
            [io_lib:format("s~w() -> ~ts.\n", [N, S]) || {N, S} <- Numbered]],
    Expected = run_otp(Dir, Text),
    {Passed, Failed} = compare(scripts, [first | Scripts], Expected, run_fathom(Dir)),
    io:format("scripts: ~w scripts, ~w different~n", [Passed + Failed, Failed]),
    {Passed, Failed}.

%% The exit code of the program.
check_halts() ->
    Results = [{E, Code, fathom_output(["run", "--quiet", "-e", E])}
               || {E, Code} <- [{"halt()", 0}, {"halt(3)", 3}, {"halt(7, [])", 7}, {"halt(0, [{flush, false}])", 0},
                                {"begin erlang:display({a, [1]}), halt(4) end", 4}]],
    Wrong = [R || {_, Code, {_, Got}} = R <- Results, Got =/= Code],
    [io:format("DIFFERENT halt: ~0tp~n", [R]) || R <- Wrong],
    io:format("halt: ~w runs, ~w different~n", [length(Results), length(Wrong)]),
    {length(Results) - length(Wrong), length(Wrong)}.

%% What display/1 writes, byte by byte.
check_display(Dir) ->
    Terms = [[C] || C <- lists:seq(0, 256)] ++ [<<C>> || C <- lists:seq(0, 255)]
        ++ values()
        ++ ["a\nb\"c\\", [1000], 'A b', '\x{e9}', '\x{3b1}', [[]], <<1, 2, 3>>, <<"abc", 1>>, <<"ab", 1:3>>, -1.0e-10, 1.0e22,
            #{1 => 2, b => "x"}, [a | "bc"], "a\tb\e", <<"a\n">>, 'if', '', ['\n'], 0.1, [$a | b], ["a", $b], "\r\n", 'a\'b',
            <<"a\"b">>, <<"a\\b">>, 'a@b', aB_1, '1a', 'a\\b', 'a\tb', {<<1:7>>, <<255, 1:1>>}, -0.0, 1.0e100,
            lists:seq(1, 60), lists:duplicate(300, $y), #{a => #{b => [1]}}, [#{}], [[a | b], {c, [d | {e}]}]]
        ++ [random_term(4) || _ <- lists:seq(1, scale(200))],
    ok = file:write_file(filename:join(Dir, "fathom_batch.erl"),
                         unicode:characters_to_binary(
                           ["-module(fathom_batch). -export([all/0]).\n"
                            "all() -> [begin display(T), erlang:display('$end') end || T <- terms()], erlang:halt(0).\n"
                            "display(T) -> erlang:display(T).\n"
                            "terms() -> [\n", lists:join(",\n", [io_lib:format("~0tp", [T]) || T <- Terms]), "].\n"])),
    {ok, _, Code} = compile:file(filename:join(Dir, "fathom_batch.erl"), [binary]),
    ok = file:write_file(filename:join(Dir, "fathom_batch.beam"), Code),
    {Got, 0} = fathom_output(["run", "--quiet", "-e", "fathom_batch:all()", filename:join(Dir, "fathom_batch.erl")]),
    Port = open_port({spawn_executable, os:find_executable("erl")},
                     [binary, exit_status, {args, ["-noshell", "-pa", Dir, "-s", "fathom_batch", "all"]}]),
    {Expected, 0} = collect(Port, []),
    Split = fun(Text) -> binary:split(Text, <<"$end">>, [global]) end,
    Different = [D || {_, E, G} = D <- lists:zip3(Terms ++ ['end'], Split(Expected), Split(Got)), E =/= G],
    [print_difference(io_lib:format("display: ~0tp", [T]), E, G) || {T, E, G} <- Different],
    io:format("display: ~w terms, ~w different~n", [length(Terms), length(Different)]),
    {length(Terms) - length(Different), length(Different)}.
