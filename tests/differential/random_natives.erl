%% Calls of native functions with random arguments. random_natives_test.escript runs it in OTP and
%% on Fathom's machine, and compares what run/4 returns.
-module(random_natives).
-export([run/4]).

%% [{Call, Result}] of the calls From to To of each {Module, Name, Arity, Types of the arguments}.
%% What the arguments are depends on the function, the seed and the number of the call alone.
run(Natives, Seed, From, To) ->
    Terms = maps:from_list(persistent_term:get()),
    Results = [result(Native, Seed, N) || Native <- Natives, N <- lists:seq(From, To)],
    [persistent_term:erase(K) || {K, _} <- persistent_term:get(), not is_map_key(K, Terms)],
    Results.

%% Each in a process of its own, so that its flags, dictionary and tables are gone afterwards.
result(Native, Seed, N) ->
    {Pid, Ref} = spawn_monitor(fun() -> exit({result, call(Native, Seed, N)}) end),
    receive {'DOWN', Ref, process, Pid, Reason} -> ended(Native, Reason) end.

ended(_, {result, Result}) -> Result;
ended({M, F, A, _}, Reason) -> {lists:concat([M, ":", F, "/", A]), {ended, shown(Reason)}}.

call({M, F, _, Types}, Seed, N) ->
    rand:seed(exsss, erlang:phash2({Seed, N, M, F, length(Types)})),
    Arguments = [argument(T) || T <- Types],
    Text = lists:flatten(io_lib:format("~w:~w(~ts)", [M, F, lists:join(", ", [io_lib:format("~0tP", [shown(A), 30]) || A <- Arguments])])),
    {Text, outcome(M, F, Arguments)}.

outcome(M, F, Arguments) ->
    try apply(M, F, Arguments) of
        %% Compiled patterns are references in OTP, and lists here.
        {Algorithm, _} when {M, F} =:= {binary, compile_pattern} -> {value, Algorithm};
        Value -> {value, value(is_shape(M, F) orelse is_hash(F) andalso has_identifier(Arguments), Value)}
    catch
        Class:Reason:Trace -> {Class, shown(Reason), [frame(T) || T <- lists:sublist(Trace, 2)]}
    end.

%% Without the place in a file, and whatever OTP's own functions say beside error_info.
frame({M, F, A, Info}) -> {M, F, shown(A), [shown(I) || {error_info, _} = I <- Info]}.

%% --- values

%% Of what differs from run to run, or is the machine's own, only the shape is compared.
is_shape(erlang, F) ->
    lists:member(F, [monotonic_time, system_time, timestamp, now, time_offset, unique_integer, localtime, universaltime,
                     date, time, make_ref, phash, hash, spawn, spawn_link, cancel_timer, read_timer, get_cookie,
                     fun_info, fun_to_list, md5_init, md5_update,  external_size, term_to_binary, term_to_iovec, pid_to_list, ref_to_list,
                     process_flag, fun_info_mfa, alias, monitor, posixtime_to_universaltime, ref_to_list]);
is_shape(erts_internal, F) -> lists:member(F, [term_type, perf_counter_unit, time_unit, unique_monotonic_integer_state,
                                               atomics_new, counters_new, counters_info, internal_hash, counters_get]);
is_shape(os, _) -> true;
is_shape(persistent_term, info) -> true;
is_shape(atomics, F) -> F =:= info;
is_shape(ets, F) -> lists:member(F, [info, slot, match_spec_compile]);
is_shape(re, F) -> F =:= compile;
is_shape(_, _) -> false.

%% OTP's hashes of funs depend on their code.
is_hash(F) -> lists:member(F, [phash, phash2, md5, crc32, adler32, binary_to_term]).

has_identifier(V) when is_list(V) ->
    case V of
        [H | T] -> has_identifier(H) orelse has_identifier(T);
        [] -> false
    end;
has_identifier(V) when is_tuple(V) -> has_identifier(tuple_to_list(V));
has_identifier(V) when is_map(V) -> has_identifier(maps:to_list(V));
has_identifier(V) -> is_pid(V) orelse is_reference(V) orelse is_function(V).

value(true, Value) -> shape(Value);
value(false, Value) -> shown(Value).

shape(V) when is_integer(V) -> integer;
shape(V) when is_float(V) -> float;
shape(V) when is_bitstring(V) -> bits;
shape(V) when is_list(V) -> list;
shape(V) when is_tuple(V) -> list_to_tuple([shape(E) || E <- tuple_to_list(V)]);
shape(V) -> shown(V).

%% Without what has another number on each machine. The order of unordered tables is not compared.
shown(V) when is_pid(V) -> '$pid';
shown(V) when is_reference(V) -> '$ref';
shown(V) when is_port(V) -> '$port';
shown(V) when is_function(V) -> {'$fun', element(2, erlang:fun_info(V, arity))};
shown([H | T]) -> [shown(H) | shown(T)];
shown(V) when is_tuple(V) -> list_to_tuple([shown(E) || E <- tuple_to_list(V)]);
shown(V) when is_map(V) -> maps:from_list([{shown(K), shown(E)} || {K, E} <- maps:to_list(V)]);
shown(V) -> V.

%% --- arguments

argument({only, Type}) -> make(Type, 3);
argument(Type) ->
    case rand:uniform(5) of
        1 -> make(any, 2);
        _ -> make(Type, 3)
    end.

one_of(List) -> lists:nth(rand:uniform(length(List)), List).

make(any, Depth) -> make(one_of([integer, integer, atom, atom, binary, list, tuple, map, float, boolean, iolist, string, bitstring,
                                 pid, reference, {function, 1}, {lit, []}, non_neg_integer]), Depth);
make(term, Depth) -> make(any, Depth);
make({lit, V}, _) -> V;
make({union, Types}, Depth) -> make(one_of(Types), Depth);
make({range, Low, High}, _) when High - Low < 1000 -> Low + rand:uniform(High - Low + 1) - 1;
make({range, Low, High}, _) -> one_of([Low, Low + 1, Low + 7, High - 1, High, Low + rand:uniform(100)]);
make({tuple, Types}, Depth) -> list_to_tuple([make(T, Depth - 1) || T <- Types]);
make({list, Type}, Depth) -> [make(Type, Depth - 1) || _ <- lists:seq(1, rand:uniform(5) - 1)];
make({function, Arity}, _) -> function(Arity);
make(_, Depth) when Depth < 0 -> one_of([0, a, [], <<>>]);
make(list, Depth) ->
    Items = [make(any, Depth - 1) || _ <- lists:seq(1, rand:uniform(5) - 1)],
    case rand:uniform(8) of
        1 when Items =/= [] -> Items ++ tail;
        _ -> Items
    end;
make(tuple, Depth) -> list_to_tuple([make(any, Depth - 1) || _ <- lists:seq(1, rand:uniform(5) - 1)]);
make(map, Depth) -> maps:from_list([{make(any, Depth - 1), make(any, Depth - 1)} || _ <- lists:seq(1, rand:uniform(5) - 1)]);
make(iolist, Depth) -> [one_of([make(byte, 0), make(binary, 0), make(string, 0), make(iolist, Depth - 2)])
                        || _ <- lists:seq(1, rand:uniform(4) - 1)];
make(iodata, Depth) -> make(one_of([iolist, binary]), Depth);
make(string, _) -> [one_of([$a, $b, $Z, $0, $-, $ , 10, 228, 955, 16#1F600]) || _ <- lists:seq(1, rand:uniform(7) - 1)];
make(integer, _) -> one_of([0, 1, 2, 3, -1, -2, 7, 8, 16, 64, 255, 256, rand:uniform(1000), -rand:uniform(1000),
                            1 bsl 59, 1 bsl 60, -(1 bsl 60), 1 bsl 64, (1 bsl 64) + rand:uniform(1000), -(1 bsl 70)]);
make(non_neg_integer, _) -> one_of([0, 1, 2, 3, 4, 8, 10, 32, rand:uniform(300), 1 bsl 60, 1 bsl 64]);
make(pos_integer, _) -> one_of([1, 2, 3, 4, 8, 16, 27, 32, rand:uniform(300), 1 bsl 60, 1 bsl 64]);
make(neg_integer, _) -> -rand:uniform(300);
make(arity, _) -> rand:uniform(4) - 1;
make(byte, _) -> rand:uniform(256) - 1;
make(char, _) -> one_of([$a, 0, 228, 955, 16#D800, 16#10FFFF]);
make(float, _) -> one_of([0.0, -0.0, 1.0, -1.5, 3.25, 1.0e10, -2.5e-7, 1.7976931348623157e308, 5.0e-324, rand:uniform()]);
make(number, Depth) -> make(one_of([integer, float]), Depth);
make(atom, _) -> one_of([a, b, '', true, false, undefined, infinity, 'hello world', 'ä', 'λ', lists, utf8, latin1]);
make(module, _) -> one_of([lists, maps, erlang, no_such_module]);
make(node, _) -> one_of([node(), 'a@b', a]);
make(boolean, _) -> one_of([true, false]);
make(encoding, _) -> one_of([latin1, utf8, unicode]);
make(binary, _) -> one_of([<<>>, <<"a">>, <<"hello">>, <<"0">>, <<"12">>, <<"-17">>, <<"1.5">>, <<"a,b,c">>, <<255, 254>>, <<"ä"/utf8>>,
                           << <<(rand:uniform(256) - 1)>> || _ <- lists:seq(1, rand:uniform(20)) >>, term_to_binary(make(one_of([integer, float, atom, string, {list, atom}, {tuple, [integer, binary]}]), 1))]);
make(bitstring, Depth) -> one_of([make(binary, Depth), <<5:3>>, <<1, 2:7>>, <<0:1>>]);
make(pid, _) -> self();
make(reference, _) -> make_ref();
make(function, _) -> function(rand:uniform(3) - 1);
make(table, _) -> table(one_of([set, ordered_set, bag, duplicate_bag]));
make(_, Depth) -> make(any, Depth).

function(0) -> fun() -> a end;
function(1) -> fun(X) -> X end;
function(2) -> fun(X, _) -> X end;
function(_) -> fun(X, _, _) -> X end.

%% One key, so that the order of its walk is known, but for ordered_set.
table(ordered_set) -> filled(ets:new(t, [ordered_set]), [{1, a}, {1.5, b}, {a, 1}, {<<"b">>, 2}]);
table(set) -> filled(ets:new(t, [set]), [{a, 1, 2}]);
table(Type) -> filled(ets:new(t, [Type]), [{a, 1}, {a, 2}, {a, 1}]).

filled(Table, Objects) ->
    [ets:insert(Table, O) || O <- Objects],
    Table.
