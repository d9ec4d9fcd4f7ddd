#!/usr/bin/env escript
%%! +S 2
%% ETS and match specifications on Fathom's machine and in OTP: tables of expressions,
%% and random sequences of operations on tables of all types. Each must give the same
%% value, or the same class, reason and top frame of the stack trace with what its
%% error_info says. The order of objects counts in ordered tables only.
%%
%% A sequence that differs is made shorter as long as it differs.
%%
%%   ets_test.escript [FAMILY...]   SEED=n, SCALE=n in the environment
-mode(compile).
-include("fathom_port.hrl").
-include("batches.hrl").

main(Wanted) ->
    Seed = list_to_integer(os:getenv("SEED", "1")),
    rand:seed(exsss, Seed),
    io:format("seed ~w~n", [Seed]),
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_ets." ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    Families = [F || {Name, _} = F <- families(),
                     Wanted =:= [] orelse lists:member(atom_to_list(Name), Wanted)],
    Counts = [check_family(Dir, Name, Texts()) || {Name, Texts} <- Families],
    _ = [file:delete(F) || F <- filelib:wildcard(filename:join(Dir, "*"))],
    file:del_dir(Dir),
    {Passed, Failed} = lists:unzip(Counts),
    summary(lists:sum(Passed), lists:sum(Failed)).

families() ->
    [{creation, fun creation/0},
     {information, fun information/0},
     {objects, fun objects/0},
     {counters, fun counters/0},
     {elements, fun elements/0},
     {traversal, fun traversal/0},
     {heads, fun heads/0},
     {guards, fun guards/0},
     {bodies, fun bodies/0},
     {calls, fun match_calls/0},
     {replacements, fun replacements/0},
     {limits, fun limits/0},
     {compiled, fun compiled/0},
     {ownership, fun ownership/0},
     {library, fun library/0},
     {sequences, fun sequences/0}].

check_family(Dir, sequences, Sequences) ->
    Texts = [sequence_text(S) || S <- Sequences],
    {_, Failed} = Counts = check_texts(Dir, sequences, Texts),
    [shrink(Dir, Sequences) || Failed > 0],
    Counts;
check_family(Dir, Name, Texts) ->
    check_texts(Dir, Name, ["e(fun() -> " ++ T ++ " end)" || T <- lists:usort(Texts)]).

%% --- what expressions may call

helpers() ->
    %% Evaluates; references, pids and funs count as what they are only.
    "e(F) -> try n(F()) catch C:R:S -> [{M, N, _, I} | _] = S, {C, n(R), M, N, lists:keyfind(error_info, 1, I)} end.\n"
    "n(X) when is_reference(X) -> 'a reference';\n"
    "n(X) when is_pid(X) -> 'a pid';\n"
    "n(X) when is_function(X) -> 'a fun';\n"
    "n([H | T]) -> [n(H) | n(T)];\n"
    "n(X) when is_tuple(X) -> list_to_tuple(n(tuple_to_list(X)));\n"
    "n(X) -> X.\n"
    "s(L) when is_list(L) -> lists:sort(fun(A, B) -> A < B orelse A == B andalso term_to_binary(A) =< term_to_binary(B) end, L);\n"
    "s(X) -> X.\n"
    "t(Type) -> t(Type, [{a, 1}, {b, #{x => 1, y => 2}}, {{c, 1}, 2}, {1, x}, {1.0, y}, {\"text\", [1, 2, 3]}, {x, x}, {{c, 2}, {d}, more}]).\n"
    "t(Type, Objects) -> T = ets:new(t, [Type, public]), ets:insert(T, Objects), T.\n"
    %% What another process gets: it owns a table of each protection.
    "other(F) -> other([], F).\n"
    "other(Options, F) -> Me = self(),\n"
    "  P = spawn(fun() -> Ts = [ets:new(t, [X | Options]) || X <- [public, protected, private]],\n"
    "                     [ets:insert(T, {a, 1}) || T <- Ts], Me ! {self(), Ts}, receive stop -> ok end end),\n"
    "  receive {P, Tables} -> ok end,\n"
    "  Got = [e(fun() -> F(T) end) || T <- Tables], P ! stop, Got.\n"
    "all_of('$end_of_table', _) -> [];\n"
    "all_of({Some, C}, F) -> Some ++ all_of(F(C), F).\n"
    "keys(T) -> keys(T, ets:first(T)).\n"
    "keys(_, '$end_of_table') -> [];\n"
    "keys(T, K) -> [K | keys(T, ets:next(T, K))].\n"
    "back(_, '$end_of_table') -> [];\n"
    "back(T, K) -> [K | back(T, ets:prev(T, K))].\n"
    "slots(T) -> slots(T, 0).\n"
    "slots(T, N) -> case ets:slot(T, N) of '$end_of_table' -> []; L -> L ++ slots(T, N + 1) end.\n"
    %% While it is fixed, each key that is visited is removed.
    "eat(T) -> ets:safe_fixtable(T, true), R = eat(T, ets:first(T)), ets:safe_fixtable(T, false), R.\n"
    "eat(_, '$end_of_table') -> [];\n"
    "eat(T, K) -> ets:delete(T, K), [K | eat(T, ets:next(T, K))].\n"
    %% A sequence of operations.
    "seq(Type, Position, Ops) -> T = ets:new(t, [Type, {keypos, Position}]),\n"
    "  {[e(fun() -> op(T, Type, Op) end) || Op <- Ops], o(Type, ets:tab2list(T)), ets:info(T, size)}.\n"
    "o(ordered_set, X) -> X;\n"
    "o(_, {L, C}) when is_list(L), is_integer(C) -> {s(L), C};\n"
    "o(_, X) -> s(X).\n"
    "op(T, Type, walk) -> {o(Type, keys(T)), o(Type, back(T, ets:last(T))), o(Type, slots(T))};\n"
    "op(T, Type, eat) -> o(Type, eat(T));\n"
    "op(T, Type, {chunks, F, Spec, N}) -> o(Type, all_of(ets:F(T, Spec, N), fun(C) -> ets:F(C) end));\n"
    %% Whether a key has been visited before it is removed depends on the order.
    "op(T, Type, {chunks_eating, Spec, N}) ->\n"
    "  Eat = case Type of ordered_set -> fun(K) -> ets:delete(T, K) end; _ -> fun(_) -> ok end end,\n"
    "  o(Type, all_of(ets:select(T, Spec, N), fun(C) -> Eat(a), Eat(1), ets:select(C) end));\n"
    "op(T, ordered_set, {next, K}) -> {ets:next(T, K), ets:prev(T, K)};\n"
    "op(T, _, {next, K}) -> ets:next(T, K), ok;\n"
    "op(T, _, {lookup, K}) -> ets:lookup(T, K);\n"
    "op(T, _, {take, K}) -> ets:take(T, K);\n"
    "op(T, Type, {F, A}) -> o(Type, ets:F(T, A));\n"
    "op(T, Type, {F, A, B}) -> o(Type, ets:F(T, A, B));\n"
    "op(T, Type, {F, A, B, C}) -> o(Type, ets:F(T, A, B, C)).\n".

types() -> ["set", "ordered_set", "bag", "duplicate_bag"].

%% The expression for a table of each type, which it calls T.
for_types(Texts) -> [lists:append(["begin T = t(", Y, "), ", X, " end"]) || Y <- types(), X <- Texts].

%% --- tables as such

creation() ->
    Items = "[ets:info(T, I) || I <- [type, protection, keypos, named_table, write_concurrency, read_concurrency, decentralized_counters, compressed, heir, name]]",
    [lists:append(["begin T = ets:new(", N, ", ", O, "), R = ", Items, ", ets:delete(T), R end"])
     || N <- ["n", "undefined", "\"n\"", "5"],
        O <- ["[]", "[bag, set]", "[set, bag]", "[ordered_set, set]", "[bag, duplicate_bag]", "[{keypos, 0}]", "[{keypos, 2}]", "[{keypos, x}]", "[foo]", "foo", "[named_table]", "[set | foo]", "[compressed]",
              "[{write_concurrency, true}]", "[{write_concurrency, auto}]", "[{write_concurrency, x}]", "[{read_concurrency, true}]", "[{read_concurrency, x}]",
              "[{decentralized_counters, true}]", "[{write_concurrency, true}, ordered_set]", "[{write_concurrency, auto}, {decentralized_counters, false}]",
              "[{decentralized_counters, true}, {write_concurrency, true}]", "[{heir, none}]", "[{heir, self(), x}]", "[{heir, x, x}]", "[{heir, none, x}]",
              "[public, private]", "[{keypos, 1 bsl 70}]", "[duplicate_bag]", "[ordered_set, bag, protected]", "[{type, set}]", "[{}]", "[{heir}]"]] ++
        ["begin ets:new(n1, [named_table]), ets:new(n1, [named_table]) end",
         "begin ets:new(n2, [named_table]), ets:new(n2, []) end",
         "begin ets:new(n3, [named_table]), ets:delete(n3), ets:new(n3, [named_table]) end",
         "begin ets:new(n4, [named_table]), R = ets:whereis(n4), ets:insert(R, {a}), {R, ets:lookup(n4, a), ets:info(R, id) =:= R, ets:delete(R), ets:whereis(n4)} end",
         "ets:whereis(nosuch)", "ets:whereis(5)", "ets:delete(nosuch)", "ets:delete(5)", "ets:delete(make_ref())",
         "begin T = ets:new(t, []), ets:delete(T), ets:delete(T) end",
         "begin T = ets:new(t, []), ets:delete(T), ets:lookup(T, a) end",
         "begin ets:new(n5, [named_table]), {ets:rename(n5, n6), ets:whereis(n5), ets:info(n6, name)} end",
         "begin ets:new(n7, [named_table]), ets:rename(n7, n7) end",
         "begin ets:new(n8, [named_table]), ets:new(n9, [named_table]), ets:rename(n8, n9) end",
         "ets:rename(nosuch, x)", "ets:rename(ets:new(t, []), 5)",
         "begin T = ets:new(t, []), ets:new(n10, [named_table]), {ets:rename(T, n10) =:= T, ets:info(T, name), ets:info(n10, name)} end",
         "begin T = ets:new(t, []), N = length(ets:all()), M = lists:member(T, ets:all()), ets:delete(T), {M, N - length(ets:all()), lists:member(T, ets:all())} end",
         "begin ets:new(n11, [named_table]), lists:member(n11, ets:all()) end"].

information() ->
    for_types([lists:append(["ets:info(T, ", I, ")"])
               || I <- ["binary", "compressed", "fixed", "heir", "id", "keypos", "name", "named_table", "node", "owner", "protection", "safe_fixed",
                        "safe_fixed_monotonic_time", "size", "type", "write_concurrency", "read_concurrency", "decentralized_counters", "foo", "5", "\"size\""]] ++
                  ["[K || {K, _} <- ets:info(T)]",
                   "[{K, V} || {K, V} <- ets:info(T), K =/= memory]",
                   "[is_integer(ets:info(T, memory)), ets:info(nosuch), ets:info(nosuch, size), ets:info(nosuch, foo)]",
                   "begin ets:safe_fixtable(T, true), ets:safe_fixtable(T, true), {_, L} = ets:info(T, safe_fixed), {_, M} = ets:info(T, safe_fixed_monotonic_time), {L, M, ets:info(T, fixed)} end",
                   "begin ets:safe_fixtable(T, true), ets:safe_fixtable(T, false), ets:safe_fixtable(T, false), {ets:info(T, safe_fixed), ets:info(T, fixed)} end",
                   "begin ets:delete(T), {ets:info(T), ets:info(T, size), ets:info(T, foo)} end"]) ++
        ["ets:info(5)", "ets:info(5, size)", "ets:info(make_ref())", "ets:safe_fixtable(t(set), foo)", "ets:safe_fixtable(nosuch, true)", "ets:safe_fixtable(nosuch, foo)"].

%% --- objects

objects() ->
    Keys = ["a", "1", "1.0", "2", "{c, 1}", "{c, 1.0}", "\"text\"", "x", "nosuch", "#{}"],
    for_types([lists:append(["{ets:", F, "(T, ", K, "), s(ets:tab2list(T)), ets:info(T, size)}"]) || F <- ["lookup", "member", "delete", "take"], K <- Keys] ++
                  [lists:append(["{ets:lookup_element(T, ", K, ", ", P, ")}"]) || K <- ["a", "1", "nosuch"], P <- ["1", "2", "3", "0", "x", "-1", "1 bsl 70"]] ++
                  [lists:append(["{ets:", F, "(T, ", O, "), s(ets:tab2list(T)), ets:info(T, size)}"])
                   || F <- ["insert", "insert_new"],
                      O <- ["{a, 1}", "{a, 2}", "{1, z}", "{1.0, z}", "{new}", "[]", "[{p}, {q}, {p}]", "[{p, 1}, {p, 2}, {a, 3}]", "[{a, 7}, {a, 8}]", "{}", "a", "[{p} | q]", "[{p}, q]", "[[{p}]]", "#{}"]] ++
                  [lists:append(["{ets:delete_object(T, ", O, "), s(ets:tab2list(T)), ets:info(T, size)}"]) || O <- ["{a, 1}", "{a, 2}", "{1, x}", "{1.0, x}", "{}", "a", "{nosuch}"]] ++
                  ["begin ets:insert(T, [{a, 1}, {a, 2}, {a, 1}, {a, 3}]), {ets:lookup(T, a), ets:lookup_element(T, a, 2)} end",
                   "begin ets:insert(T, [{a, 1}, {a, 2}, {a, 1}]), ets:delete_object(T, {a, 1}), ets:insert(T, {a, 1}), ets:lookup(T, a) end",
                   "begin ets:insert(T, [{a}, {a, 2}]), ets:lookup_element(T, a, 2) end",
                   "{ets:delete_all_objects(T), ets:tab2list(T), ets:info(T, size), ets:first(T)}",
                   "{ets:internal_delete_all(T, undefined), ets:info(T, size)}"]) ++
        [lists:append([F, "(", T, A, ")"])
         || T <- ["nosuch", "5", "make_ref()", "self()"],
            {F, A} <- [{"ets:insert", ", {a}"}, {"ets:insert", ", a"}, {"ets:insert", ", []"}, {"ets:lookup", ", a"}, {"ets:delete", ", a"}, {"ets:first", ""}, {"ets:select", ", x"},
                       {"ets:match", ", '_'"}, {"ets:tab2list", ""}, {"ets:member", ", a"}, {"ets:take", ", a"}, {"ets:update_counter", ", a, 1"}, {"ets:setopts", ", []"},
                       {"ets:give_away", ", self(), x"}, {"ets:delete_all_objects", ""}, {"ets:select_delete", ", []"}, {"ets:match_delete", ", '_'"}, {"ets:slot", ", 0"}]].

%% (A default object without a key can crash OTP 25.)
counters() ->
    Table = "T = t(Y, [{a, 1, x, 5, 1 bsl 70}, {\"b\", 2}])",
    Ops = ["1", "{2, 1}", "{1, 1}", "{3, 1}", "{6, 1}", "{0, 1}", "{-1, 1}", "x", "{2, x}", "{x, 1}", "{2, 1, 5, 0}", "{2, 10, 5, 0}", "{2, -10, 0, 100}", "{2, 10, 5, 1 bsl 70}", "{2, 1, x, 0}", "{2, 1, 0, x}",
           "[]", "[{2, 1}, {2, 1}]", "[{2, 1}, {4, 2, 6, 0}]", "[{2, 1}, {3, 1}]", "[1]", "[{2, 1} | x]", "{2, 0}", "{2, 1, 1}", "[{2, 0, 0, 0}]", "{2, 0, -1, 7}", "{5, 1}", "{5, -(1 bsl 70)}",
           "{2, 1 bsl 61}", "{2, 1.0}", "[{4, 1, 5, 0}, {4, -1, -1, 9}]", "1 bsl 70", "-1", "{2, -1, 0, 3}", "{2, -1, 1, 3}"],
    [lists:append(["begin Y = ", Y, ", ", Table, ", {ets:update_counter(T, ", K, ", ", Op, "), s(ets:tab2list(T))} end"]) || Y <- types(), K <- ["a", "nosuch"], Op <- Ops] ++
        [lists:append(["begin Y = ", Y, ", ", Table, ", {ets:update_counter(T, ", K, ", ", Op, ", ", D, "), s(ets:tab2list(T))} end"])
         || Y <- ["set", "ordered_set", "bag"], K <- ["a", "new"], Op <- ["{2, 1}", "[]", "x", "{3, 1}"], D <- ["{q, 1}", "{q, y}", "x", "{q}", "{q, 1, 2}", "[q]"]].

elements() ->
    [lists:append(["begin T = t(", Y, ", [{a, 1, x}, {b}]), {ets:update_element(T, ", K, ", ", C, "), s(ets:tab2list(T))} end"])
     || Y <- types(), K <- ["a", "b", "nosuch"],
        C <- ["{2, q}", "{1, q}", "{4, q}", "{0, q}", "x", "[]", "[{2, z}, {3, y}]", "[{2, z} | x]", "[{2, w}, {9, w}]", "[{2, a}, {2, b}]", "{x, y}", "{2}", "[{1, a}]", "#{}"]].

traversal() ->
    Fill = "[ets:insert(T, {I * 7919 rem 1009, I}) || I <- lists:seq(1, 200)]",
    for_types(["s(keys(T))", "s(back(T, ets:last(T)))", "s(slots(T))", "s(eat(T))",
               "ets:next(T, nosuch)", "ets:next(ets:new(t, [ordered_set]), '$end_of_table')", "ets:prev(ets:new(t, [ordered_set]), '$end_of_table')", "ets:next(ets:new(t, []), '$end_of_table')", "ets:prev(T, nosuch)", "ets:next(ets:new(t, []), x)", "ets:first(ets:new(t, []))", "ets:last(ets:new(t, []))",
               "begin " ++ Fill ++ ", {s(keys(T)), length(slots(T)), s(back(T, ets:last(T)))} end",
               "begin " ++ Fill ++ ", R = s(eat(T)), {R, ets:info(T, size)} end",
               "begin " ++ Fill ++ ", ets:safe_fixtable(T, true), K = ets:first(T), ets:delete_all_objects(T), {ets:next(T, K), ets:info(T, size)} end",
               "begin ets:safe_fixtable(T, true), ets:next(T, nosuch) end",
               "begin ets:safe_fixtable(T, true), ets:delete(T, a), ets:safe_fixtable(T, false), ets:next(T, a) end",
               "begin ets:safe_fixtable(T, true), ets:delete(T, a), ets:insert(T, {a, 2}), ets:delete(T, a), is_list(keys(T, a)) end",
               "ets:slot(T, -1)", "ets:slot(T, x)", "ets:slot(T, 1 bsl 70)", "ets:slot(T, 100000)",
               "s(ets:foldl(fun(O, A) -> [O | A] end, [], T))", "s(ets:foldr(fun(O, A) -> [O | A] end, [], T))"]) ++
        [lists:append(["begin T = t(ordered_set), {ets:", F, "(T, ", K, ")} end"]) || F <- ["next", "prev"], K <- ["0", "1", "1.0", "1.5", "a", "b", "zz", "{}", "{c, 1.5}", "\"text\"", "<<>>"]] ++
        ["begin T = t(ordered_set), {keys(T), back(T, ets:last(T)), slots(T), ets:slot(T, 7)} end", "begin T = t(ordered_set), ets:slot(T, 8) end", "eat(t(ordered_set))"].

%% --- match specifications

heads() ->
    Heads = ["'_'", "'$1'", "'$_'", "'$$'", "a", "5", "[a]", "#{}", "{}", "{a, '_'}", "{'$1', '$2'}", "{'$1', '$1'}", "{'$2', '$1'}", "{b, #{x => 1}}", "{b, #{}}", "{b, #{x => '$1'}}", "{b, #{x => '_', y => '$2'}}",
             "{b, #{z => '_'}}", "{b, #{'$1' => 1}}", "{b, #{'_' => 1}}", "{b, #{[x] => '$1', {y} => 1}}", "{'_', #{x => '$1'}}", "{{c, '$1'}, '$1'}", "{{c, '$1'}, '$2'}", "{{'$1', 1}, '_'}", "{\"text\", [1 | '$1']}", "{[$t | '$1'], '_'}",
             "{'_', ['$1', '$2' | '$3']}", "{1, '_'}", "{1.0, '_'}", "{'$01', '_'}", "{'$100000000', '_'}", "{'$5', '_', '$3'}", "{'$a', '_'}", "{'$', '_'}", "{'$-1', '_'}", "{'_', {'$1'}, more}", "{self(), '_'}",
             "{<<1>>, '_'}", "{{{'$1'}}, '_'}", "{{c, 1}, 2}", "{{c, 1.0}, 2}", "{{'_', '_'}, '$1', more}", "{#{a => 1}, '_'}"],
    for_types([lists:append(["s(ets:select(T, [{", H, ", [], ['$$']}]))"]) || H <- Heads] ++
                  [lists:append(["s(ets:match(T, ", H, "))"]) || H <- Heads] ++
                  [lists:append(["s(ets:match_object(T, ", H, "))"]) || H <- Heads] ++
                  [lists:append(["{ets:match_delete(T, ", H, "), s(ets:tab2list(T)), ets:info(T, size)}"]) || H <- Heads] ++
                  [lists:append(["{ets:select_count(T, [{", H, ", [], [true]}]), ets:select_delete(T, [{", H, ", [], [true]}, {{a, '_'}, [], [true]}]), s(ets:tab2list(T))}"]) || H <- Heads] ++
                  [lists:append(["s(ets:select(T, [{", H, ", [], [{{1, '$$'}}]}, {", G, ", [], [{{2, '$$'}}]}]))"]) || H <- ["{a, '_'}", "{'$1', '$1'}", "{nosuch}"], G <- ["{a, '$1'}", "{b, '_'}", "'$1'", "{'$1', x}"]]) ++
        ["begin T = t(set, [{#{a => 1, b => 2}, x}]), {ets:match_object(T, {#{a => 1}, '_'}), ets:match_object(T, {#{a => 1, b => '_'}, '_'}), ets:match_object(T, {#{a => 1, b => 2}, '_'})} end",
         "begin D = lists:foldl(fun(_, A) -> [A] end, '$1', lists:seq(1, 10000)), T = t(set, [{a, D}]), length(ets:match(T, {a, D})) end"].

guards() ->
    Guards = ["true", "false", "x", "1", "[true]", "{const, true}", "{is_atom, '$1'}", "{is_integer, '$1'}", "{'>', '$1', 1}", "{'==', '$1', 1}", "{'=:=', '$1', 1.0}", "{'=/=', '$1', 1}", "{'/=', '$1', 1}", "{'=<', '$1', '$2'}",
              "{'<', '$1', '$2'}", "{'>=', '$1', {{c, 2}}}", "{'and', {is_tuple, '$1'}, true}", "{'and', x, true}", "{'or', {is_tuple, '$1'}, {is_atom, '$2'}}", "{'or', true, x}", "{'andalso', {is_tuple, '$1'}, {'==', {element, 1, '$1'}, c}}",
              "{'andalso', false, {hd, '$1'}}", "{'andalso', true, {hd, '$1'}}", "{'andalso', x, true}", "{'orelse', {is_atom, '$1'}, {hd, '$1'}}", "{'orelse', false, true}", "{'orelse', x, true}", "{'not', {is_atom, '$1'}}", "{'not', x}",
              "{'xor', {is_atom, '$1'}, true}", "{is_record, '$_', a, 2}", "{is_record, '$_', '$1', 2}", "{is_record, '$_', a}", "{'==', {size, '$_'}, 2}", "{'==', {'+', '$2', 1}, 2}", "{'==', {self}, {const, self}}", "{is_pid, {self}}", "{'==', {node}, nonode@nohost}",
              "{'==', '$_', {{a, 1}}}", "{'==', '$$', ['$1', '$2']}", "{'==', {length, '$2'}, 3}", "{is_map_key, x, '$2'}", "{'==', {map_get, x, '$2'}, 1}", "{'==', {map_size, '$2'}, 2}", "'$3'", "{foo, 1}", "{hd}", "{}", "{5}", "{{}}", "{const}", "{const, 1, 2}",
              "{'and'}", "{'or'}", "{'andalso'}", "{'orelse'}", "{'and', true}", "{'orelse', x}", "{'andalso', true}", "{is_seq_trace}", "{message, x}", "{get_tcw}", "{caller}", "{'andalso', {'orelse', false, {is_atom, '$1'}}, {'andalso', true, {'==', '$2', 1}}, true}",
              "{'orelse', {'andalso', {is_tuple, '$1'}, false}, {'andalso', {is_atom, '$1'}, {'or', false, true}}}", "#{}", "{is_map, #{a => '$1'}}", "{'==', #{a => '$1'}, #{a => {const, a}}}"],
    for_types([lists:append(["s(ets:select(T, [{{'$1', '$2'}, [", G, "], ['$_']}]))"]) || G <- Guards] ++
                  ["s(ets:select(T, [{{'$1', '$2'}, [{is_atom, '$1'}, {is_integer, '$2'}], ['$_']}]))", "ets:select(T, [{{'$1', '$2'}, [true | x], ['$_']}])", "ets:select(T, [{{'$1', '$2'}, true, ['$_']}])"]) ++
        [lists:append(["begin {error, _} = E = erlang:match_spec_test({1}, ", M, ", table), {element(1, E), length(element(2, E)) > 0} end"])
         || M <- ["x", "[x]", "[{x}]", "[{'_', x, []}]", "[{'_', [], x}]", "[{'_', [], []}]", "[{'_', [], [{foo}]}]", "[{'_', [], ['$1']}]", "[]", "[{'_', [], [{message, x}]}]"]].

bodies() ->
    Bodies = ["'$_'", "'$$'", "'$1'", "'$3'", "'_'", "a", "1", "\"abc\"", "[]", "{{}}", "{{'$1'}}", "{{'$1', {{'$2', x}}}}", "['$1', x | '$2']", "#{'$1' => {{'$2'}}, z => {hd, a}}", "#{'$1' => 1, a => 2}", "#{}", "{const, {a, '$1'}}", "{const, '$1'}",
              "{{x, {hd, '$1'}, {'+', '$2', 1}}}", "{hd, {tl, '$2'}}", "{'andalso', true, 3}", "{'andalso', 3, true}", "{'orelse', false, 3}", "{'orelse', 3, true}", "{'and', true, 3}", "{'or', 3, true}", "{'and', true, true, true, false}", "{'or', false, false, true}",
              "{'xor', true, false}", "{'xor', true}", "{'not', {is_atom, '$1'}}", "{element, 1, '$_'}", "{element, 5, '$_'}", "{abs, '$2'}", "{float, '$2'}", "{a, b}", "[{a, b}]", "{{{a}}}", "{{{{a}}}}", "{'+', {'*', '$2', 2}, {'-', '$2'}}", "{'div', '$2', 0}",
              "{binary_part, {const, <<1, 2, 3>>}, 1, 1}", "{[a]}", "{{{const, '$1'}, '$1'}}", "1.5", "{'bnot', '$2'}", "{'bsl', 1, 70}"],
    for_types([lists:append(["s(ets:select(T, [{{'$1', '$2'}, [], [", B, "]}]))"]) || B <- Bodies] ++
                  ["s(ets:select(T, [{{'$1', '$2'}, [], ['$1', {{x, '$1'}}]}]))", "s(ets:select(T, [{{'$1', '_'}, [], [{hd, '$1'}, y]}]))", "ets:select(T, [{{'$1', '$2'}, [], []}])", "ets:select(T, [{{'$1', '$2'}, [], [a | b]}])", "ets:select(T, [{{'$1', '$2'}, [], x}])",
                   "ets:select(T, [])", "ets:select(T, foo)", "ets:select(T, [{'_', [], ['$_']} | x])", "ets:select(T, [{'_', []}])", "ets:select_count(T, [{'_', [], [1]}, {'_', [], [true]}])"]).

%% Each function that a specification may call, and more, with each of these arguments.
match_calls() ->
    Names = lists:usort([F || {F, _} <- erlang:module_info(exports), not lists:member(F, [halt, apply, '!'])]
                        ++ ['andalso', 'orelse', 'and', const, is_seq_trace, get_tcw, set_tcw, message, caller, return_trace, silent]),
    Values = ["a", "-7", "3.5", "\"ab\"", "{const, {1, 2}}", "#{a => 1}", "{const, <<1, 2, 3>>}", "true"],
    Arguments = [[]] ++ [[X] || X <- Values] ++ [[X, Y] || X <- Values, Y <- Values] ++ [["{const, <<1, 2, 3>>}", "1", "1"], ["{{a, 1}}", "a", "2"], ["a", "b", "c"]],
    [lists:append(["begin T = t(set, [{k}]), ets:select(T, [{'_', ", In, "}]) end"])
     || N <- Names, A <- Arguments,
        C <- [lists:append(["{", lists:append(lists:join(", ", [io_lib:format("~p", [N]) | A])), "}"])],
        In <- ["[], [" ++ lists:flatten(C) ++ "]" | ["[" ++ lists:flatten(C) ++ "], [yes]" || length(A) < 2]]].

replacements() ->
    Clauses = ["{'_', [], ['$_']}", "{{'$1', '_'}, [], ['$_']}", "{{'$1', '$2'}, [], [{{'$1', {{'$2'}}}}]}", "{{'$1', '$2'}, [{is_atom, '$2'}], [{{'$1'}}]}", "{{'$1', '_'}, [], [{{1, x}}]}", "{{'$1', '_'}, [], ['$1']}", "{{1, '_'}, [], [{{1, new}}]}",
               "{{1, '_'}, [], [{{{const, 1}, new}}]}", "{{1, '_'}, [], [{{1.0, new}}]}", "{{a, '_'}, [], [{const, {a, x}}]}", "{{a, '_'}, [], [{const, {b, x}}]}", "{{'$1', '_'}, [], [{{{element, 1, '$_'}, y}}]}", "{{'$1', '_'}, [], [{{{element, 2, '$_'}, y}}]}", "{'$1', [], ['$1']}",
               "{'$1', [], [{{{element, 1, '$_'}, y}}]}", "{{{'$1', '$2'}, '_'}, [], [{{{{'$1', '$2'}}, y}}]}", "{{{'$1', '$2'}, '_'}, [], [{{{{'$2', '$1'}}, y}}]}", "{{'_', x}, [], [{{'_', y}}]}", "{{'$1', '_'}, [], [x, '$_']}", "{{'$1', y}, [], [{{x}}]}", "{{a, '_'}, [], [{{a}}]}",
               "{{{c, 1}, '_'}, [], [{{{{c, 1}}, z}}]}", "{{'_', '_'}, [], [{const, {'_'}}]}", "{{[a], '_'}, [], [{{[a]}}]}", "{{[$t | '$1'], '_'}, [], [{{[$t | '$1'], y}}]}", "{{#{a => 1}, '_'}, [], [{{#{a => 1}}}]}", "{a, [], ['$_']}", "{{}, [], ['$_']}", "foo", "{{'$1', '_'}, [false], ['$1']}",
               "{{'$1', '$1'}, [], [{{'$1', {{same}}}}]}", "{{'$1', '_'}, [], [{{{const, '$1'}, x}}]}"],
    for_types([lists:append(["{ets:select_replace(T, [", C, "]), s(ets:tab2list(T)), ets:info(T, size)}"]) || C <- Clauses] ++
                  ["ets:select_replace(T, [])", "ets:select_replace(T, foo)", "{ets:select_replace(T, [{{a, '_'}, [], ['$_']}, {{'$1', x}, [], [{{'$1', y}}]}]), s(ets:tab2list(T))}"]).

limits() ->
    Specs = ["[{'_', [], ['$_']}]", "[{{'$1', '_'}, [], ['$1']}]", "[{{a, '_'}, [], ['$_']}]", "[{{{c, '$1'}, '_'}, [], ['$1']}]", "[{{nosuch}, [], ['$_']}]", "[{{a, '_'}, [], ['$_']}, {{b, '_'}, [], ['$_']}]", "[{{'$1', '$2'}, [{is_atom, '$1'}], ['$$']}]"],
    More = "ets:insert(T, [{a, 2}, {a, 3}, {b, 1}, {{c, 3}, z}])",
    for_types([lists:append(["begin ", More, ", s(all_of(ets:", F, "(T, ", S, ", ", N, "), fun(C) -> ets:", F, "(C) end)) end"])
               || F <- ["select", "select_reverse"], S <- Specs, N <- ["1", "2", "3", "100", "0", "x", "-1", "1 bsl 70"]] ++
                  [lists:append(["begin ", More, ", s(all_of(ets:", F, "(T, ", P, ", ", N, "), fun(C) -> ets:", F, "(C) end)) end"])
                   || F <- ["match", "match_object"], P <- ["'_'", "{'$1', '_'}", "{a, '$1'}", "{'$1', '$1'}", "{nosuch}"], N <- ["1", "2", "100", "0"]] ++
                  ["begin {A, C} = ets:select(T, [{'_', [], ['$_']}], 3), s(A ++ all_of(ets:select(ets:repair_continuation(C, [{'_', [], ['$_']}])), fun(D) -> ets:select(ets:repair_continuation(D, [{'_', [], ['$_']}])) end)) end",
                   "begin {_, C} = ets:select(T, [{'_', [], ['$_']}], 1), ets:delete(T), element(1, element(2, catch ets:select(C))) end",
                   "begin {_, C} = ets:select(T, [{'_', [], ['$_']}], 1), ets:delete_all_objects(T), ets:select(C) end"]) ++
        ["begin T = t(ordered_set), {A, C} = ets:select(T, [{'_', [], ['$_']}], 3), {B, _} = ets:select(C), {D, E} = ets:select_reverse(T, [{'_', [], ['$_']}], 3), {A, B, D, element(1, ets:select_reverse(E))} end",
         "{ets:select(t(ordered_set), [{{'$1', '_'}, [], ['$1']}]), ets:select_reverse(t(ordered_set), [{{'$1', '_'}, [], ['$1']}])}",
         "begin T = t(ordered_set), L = fun({R, '$end_of_table'}) -> {length(R), ended}; ({R, _}) -> {length(R), more} end, [L(ets:select(T, [{'_', [], ['$_']}], N)) || N <- [1, 7, 8, 9]] end",
         "begin T = t(set), L = fun({R, '$end_of_table'}) -> {length(R), ended}; ({R, _}) -> {length(R), more} end, [L(ets:select(T, [{'_', [], ['$_']}], N)) || N <- [1, 7, 8, 9]] end",
         "begin T = ets:new(t, [ordered_set]), [ets:insert(T, {{A, B}, C}) || A <- [1, 2, 3], B <- [a, b], C <- [x]], [{ets:match(T, {{A, '$1'}, '_'}), ets:select_reverse(T, [{{{A, '$1'}, '_'}, [], ['$1']}]), ets:select(T, [{{{A, '$1'}, '_'}, [], ['$1']}], 1) =/= '$end_of_table'} || A <- [0, 1, 2, 2.0, 3, 4]] end",
         "begin T = ets:new(t, [ordered_set]), [ets:insert(T, {L}) || L <- [\"\", \"a\", \"ab\", \"abc\", \"b\", \"abd\", \"ac\", [$a | b], x, <<>>]], [ets:match(T, {P}) || P <- ['$1', [$a | '$1'], [$a, $b | '$1'], [$a, '$1', $c], [$a, '$1'], [$z | '$1'], [$a, $b, $c | '$1']]] end",
         "{ets:select('$end_of_table'), ets:match('$end_of_table'), ets:match_object('$end_of_table'), ets:select_reverse('$end_of_table')}",
         "ets:select(foo)", "ets:match({a, b})", "ets:select({nosuch, 0, 1, [], [], 0})", "ets:match_object(5)"].

compiled() ->
    Specs = ["[{{'$1', '_'}, [], ['$1']}]", "[{{'$1', '_'}, [], ['$1']}, {'$1', [], [{{'$1'}}]}]", "[{x}]", "foo", "[]", "[{['$1' | '_'], [{is_atom, '$1'}], ['$1']}]", "[{#{a => '$1'}, [], ['$1']}]"],
    Terms = ["[{1, 2}, x, {3}]", "[]", "[{1, 2} | x]", "foo", "[[a, b], [1], #{a => 1, b => 2}, #{}]"],
    [lists:append(["ets:match_spec_run(", L, ", ets:match_spec_compile(", S, "))"]) || L <- Terms, S <- Specs] ++
        [lists:append(["erlang:match_spec_test(", T, ", ", S, ", table)"]) || T <- ["{1, 2}", "x", "[a]", "#{a => 1}"], S <- Specs, not lists:member(S, ["[{x}]", "foo", "[]"])] ++
        [lists:append(["ets:test_ms(", T, ", ", S, ")"]) || T <- ["{1, 2}", "{1}", "x"], S <- ["[{{'$1', '_'}, [], ['$1']}]", "[{{'$1', '_'}, ['$1'], ['$1']}]"]] ++
        ["ets:is_compiled_ms(ets:match_spec_compile([]))", "ets:is_compiled_ms(make_ref())", "ets:is_compiled_ms(x)", "is_reference(ets:match_spec_compile([]))", "ets:match_spec_run([a], make_ref())", "ets:match_spec_run([a], x)",
         "erlang:match_spec_test({1}, [{'_', [], [1]}], foo)", "ets:match_spec_run_r([{1, 2}, {3, 4}], ets:match_spec_compile([{{'$1', '_'}, [], ['$1']}]), [x])",
         "ets:select(t(set), ets:match_spec_compile([{'_', [], ['$_']}]))"].

%% --- owners

ownership() ->
    Doings = ["ets:lookup(T, a)", "ets:insert(T, {b})", "ets:insert(T, b)", "ets:insert(T, [])", "ets:delete(T, a)", "ets:delete(T)", "ets:first(T)", "ets:next(T, a)", "ets:tab2list(T)", "ets:info(T, size)", "ets:info(T, owner)", "ets:rename(T, q)", "ets:setopts(T, [])",
              "ets:setopts(T, {heir, none})", "ets:give_away(T, self(), x)", "ets:give_away(T, foo, x)", "ets:safe_fixtable(T, true)", "ets:select(T, foo)", "ets:select(T, [{'_', [], ['$_']}])", "ets:select_delete(T, [{{a, '_'}, [], [true]}])", "ets:select_delete(T, foo)",
              "ets:delete_all_objects(T)", "ets:match_delete(T, {a, '_'})", "ets:update_counter(T, a, 1)", "ets:update_element(T, a, {2, b})", "ets:take(T, a)", "ets:member(T, a)", "ets:insert_new(T, {a})", "ets:select_count(T, [])", "ets:select_replace(T, [])", "ets:slot(T, 0)", "ets:lookup_element(T, a, 2)",
              "ets:delete_object(T, {a, 1})", "is_list(ets:info(T))", "ets:match(T, '$1')", "ets:last(T)"],
    [lists:append(["other(fun(T) -> ", D, " end)"]) || D <- Doings] ++
        [lists:append(["begin T = ets:new(t, []), {ets:setopts(T, ", O, "), ets:info(T, protection), ets:info(T, heir)} end"])
         || O <- ["[]", "{protection, public}", "[{protection, private}, {heir, none}]", "{protection, foo}", "{heir, none, x}", "{heir, foo, x}", "{heir, self(), x}", "foo", "[{heir, none}, {heir, none}]", "[{protection, public}, {protection, private}]", "{keypos, 2}", "[{protection, public} | x]", "{heir}", "{protection, public, x}"]] ++
        ["begin T = ets:new(t, []), ets:give_away(T, self(), x) end", "begin T = ets:new(t, []), ets:give_away(T, foo, x) end",
         "begin {P, M} = spawn_monitor(fun() -> ok end), receive {'DOWN', M, _, _, _} -> ok end, T = ets:new(t, [{heir, P, x}]), {ets:info(T, heir), e(fun() -> ets:give_away(T, P, x) end)} end",
         %% Given away, and gone with its new owner.
         "begin T = ets:new(t, []), ets:insert(T, {a}), {P, M} = spawn_monitor(fun() -> receive {'ETS-TRANSFER', X, From, gift} -> From ! {got, ets:lookup(X, a)} end, receive stop -> ok end end), ets:give_away(T, P, gift), "
         "R = receive {got, L} -> L end, O = ets:info(T, owner) =:= P, A = e(fun() -> ets:insert(T, {b}) end), P ! stop, receive {'DOWN', M, _, _, _} -> ok end, {R, O, A, ets:info(T)} end",
         %% The heir gets it.
         "begin Me = self(), {P, M} = spawn_monitor(fun() -> T = ets:new(t, [{heir, Me, data}]), ets:insert(T, {a, 1}) end), receive {'DOWN', M, _, _, _} -> ok end, receive {'ETS-TRANSFER', T, P, data} -> {ets:lookup(T, a), ets:info(T, owner) =:= self(), ets:info(T, heir)} end end",
         "begin Me = self(), {P, M} = spawn_monitor(fun() -> ets:new(heirloom, [named_table, {heir, Me, data}]), exit(bad) end), receive {'DOWN', M, _, _, _} -> ok end, receive {'ETS-TRANSFER', T, P, data} -> {T, ets:info(T, owner) =:= self(), ets:delete(T)} end end",
         %% Without one, and with one that has ended, it goes.
         "begin Me = self(), {_, M} = spawn_monitor(fun() -> Me ! {t, ets:new(mortal, [named_table, public])} end), receive {t, T} -> ok end, receive {'DOWN', M, _, _, _} -> ok end, {T, ets:whereis(mortal), ets:info(T), e(fun() -> ets:lookup(T, a) end)} end",
         "begin Me = self(), H = spawn(fun() -> receive stop -> ok end end), {P, M} = spawn_monitor(fun() -> Me ! {t, ets:new(t, [public, {heir, H, x}])}, receive stop -> ok end end), receive {t, T} -> ok end, M2 = monitor(process, H), H ! stop, receive {'DOWN', M2, _, _, _} -> ok end, "
         "P ! stop, receive {'DOWN', M, _, _, _} -> ok end, ets:info(T) end",
         %% A process that ends releases what it has fixed.
         "begin T = ets:new(t, [public]), ets:insert(T, {a}), {_, M} = spawn_monitor(fun() -> ets:safe_fixtable(T, true) end), receive {'DOWN', M, _, _, _} -> ok end, ets:info(T, fixed) end",
         "begin T = ets:new(t, [public]), spawn_monitor(fun() -> [ets:update_counter(T, n, 1, {n, 0}) || _ <- lists:seq(1, 100)] end), receive {'DOWN', _, _, _, _} -> ets:lookup(T, n) end end"].

%% --- OTP's own functions on tables

library() ->
    for_types(["s(ets:match_object(T, '_'))", "ets:from_dets(T, nosuch)", "ets:to_dets(T, nosuch)", "begin X = ets:table(T), s(qlc:e(X)) end", "begin N = ets:new(x, []), {ets:init_table(N, fun(read) -> {[{1, 2}], fun(read) -> end_of_input end} end), ets:tab2list(N)} end",
               "ets:fun2ms(x)", "s(ets:select(T, [{{'$1', '$2'}, [{is_atom, '$1'}], [{{'$2', '$1'}}]}]))"]) ++
        ["begin G = digraph:new(), [digraph:add_vertex(G, V, {label, V}) || V <- [a, b, c, d]], E = [digraph:add_edge(G, A, B) || {A, B} <- [{a, b}, {b, c}, {c, a}, {c, d}]], "
         "{length(E), s(digraph:vertices(G)), s(digraph_utils:reachable([a], G)), digraph:get_path(G, a, d), [s(C) || C <- s(digraph_utils:cyclic_strong_components(G))], digraph:no_edges(G), digraph:del_vertex(G, c), s(digraph:out_neighbours(G, b)), digraph_utils:is_acyclic(G), digraph:vertex(G, a), digraph:delete(G)} end",
         "begin G = digraph:new([acyclic]), [digraph:add_vertex(G, V) || V <- lists:seq(1, 30)], [digraph:add_edge(G, V, V * 2) || V <- lists:seq(1, 15)], T = digraph_utils:topsort(G), {length(T), digraph:add_edge(G, 8, 1), s(digraph_utils:reaching([8], G))} end",
         "sofs:to_external(sofs:strict_relation(sofs:relation([{1, a}, {2, b}, {2, 2}])))"].

%% --- random sequences

%% {Type, position of the key, operations}.
sequences() ->
    N = 400 * list_to_integer(os:getenv("SCALE", "1")),
    [{pick([set, ordered_set, bag, duplicate_bag]), pick([1, 1, 2]), [operation() || _ <- lists:seq(1, 5 + rand:uniform(40))]} || _ <- lists:seq(1, N)].

sequence_text({Type, Position, Operations}) -> lists:flatten(io_lib:format("seq(~w, ~w, ~0p)", [Type, Position, Operations])).

pick(List) -> lists:nth(rand:uniform(length(List)), List).

key() -> pick([a, b, c, 1, 1, 1.0, 2, 2.0, 3, {a, 1}, {a, 1.0}, {a, b}, {b, 1}, [], "x", [a | b], #{a => 1}, 1 bsl 70, <<"b">>, rand:uniform(50)]).
value() -> pick([a, 0, 1, 2, 1.0, {a, 1}, [x], #{k => v}, rand:uniform(5)]).
object() -> list_to_tuple([pick([key(), key(), value()]) | lists:duplicate(rand:uniform(3), value())]).
many() -> [object() || _ <- lists:seq(1, rand:uniform(60))].
part() -> pick(['_', '$1', '$1', '$2', '$3', key(), value(), {a, '$1'}, {a, '_'}, {'$2', '$3'}, ['$1' | '_'], #{k => '$1'}]).
head() -> pick(['_', '$1', list_to_tuple([part() || _ <- lists:seq(1, 1 + rand:uniform(3))]), {key(), part()}, {part(), key()}]).
guard() -> pick([true, {is_atom, '$1'}, {'>', '$1', 1}, {'==', '$1', 1}, {'=:=', '$1', '$2'}, {'orelse', {is_tuple, '$1'}, {is_integer, '$1'}}, {'<', {size, '$_'}, 4}, {'not', {is_list, '$2'}}]).
body() -> pick([true, '$_', '$$', '$1', {{'$1', '$2'}}, {'+', '$1', 1}, ['$_'], {'>', '$1', 1}]).
spec() -> [{head(), [guard() || _ <- lists:seq(2, rand:uniform(3))], [body()]} || _ <- lists:seq(1, rand:uniform(2))].

operation() ->
    case rand:uniform(26) of
        1 -> {insert, many()};
        2 -> {delete, key()};
        3 -> {lookup, key()};
        4 -> {take, key()};
        5 -> {member, key()};
        6 -> {insert_new, pick([object(), [object(), object()]])};
        7 -> {delete_object, object()};
        8 -> {update_counter, key(), pick([1, {2, 1}, {3, -1, 0, 5}, [{2, 1}, {3, 2}]])};
        9 -> {update_counter, key(), pick([1, {2, 2}, [{3, 1}]]), pick([{x, 0}, {0, y, 0}, object()])};
        10 -> {update_element, key(), pick([{2, value()}, {3, value()}, [{2, x}, {3, y}]])};
        11 -> {select, spec()};
        12 -> {select_count, spec()};
        13 -> {select_delete, spec()};
        14 -> {match, head()};
        15 -> {match_object, head()};
        16 -> {match_delete, pick([head(), {key(), '_'}, {'_', key()}])};
        17 -> {chunks, pick([select, select_reverse]), spec(), rand:uniform(5)};
        18 -> {chunks_eating, spec(), rand:uniform(5)};
        19 -> {next, key()};
        20 -> walk;
        21 -> pick([eat, walk]);
        22 -> {select_replace, [{{'$1', '$2'}, [guard()], [{{'$1', pick([x, '$2', {{'$2'}}])}}]}]};
        23 -> {lookup_element, key(), rand:uniform(3)};
        _ -> {insert, object()}
    end.

%% The first sequence that differs, with as few operations as possible.
shrink(Dir, Sequences) ->
    case lists:dropwhile(fun(S) -> not differs(Dir, S) end, Sequences) of
        [] -> ok;
        [First | _] -> io:format("shortest: ~ts~n", [sequence_text(smaller(Dir, First, 1))])
    end.

differs(Dir, S) -> check_batch(Dir, "batch_shrinking", [sequence_text(S)]) =/= [same].

smaller(_, {_, _, Operations} = S, I) when I > length(Operations) -> S;
smaller(Dir, {Type, Position, Operations} = S, I) ->
    {Before, [_ | After]} = lists:split(I - 1, Operations),
    Shorter = {Type, Position, Before ++ After},
    case differs(Dir, Shorter) of
        true -> smaller(Dir, Shorter, I);
        false -> smaller(Dir, S, I + 1)
    end.
