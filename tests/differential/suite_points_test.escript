#!/usr/bin/env escript
%%! +S 2
%% What OTP's own test suites look at, on Fathom's machine and in OTP: order in bags, funs through
%% the external format, frames and error_info, flags and facts by every key, limits, language.
%%
%%   suite_points_test.escript [FAMILY...]
-mode(compile).
-include("fathom_port.hrl").
-include("batches.hrl").

main(Wanted) -> check_families(suite_points, families(), Wanted).

families() ->
    [{bags, fun bags/0}, {table_options, fun table_options/0}, {funs, fun funs/0}, {frames, fun frames/0},
     {construction, fun construction/0}, {applied, fun applied/0}, {handlers, fun handlers/0}, {language, fun language/0},
     {patterns, fun patterns/0}, {process_flags, fun process_flags/0}, {system_flags, fun system_flags/0},
     {system_facts, fun system_facts/0}, {process_facts, fun process_facts/0}, {fun_facts, fun fun_facts/0},
     {absent, fun absent/0}, {services, fun services/0}, {limits, fun limits/0}].

%% What expressions may call. e/1: the value, or the exception with its two top frames; s/1: a shape.
helpers() ->
    "-export([undefined_function/3]).\n"
    "-record(bird, {a, b = id(42)}).\n"
    "-record(r, {a}).\n"
    "-compile({inline, [refuse/2]}).\n"
    "id(X) -> X.\n"
    "e(F) -> try {value, F()} catch C:R:S -> {C, R, [frame(X) || X <- lists:sublist(S, 2)]} end.\n"
    "i(F) -> try {value, F()} catch C:R:S -> {C, R, [I || {error_info, I} <- element(4, hd(S))]} end.\n"
    "h(F) -> try {value, F()} catch C:R:S -> {C, R, frame(hd(S))} end.\n"
    "frame({M, F, A, I}) when is_list(A) -> {M, F, [case is_function(X) of true -> 'fun'; false -> X end || X <- A], [X || {error_info, _} = X <- I]};\n"
    "frame({M, F, A, I}) -> {M, F, A, [X || {error_info, _} = X <- I]}.\n"
    "refuse(Reason, Args) -> erlang:error(Reason, Args, [{error_info, #{cause => Reason}}]).\n"
    "picky(X) when is_integer(X) -> X + 1;\n"
    "picky(X) -> refuse(badarg, [X]).\n"
    "s(X) when is_integer(X) -> integer; s(X) when is_float(X) -> float; s(X) when is_pid(X) -> pid;\n"
    "s(X) when is_binary(X) -> binary; s([]) -> []; s([_ | _]) -> list; s(X) when is_map(X) -> maps:map(fun(_, V) -> s(V) end, X);\n"
    "s(X) when is_reference(X) -> reference; s(X) when is_tuple(X) -> list_to_tuple([s(E) || E <- tuple_to_list(X)]); s(X) -> X.\n"
    "bag(Type, Inserts) -> T = ets:new(t, [Type]), _ = [ets:insert(T, I) || I <- Inserts], T.\n"
    "chunks('$end_of_table') -> []; chunks({X, C}) -> [X | chunks(ets:select(C))].\n"
    "undefined_function(M, F, A) -> {handled, M, F, A}.\n"
    "again(X) -> binary_to_term(term_to_binary(X)).\n"
    "elsewhere(F) -> P = self(), Q = spawn(fun() -> P ! {made, F()} end), receive {made, X} -> {Q, X} end.\n"
    "nested(N) -> case re:compile(lists:duplicate(N, $() ++ lists:duplicate(N, $))) of {ok, _} -> ok; E -> E end.\n".

bags() ->
    [lists:concat(["begin T = bag(", Type, ", ", Inserts, "), ", Look, " end"])
     || Type <- [bag, duplicate_bag],
        Inserts <- ["[{k, 1}, {k, 2}, {k, 3}]", "[[{k, 1}, {k, 2}, {k, 3}]]", "[{k, 0}, [{k, 1}, {k, 2}]]",
                    "[[{k, 1}, {k, 2}, {k, 1}], {k, 4}, {k, 1}]", "[{k, 1}, {k, 1}]"],
        Look <- ["ets:lookup(T, k)", "ets:match(T, {k, '$1'})", "ets:tab2list(T)", "ets:match_object(T, {k, '_'})",
                 "ets:select(T, [{{k, '$1'}, [], ['$1']}])", "ets:lookup_element(T, k, 2)", "ets:take(T, k)",
                 "chunks(ets:select(T, [{'_', [], ['$_']}], 1))", "chunks(ets:select(T, [{'_', [], ['$_']}], 2))",
                 "chunks(ets:match_object(T, {k, '_'}, 2))", "ets:select_reverse(T, [{'_', [], ['$_']}])",
                 "begin ets:delete_object(T, {k, 2}), ets:insert(T, {k, 2}), ets:lookup(T, k) end",
                 "begin ets:select_replace(T, [{{k, 1}, [], [{{k, 9}}]}]), ets:tab2list(T) end",
                 "ets:foldl(fun(X, A) -> [X | A] end, [], T)", "lists:append([ets:slot(T, I) || I <- lists:seq(0, 255)])"],
        %% How OTP splits what is left over of five objects, chunk by chunk, is its own.
        not (Type =:= duplicate_bag andalso length(Inserts) > 40 andalso string:find(Look, "chunks") =/= nomatch)]
    ++ [lists:concat(["begin T = ets:new(t, [", Type, "]), ets:insert(T, [{a}, {b}]), e(fun() -> ets:", F, "(T, '$end_of_table') end) =/= x end"])
        || Type <- [set, bag, ordered_set], F <- [next, prev]].

table_options() ->
    [lists:concat(["i(fun() -> T = ets:new(t, [{write_concurrency, ", How, "}, ", Type, ", ", Access,
                   "]), {ets:info(T, write_concurrency), ets:info(T, decentralized_counters)} end)"])
     || How <- ["true", "false", "auto", "{debug_hash_fixed_number_of_locks, 0}", "{debug_hash_fixed_number_of_locks, 8}",
                "{debug_hash_fixed_number_of_locks, 64}", "{debug_hash_fixed_number_of_locks, 65536}", "foo"],
        Type <- [set, bag, ordered_set], Access <- [public, protected, private]].

funs() ->
    ["begin [F, G, H] = [fun() -> X end || X <- [1, 2, 1]], {F =:= G, F == H, F < G, F =:= again(H), again(F) =:= G} end",
     "begin {_, F} = elsewhere(fun() -> X = id(1), fun() -> {X} end end), {_, G} = elsewhere(fun() -> X = id(2), fun() -> {X} end end), F =:= G end",
     "begin M = fun(X) -> fun() -> X end end, P = M(1), {_, Q} = elsewhere(fun() -> M(1) end), {P =:= Q, P == Q, #{P => 1} =:= #{Q => 1}} end",
     "begin F = fun() -> 1 end, G = again(F), {F == G, F =:= G, G()} end",
     "begin X = id(7), F = fun(Y) -> {X, Y} end, G = again(F), {F =:= G, G(1), erlang:fun_info(G, env)} end",
     "begin X = id([a]), F = fun() -> fun(Y) -> {X, Y} end end, ((again(F))())(2) end",
     "begin F = fun() -> ok end, #{F => 1} =:= #{again(F) => 1} end",
     "again([fun lists:map/2, {fun id/1}]) =:= [fun lists:map/2, {fun id/1}]",
     "begin F = lists:nth(1, [fun(X) -> X end]), (again({F, F})) =:= {F, F} end",
     "begin {Q, F} = elsewhere(fun() -> X = id(1), fun() -> X end end), {pid, P} = erlang:fun_info(F, pid), {P =:= Q, P =:= self()} end",
     "begin {Q, F} = elsewhere(fun() -> fun() -> a end end), {pid, P} = erlang:fun_info(again(F), pid), P =:= Q end",
     "begin F = fun() -> 1 end, {pid, P} = erlang:fun_info(F, pid), P =:= self() end",
     "begin F = id(fun() -> 1 end), try F(1, 2) catch error:{badarity, {G, A}} -> {F =:= G, A} end end",
     "begin F = id(fun(_) -> 1 end), try F() catch error:{badarity, {G, A}} -> {F =:= G, A} end end",
     "begin F = again(id(fun(_) -> 1 end)), try F() catch error:{badarity, {G, A}} -> {F =:= G, A} end end"].

frames() ->
    ["e(fun() -> picky(a) end)", "e(fun() -> id(picky(a)) end)", "picky(1)"] ++
    %% The compiler puts others in place of some: maps:get/2, maps:is_key/2.
    [lists:concat(["h(fun() -> id(", Call, ") end)"])
     || Call <- ["maps:fold(a, b, c)", "maps:filter(a, #{})", "maps:map(a, #{})", "maps:map(fun(_, V) -> V end, a)", 
                 "maps:get(a, b, c)", "maps:with(a, #{})", "maps:with([a], b)", "maps:without([a], b)",
                 "maps:iterator(a)", "maps:next(a)", "maps:groups_from_list(a, b)", "maps:filtermap(a, b)", "maps:update_with(a, b, c)",
                 "maps:update_with(a, fun(V) -> V end, #{})", "maps:from_list(a)", "maps:merge_with(a, b, c)", "maps:intersect(a, #{})",
                 "maps:foreach(a, b)", "maps:take(a, b)", "maps:find(a, b)", "maps:keys(a)", "maps:to_list(a)",
                 "re:run(a, b)", "re:run(\"a\", \"(\")", "re:run(\"a\", \"a\", [foo])", "re:replace(a, b, c)", "re:replace(\"a\", \"(\", \"c\")",
                 "re:split(a, b)", "re:split(\"a\", \"a\", [foo])", "re:compile(a)", "re:compile(\"a\", [foo])", "re:inspect(a, b)",
                 "binary:replace(a, b, c)", "binary:split(a, b)", "binary:split(<<>>, <<>>)", "binary:match(<<>>, [])", "binary:at(<<>>, 0)",
                 "binary:part(<<>>, 1, 2)", "binary:copy(a)", "binary:copy(<<>>, -1)", "binary:decode_unsigned(a)", "binary:encode_hex(a)",
                 "binary:decode_hex(<<\"a\">>)", "binary:decode_hex(<<\"zz\">>)", "binary:list_to_bin(a)", "binary:bin_to_list(a)",
                 "binary:bin_to_list(<<1>>, 2, 3)", "binary:longest_common_prefix([])", "binary:referenced_byte_size(a)",
                 "unicode:characters_to_list(a)", "unicode:characters_to_binary(a)", "unicode:characters_to_binary([], a)",
                 "unicode:characters_to_list([], a)", "unicode:characters_to_binary([], utf8, a)", "unicode:characters_to_nfc_list(a)",
                 "atomics:new(0, [])", "atomics:new(1, [foo])", "atomics:get(a, 1)", "atomics:put(atomics:new(1, []), 2, 0)",
                 "atomics:add(atomics:new(1, []), 1, a)", "counters:new(0, [])", "counters:new(1, foo)", "counters:get(a, 1)",
                 "counters:put(counters:new(1, []), 1, a)", "counters:add(a, b, c)", "lists:nth(0, [a])", "lists:keyfind(a, 0, [])"],
        string:find(Call, "new(1, [])") =:= nomatch].

construction() ->
    [lists:concat(["begin A = id(a), N = id(-1), B = id(<<1, 2>>), Big = id(1 bsl 70), Bits = id(<<1:3>>), i(fun() -> {A, N, B, Big, Bits}, <<", S, ">> end) end"])
     || S <- ["A", "1, A:8", "1:N", "1:A", "1:Big", "A/float", "(id(1.0e300)):32/float", "1.0:(id(17))/float", "A/binary", "B:3/binary",
              "B:N/binary", "Bits/binary", "Bits:1/binary", "Bits:9/bits", "A/bits", "A/utf8", "(id(16#D800))/utf8", "(id(-1))/utf16",
              "(id(16#110000))/utf32", "A/utf16", "A/utf32", "B/binary, A/binary", "1:A, B/utf8", "A:8, N:A", "B:A/binary",
              "A/signed-little", "A:(id(b))", "A:16/float", "Big/float", "(id(1 bsl 2000))/float", "\"abc\", A",
              "A, 1.0:(id(10))/float", "B/binary, B:7/binary", "1:(-1)", "A:(-1)", "A:(-1)/binary", "1, 2:(-1)", "B:(-1)/binary", "1.0:(-1)/float", "3:(-1), A", "A:8/integer, 1:(-1)",
              "<<>>/binary, A", "\"a\", A, \"b\", N:A", "1:1, A:1, 1:6", "1:1, 2:2, A:5, B/binary", "A:4, B/bits", "B/binary, A:3",
              "Bits/bits, A", "Bits/bits, 1, A:16, 2, B/binary, A/float", "\"abc\"/utf8, A/utf8", "\"abc\"/utf16, 1, A", "1/utf8, A/utf8, 2", "16#D800/utf8",
              "(-1)/utf8", "A:(id(16))/little, 3", "1:(id(8)), 2, A", "1, 2, 3:(id(-3)), A", "B:(id(1))/binary, B:(id(5))/binary", "1.5, A", "1.5/float, A/float, 2",
              "A:64/float", "(id(1.0e39)):32/float, 1", "1.0e39:32/float", "1:N, A", "A, 1:N", "1, A, 2:N", "B/binary-unit:16, A", "Bits/binary-unit:3, A",
              "B/binary-unit:7", "1:(id(3))/unit:4, A", "A:(id(4))/unit:8, 3", "\"x\":16, A", "(id(a)):8, (id(b)):8", "1, (id(a))/binary, (id(b)):8",
              "(id(a))/bits, 1:N", "1:N, (id(a))/bits", "1:(id(1 bsl 70)), A", "A, 1:(id(1 bsl 70))", "A/native, 1", "1:16/native, A/native-float", "A/binary, 1:N", "A/bits, 1:N", "A/bits, 1:A", "A/bits, A/utf8", "A/bits, B:N/binary", "A/bits, A:8", "A/bits, 1:Big", "A/bits, Bits/binary",
              "Bits/binary, A/bits", "Bits/binary, 1:N", "A/utf8, 1:N", "A/float, 1:N", "B:9/binary, 1:N", "A:Big, 1:N", "A:Big, B:Big/binary",
              "A, 1:Big", "A:N, 1:Big", "B/binary, A/bits, 1:N, A/binary", "A:16/binary, 1:N", "A/binary-unit:16, 1:N", "\"abc\"/utf32, A",
              "1/utf16, 2/utf16, A", "\"abc\"/little, A", "\"abc\":16, A", "A/utf16, 1:N", "1:Big, A/bits", "\"abc\"/utf16-little, 1, A",
              "A/bits, A/utf16", "A/utf32, 1:N", "\"a\\x{1F600}\"/utf16, A", "1, 2, A", "1, A:16, 2", "1, 2, 3:16, A", "1:4, 2:4, 3, A",
              "B/binary, 1, 2, A", "1, 2, B/binary, 3, 4, A", "\"ab\", 1, \"c\", A", "1, 2:16/little, A/binary", "1, 2, 3:A"]].

applied() ->
    ["e(fun() -> apply(erlang, apply, [erlang, error, [oops, [x]]]) end)",
     "e(fun() -> M = id(erlang), M:apply(lists, nth, [0, []]) end)",
     "e(fun() -> apply(erlang, apply, [lists, foo, [0, []]]) end)", "e(fun() -> apply(erlang, apply, [lists, foo, 0]) end)",
     "e(fun() -> apply(erlang, apply, [erlang, apply, [erlang, apply, [lists, reverse, [[1, 2]]]]]) end)",
     "e(fun() -> apply(a, 1, []) end)", "e(fun() -> apply(a, b, c) end)", "e(fun() -> apply(a, b, [c | d]) end)",
     "e(fun() -> apply(id(a), []) end)", "e(fun() -> id(apply(x, y, lists:duplicate(300, x))) end)",
     "try apply(x, y, lists:duplicate(1024, x)) catch K:L -> {K, L} end",
     "try apply(fun() -> ok end, lists:duplicate(1023, x)) catch K:L -> {K, L} end",
     "try erlang:hibernate(x, y, lists:duplicate(5122, x)) catch K:L -> {K, L} end",
     "try erlang:raise(error, foo, [{m, f, [a], []}, {m, g, 1}]) catch K:L:S -> {K, L, S} end",
     "try erlang:raise(error, foo, [{m, f, 1}, {m, g, [1], [{line, 1}]}]) catch K:L:S -> {K, L, S} end"].

handlers() ->
    ["begin O = process_flag(error_handler, ?MODULE), V = (catch nomod:nofun(1)), process_flag(error_handler, O), V end",
     "e(fun() -> id(nomod:nofun(1)) end)",
     "begin O = process_flag(error_handler, ?MODULE), V = (catch apply(lists, nofun, [1, 2])), process_flag(error_handler, O), V end"].

language() ->
    ["case <<(id(2.0))/float>> of <<2/float>> -> y; _ -> n end", "case <<(id(2.0)):32/float>> of <<2:32/float>> -> y; _ -> n end",
     "case <<(id(2.5))/float>> of <<2/float>> -> y; _ -> n end", "case <<0:64>> of <<0/float>> -> y; _ -> n end",
     "case id([1]) of X when list(X) -> y; _ -> n end", "case id(1) of X when integer(X), number(X) -> y; _ -> n end",
     "case id(1.0) of X when float(X) -> y; _ -> n end", "case id(1) of X when float(X) -> y; _ -> n end",
     "case id(1) of X when float(X) =:= 1.0 -> y; _ -> n end", "case id({}) of X when tuple(X); atom(X) -> y; _ -> n end",
     "case id(<<>>) of X when binary(X) -> y; _ -> n end", "case id(self()) of X when pid(X) -> y; _ -> n end",
     "case id(#r{}) of X when record(X, r) -> y; _ -> n end", "[X || X <- [a, [1], 2], list(X)]",
     "[X || X <- [1], #bird{a = a} == {bird, a, 42}]", "[X || X <- [1, 2], #bird{a = X, b = 1} == {bird, 1, 1}]",
     "begin M = id(#{}), i(fun() -> M#{b := 1, a := 2} end) end", "begin M = id(#{}), A = id(b), i(fun() -> M#{A := 1, a := 2} end) end",
     "begin M = id(#{}), A = id(b), i(fun() -> M#{z := 1, A := 2} end) end", "begin M = id(#{}), i(fun() -> M#{42.0 := v, 42 := w} end) end",
     "begin M = id(#{}), i(fun() -> M#{2 := 1, 1 := 2, a := 1, \"x\" := 3, {1} := 4} end) end",
     "begin M = id(#{}), i(fun() -> M#{z => 1, b := 2, a := 1} end) end", "begin M = id(#{a => 1, b => 2}), M#{b := id(3), a := id(4)} end",
     "begin (X = id(true)) and (Y = id(false)), {X, Y} end", "begin (X = id(true)) or (Y = id(false)), {X, Y} end",
     "begin (X = id(true)) xor (Y = id(foo)), {X, Y} end", "begin not (X = id(true)), X end"].

patterns() ->
    [lists:concat(["try re:run(\"b\", \"a\", [{capture, ", C, "}]) catch K:L -> {K, L} end"])
     || C <- ["foo", "all", "[]", "[x]", "[1]", "[\"x\"]", "[self()]", "1", "none", "all_names", "[a | b]", "[-1]", "[1.0]", "[<<\"x\">>]"]] ++
    ["re:compile(\"a\", [bsr_anycrlf, bsr_unicode])", "re:run(\"b\", [0])", "re:run(\"b\", [$b, 0, $c])", "re:compile([$(, 0])",
     "nested(250)", "nested(300)", "nested(798)", "nested(799)", "nested(900)", "re:compile(\"[a-\\\\d]\")"] ++
    [lists:concat(["catch re:run(", S, ", \"", P, "\")"])
     || P <- ["[\\\\d-z]", "[\\\\w-]", "[-\\\\d]", "[[:alpha:]-z]", "[\\\\s-\\\\d]", "[\\\\d-a-z]", "[^\\\\d-z]", "[]\\\\d-z]", "x[\\\\d-z]y"],
        S <- ["\"-\"", "\"z\"", "\"5\"", "\"b\"", "\"x-y\""]] ++
    [lists:concat(["re:run([", C, "], \"", P, "\", [", O, "])"])
     || C <- [228, 256, 955, 160, 97], P <- ["\\\\w", "\\\\W", "\\\\s", "\\\\d", "[\\\\w]", "a|\\\\w", "[[:alpha:]]", "b?\\\\w"],
        O <- ["unicode", "unicode, ucp", "unicode, caseless"]].

process_flags() ->
    [lists:concat(["i(fun() -> O = process_flag(", K, ", ", V, "), {O, process_flag(", K, ", O)} end)"])
     || K <- ["trap_exit", "error_handler", "fullsweep_after", "min_heap_size", "min_bin_vheap_size", "max_heap_size", "message_queue_data",
              "priority", "save_calls", "sensitive", "scheduler", "async_dist", "foo", "1"],
        V <- ["0", "1", "8", "300", "100000", "-1", "1 bsl 70", "true", "false", "foo", "[]", "#{size => 0}", "#{size => 1000, kill => false}",
              "#{size => 100}", "#{}", "#{kill => true}", "#{foo => 1, size => 0}", "1.5", "high", "max", "normal", "on_heap", "off_heap"],
        not (K =:= "save_calls" andalso lists:member(V, ["1", "8", "300"]))] ++
    [lists:concat(["{process_flag(monitor_nodes, ", A, "), process_flag(monitor_nodes, false)}"]) || A <- ["true", "false"]] ++
    [lists:concat(["begin P = spawn_opt(fun() -> receive x -> ok end end, [", O, "]), process_info(P, ", K, ") end"])
     || {O, K} <- [{"{min_heap_size, 10000}", min_heap_size}, {"{min_heap_size, 1}", min_heap_size}, {"{fullsweep_after, 3}", fullsweep_after},
                   {"{scheduler, 1}", status}, {"{min_bin_vheap_size, 50000}", min_bin_vheap_size}, {"{max_heap_size, 1000}", max_heap_size}],
        K =/= status] ++
    [lists:concat(["try is_pid(spawn_opt(fun() -> ok end, [", O, "])) catch K:L -> {K, L} end"])
     || O <- ["{scheduler, 1}", "{scheduler, 0}", "{scheduler, 5}", "{scheduler, foo}", "{max_heap_size, 1}", "{message_queue_data, foo}",
              "{priority, foo}", "{async_dist, true}", "foo"]].

system_flags() ->
    [lists:concat(["i(fun() -> O = erlang:system_flag(", K, ", ", V, "), {O, erlang:system_flag(", K, ", O)} end)"])
     || K <- ["backtrace_depth", "erts_alloc", "fullsweep_after", "min_heap_size", "min_bin_vheap_size", "max_heap_size",
              "trace_control_word", "time_offset", "outstanding_system_requests_limit", "display_items", "foo", "1"],
        V <- ["1", "8", "300", "5000", "-1", "true", "foo", "#{size => 0}", "#{size => 1000, kill => false}", "[]", "1.5"]].

%% Of every key the shape, or the same error.
system_facts() ->
    [lists:concat(["i(fun() -> s(erlang:system_info(", K, ")) end)"])
     || K <- ["atom_count", "atom_limit", "build_type", "compat_rel", "cpu_quota", "creation", "debug_compiled",
              "delayed_node_table_gc", "dirty_cpu_schedulers", "dirty_cpu_schedulers_online", "dirty_io_schedulers", "dist",
              "dist_buf_busy_limit", "dist_ctrl", "driver_version", "dynamic_trace", "dynamic_trace_probes", "eager_check_io", "emu_type",
              "end_time", "endian", "ets_count", "ets_limit", "ets_realloc_moves", "fullsweep_after", "garbage_collection", "heap_sizes",
              "heap_type", "hipe_architecture", "logical_processors", "logical_processors_available", "logical_processors_online", "machine",
              "message_queue_data", "max_heap_size", "min_bin_vheap_size", "min_heap_size", "modified_timing_level",
              "multi_scheduling_blockers", "normal_multi_scheduling_blockers", "nif_version", "os_monotonic_time_source",
              "os_system_time_source", "os_type", "os_version", "otp_release", "outstanding_system_requests_limit", "port_count", "port_limit",
              "port_parallelism", "port_tasks", "process_count", "process_limit", "reader_groups_map", "scheduler_bind_type",
              "scheduler_id", "schedulers", "schedulers_online", "schedulers_state", "all_schedulers_state",
              "sequential_tracer", "smp_support", "snifs", "start_time", "system_architecture", "system_version", "taints",
              "thread_pool_size", "threads", "time_correction", "time_offset", "time_warp_mode", "tolerant_timeofday", "trace_control_word",
              "update_cpu_info", "version", "wordsize", "c_compiler_used", "async_dist", "constant_pool", "crash_dump", "elib_malloc",
              "global_heaps_size", "halt_flush_timeout", "instruction_counts", "memory_map", "ordered_ets_mem", "otp_correction_package",
              "processes", "stop_memory_trace", "supports_utf", "dirty_io_schedulers_online", "foo", "1", "[]", "{wordsize, external}",
              "{wordsize, internal}", "{wordsize, foo}", "{allocator, foo}", "{cpu_topology, defined}", "{cpu_topology, foo}",
              "{elib_malloc, x}", "{foo, 1}", "{allocator_sizes, foo}", "{foo}"]].

process_facts() ->
    [lists:concat(["begin P = spawn(fun() -> receive x -> ok end end), i(fun() -> s(process_info(", P, ", ", K, ")) end) end"])
     || P <- ["P", "self()"],
        K <- ["registered_name", "initial_call", "messages", "message_queue_len", "monitors", "monitored_by", "dictionary", "trap_exit",
              "error_handler", "heap_size", "stack_size", "memory", "garbage_collection", "garbage_collection_info", "group_leader",
              "reductions", "priority", "trace", "binary", "sequential_trace_token", "last_calls", "total_heap_size", "suspending",
              "min_heap_size", "min_bin_vheap_size", "max_heap_size", "message_queue_data", "magic_ref", "fullsweep_after", "parent",
              "async_dist", "save_calls", "sensitive", "scheduler", "foo", "1", "{dictionary, x}", "nodes", "[trap_exit, foo]", "[]"],
        %% The first process is started in another way; it has no binaries of its own.
        P =:= "P" orelse not lists:member(K, ["parent", "binary"])] ++
    ["begin P = spawn(?MODULE, all, []), I = process_info(P, initial_call), exit(P, kill), element(2, I) =:= {?MODULE, all, 0} end",
     "begin P = spawn(fun() -> receive x -> ok end end), process_info(P, parent) =:= {parent, self()} end"].

fun_facts() ->
    [lists:concat(["i(fun() -> s(erlang:fun_info(", F, ", ", K, ")) end)"])
     || F <- ["fun() -> a end", "fun lists:map/2", "fun id/1", "a"],
        K <- ["module", "name", "arity", "env", "type", "pid", "index", "new_index", "uniq", "new_uniq", "refc", "foo", "1"],
        K =/= "refc", not (K =:= "name" andalso F =/= "fun lists:map/2"), not (K =:= "module" andalso F =/= "fun lists:map/2")].

%% Ports, drivers, other nodes and tracing, where there are none.
absent() ->
    [lists:concat(["i(fun() -> ", C, " end)"])
     || C <- ["erlang:port_get_data(a)", "erlang:port_set_data(a, 1)", "erlang:port_close(a)", "erlang:port_command(a, [])",
              "erlang:port_connect(a, self())", "erlang:port_control(a, 1, [])", "erlang:port_call(a, 1, x)", "erlang:port_info(a)",
              "erlang:port_info(1)", "erlang:port_info(a, name)", "erlang:port_info(1, name)", "open_port(foo, [bar])", "open_port({spawn, 1}, [])",
              "monitor_node(a@b, true)", "monitor_node(node(), true)", "monitor_node(node(), x)", "erlang:monitor_node(node(), true, [foo])",
              "erlang:dist_ctrl_get_data(make_ref())", "erlang:dist_get_stat(a)", "erlang:system_monitor()", "erlang:system_monitor(undefined)",
              "begin P = self(), erlang:system_monitor(P, [busy_port, {long_gc, 100}]), {P, O} = erlang:system_monitor(undefined), O end",
              "erlang:system_monitor(self(), [{long_gc, foo}])", "erlang:system_monitor(foo, [busy_port])", "erlang:system_profile()",
              "erlang:system_profile(self(), [foo])", "erlang:trace_info(self(), flags)", "erlang:trace_info(self(), foo)",
              "erlang:trace_info(new, tracer)", "erlang:trace_info(send, match_spec)", "erlang:trace_info({lists, reverse, 1}, traced)",
              "erlang:trace_info({nomod, f, 1}, all)", "erlang:trace_info(foo, flags)", "erlang:trace(self(), false, [all])",
              "erlang:trace(self(), false, [foo])", "erlang:trace(foo, false, [])", "erlang:trace(new, false, [call])",
              "erlang:trace_pattern({lists, reverse, 1}, false, [])", "erlang:trace_pattern({lists, reverse, '_'}, false, [local])",
              "erlang:trace_pattern({nomod, f, 1}, false, [])", "erlang:trace_pattern({'_', a, 1}, false, [])",
              "erlang:trace_pattern(foo, false, [])", "erlang:trace_pattern({lists, reverse, 1}, foo, [])",
              "begin D = erlang:trace_delivered(self()), receive {trace_delivered, P, D} -> P =:= self() end end",
              "nodes(this, #{connection_id => true, node_type => true})", "nodes(hidden, #{foo => true})", "erts_internal:get_creation()",
              "erts_debug:lcnt_clear()", "erts_debug:copy_shared([a], true)"]].

services() ->
    ["begin timer:start(), timer:start() end", "begin {ok, _} = timer:send_after(1, x), receive x -> timer:start() end end"].

limits() ->
    ["i(fun() -> binary:copy(<<\"abc\">>, 1 bsl 80) end)", "i(fun() -> lists:keyfind(a, 1 bsl 60, []) end)",
     "begin M = #{a => id(1)}, erts_debug:same(maps:merge(M, M), M) end", "i(fun() -> process_flag(max_heap_size, 232) end)",
     "begin {_, M} = process_info(self(), min_heap_size), i(fun() -> process_flag(max_heap_size, M - 1) end) end",
     "i(fun() -> list_to_pid(\"<0.40000.0>\") end)"].
