%% The modules of lint_test.escript, good and bad, by what they are about. A family of
%% bodies is a list of expressions, each put into a function f(P, Q) of a module with
%% a few records, functions and imports.

cases() ->
    [{variables, bodies(variables())},
     {branches, bodies(branches())},
     {attempts, bodies(attempts())},
     {maybes, maybes()},
     {scopes, bodies(scopes())},
     {patterns, bodies(patterns())},
     {guards, bodies([["case P of Y when ", G, " -> Y end"] || G <- guards()]) ++ more_guards()},
     {filters, bodies([["[Y || Y <- P, ", G, "]"] || G <- guards()])},
     {map_keys, bodies([["#{(", G, ") := Z} = P"] || G <- guards()])},
     {sizes, bodies([["<<Y, Z:(", G, ")>> = P"] || G <- guards()])},
     {binaries, bodies(binaries())},
     {segments, bodies(segments())},
     {records, bodies(records()) ++ modules(record_modules())},
     {calls, bodies(calls()) ++ modules(call_modules())},
     {imports, modules(imports())},
     {module, module_forms()},
     {attributes, modules(attributes())},
     {types, modules(types())},
     {specs, modules(specs())},
     {random, random_modules()}].

bodies(Texts) ->
    [["-module(m).\n-import(lists, [map/2, sum/1]).\n-record(r, {a, b = 1}).\n-record(s, {c = self()}).\n-record(t, {f = fun(X) -> X end}).\n"
      "f(P, Q) ->\n  ", Text, ".\ng(X) -> X.\nis_list(X) -> X.\nfloat(_) -> 1.\n"] || Text <- Texts].

modules(Texts) -> [["-module(m).\n", Text] || Text <- Texts].

variables() ->
    ["X", "_", "{X, Y, X}", "X = P, X", "{X = P, X}", "X = Y = Z", "P = Q", "{P, X} = Q, X", "X = X", "{X, X} = P, X", "_ = P", "_X", "_X = P, _X", "_X",
     "[X | Y]", "[X = 1 | X]", "X + Y", "-X", "not X", "X ! Y", "(X = 1) + X", "(X = 1) ! (Y = 2), X + Y", "X = P ! Y = Q, {X, Y}", "X = P ! Y = Z, {X, Y}",
     "#{X => Y}", "#{a => X = 1}, X", "P#{a := X}", "X#{a => 1}", "M#{X := 1}#{Y => 2}", "#{a := 1}", "#{a => 1, b := 2}", "#{X := Y}",
     "<<X>>", "<<X:Y>>", "<<X/binary, Y:8>>", "X:f()", "m:X()", "X:Y(Z)", "X()", "X(Y)", "(X)(Y)", "fun X:f/1", "fun m:X/1", "fun m:f/X", "fun X:Y/Z",
     "#r{a = X}", "X#r.a", "X#r{a = Y}", "#r{a = X = 1}, X", "g(X = 1), X", "g(X) + g(X)", "begin X = 1, Y = X end, Y", "begin X end, X", "X, X", "{X, g(X)}, X",
     "X = 1, X = 2", "{X = 1, X = 2}, X", "f(X, Y = X)", "[X, [X, [X]]]", "{_, _}", "_ + 1", "g(_)", "X = _", "[_ | P]", "#{_ => 1}", "#{a => _}", "<<_>>", "<<1:_>>"].

branches() ->
    Sources = ["case P of 1 -> X = 1; 2 -> ok end", "case P of 1 -> X = 1; 2 -> X = 2 end", "if P -> X = 1; true -> ok end", "if P -> X = 1; true -> X = 2 end",
               "receive 1 -> X = 1; 2 -> ok end", "receive X -> ok end", "receive 1 -> X = 1 after 10 -> ok end", "receive 1 -> X = 1 after 10 -> X = 2 end",
               "receive after X = 10 -> ok end", "receive 1 -> ok after X = 10 -> ok end", "receive 1 -> X after X = 10 -> X end", "receive after 10 -> X = 1 end",
               "P andalso (X = Q)", "P orelse (X = Q)", "(X = P) andalso Q", "(X = P) orelse X", "P andalso (X = Q) andalso X", "P andalso (X = Q) orelse X",
               "case X = P of 1 -> X; _ -> ok end", "case P of X -> X; _ -> ok end", "case P of {X, X} -> X; X -> ok end", "case P of X when X -> ok; Y -> X = Y end",
               "case P of 1 -> case Q of 2 -> X = 1; 3 -> ok end; 2 -> X = 2 end", "case P of 1 -> case Q of 2 -> X = 1; 3 -> ok end; 2 -> case Q of 1 -> X = 1; 2 -> ok end end",
               "case P of 1 -> X = 1; 2 -> error(b) end", "case P of 1 -> Y = 1; 2 -> X = 2 end", "case P of 1 -> X; 2 -> X = 2 end", "case P of 1 -> X; 2 -> X end",
               "if P -> X; true -> X end", "catch X = P", "(catch X = P), X", "{catch X = P, X}", "{catch X = P, X = 1}", "[case P of 1 -> X = 1; 2 -> ok end, X = 2]"],
    Uses = ["X", "X, X", "{X, X}", "X = 1", "{X, X} = Q", "fun() -> X end, X", "fun() -> X end", "fun(X) -> X end", "[X || Q]", "[X || X <- Q]", "case Q of X -> X end", "case X of 1 -> X end",
            "case Q of 1 -> X; 2 -> ok end, X", "catch X", "P andalso X", "<<1:X>>", "<<Y:X>> = Q", "#{X := Y} = Q", "X#r.a", "try X catch _:_ -> X end", "(fun X() -> X end)()", "g(X), X"],
    Sources ++ [[S, ", ", U] || S <- Sources, U <- Uses].

attempts() ->
    ["try X = P catch _:_ -> X end", "try X = P of 1 -> X catch _:_ -> ok end", "try X = P, X after X end", "try P of X -> X catch _:_ -> X end", "try P catch _:X -> X after X end",
     "try X = P catch _:_ -> ok end, X", "try P of X -> ok catch _:X -> ok end, X", "try X = P after ok end, X", "try P after X = 1 end, X", "try P after X = 1, X end", "try P of 1 -> X = 1 after X end",
     "try X catch X -> X end", "try P catch X:Y -> {X, Y} end", "try P catch X:Y:Z -> {X, Y, Z} end", "try P catch _:_:Z when Z -> ok end", "try P catch _:_:Z when is_list(Z) -> Z; _:_:Z -> Z end",
     "try P catch _:Z:Z -> ok end", "try P catch Z:_:Z -> ok end", "try P catch _:_:P -> ok end", "S = 1, try P catch _:_:S -> S end", "try S = P catch _:_:S -> S end",
     "try P catch _:{a, Z}:Z -> Z end", "try P catch _:_:_ -> ok end", "try P catch _:_:_S when _S -> ok end", "try P catch _:_:S when g(S) -> ok end", "try P catch _:_:S when true, S == []; S -> S end",
     "try P catch a -> ok; error:b -> ok; exit:_:S -> S end", "try X = 1, try Y = X catch _:_ -> Y end catch _:_ -> {X, Y} end", "try P catch X -> X; X:Y -> Y end, X", "case Q of 1 -> S = 1; 2 -> ok end, try P catch _:_:S -> S end",
     "catch X", "catch (X = 1), X", "X = catch Y = P, {X, Y}", "catch catch X = P, X", "{catch X = 1, catch X = 2}, X", "try P of _ -> ok catch _:_:S -> fun() -> S end end", "try P catch _:_:S when S -> S end, S"].

maybes() ->
    [["-module(m).\n-feature(maybe_expr, enable).\nf(P, Q) ->\n  ", T, ".\ng(X) -> X.\n"]
     || T <- ["maybe X ?= P, X end", "maybe X ?= P end, X", "maybe X = P end, X", "maybe X ?= P, Y ?= X, {X, Y} end", "maybe {ok, X} ?= Y, Y end", "maybe X ?= P else X -> X end", "maybe X ?= P else _ -> X end",
              "maybe X ?= P else Y -> Y end, Y", "maybe X ?= P else {a, Y} -> Y; _ -> ok end, X", "maybe X ?= P else {a, Y} -> Y; Z when Z -> Y end", "maybe P, X end", "maybe maybe X ?= P end, X end",
              "maybe X ?= X end", "maybe g(X) ?= P end", "maybe 1 + 2 ?= P end", "maybe X ?= P, maybe Y ?= X else _ -> X end else _ -> Y end", "X = maybe Y ?= P end, X", "X = maybe Y ?= P end, Y",
              "case P of 1 -> maybe X ?= Q end; 2 -> X = 1 end, X", "fun() -> maybe X ?= P, X end end", "maybe X ?= P, fun() -> X end else _ -> fun() -> X end end", "maybe _ ?= _ end", "[maybe X ?= Y, X end || Y <- P]"]].

scopes() ->
    ["fun(X) -> X end", "fun(X) -> Y end", "fun(X) -> X end, X", "fun() -> X = 1, X end, X", "fun(P) -> P end", "fun(X, X) -> X end", "fun(X) when Y -> X end", "fun(X) when g(X) -> X end", "fun(<<X:P>>) -> X end", "fun(<<X:Y>>) -> X end",
     "fun(<<X, Y:X>>) -> Y end", "fun(X, <<Y:X>>) -> Y end", "fun(P, <<Y:P>>) -> Y end", "fun(#{P := X}) -> X end", "fun(#{Y := X}) -> X end", "fun(P, #{P := X}) -> X end", "fun(X) -> X; (Y) -> X end", "fun(1) -> X; (2) -> X end, X",
     "fun F(X) -> F(X) end", "fun F(X) -> F end, F", "fun F(F) -> F end", "fun _(X) -> X end", "fun P(X) -> P end, P", "fun F() -> X end, X", "F = fun F() -> F end, F", "fun(g()) -> 1 end", "fun(X) -> fun(Y) -> {X, Y, Z} end end",
     "[X || X <- P]", "[X || X <- X]", "[Y || X <- P]", "[X || X <- P], X", "[X || {X, Y} <- P, Y]", "[X || X <- P, Y <- X, Y]", "[X || Y <- X, X <- P]", "[X || X <- P, Y = X, Y]", "[Y || X <- P, Y = X]", "[X || X <- (Y = P)], Y", "[Y || X <- (Y = P)]",
     "[P || P <- Q]", "[X || <<X>> <= P]", "[X || <<X:Y>> <= P]", "[X || <<Y, X:Y>> <= P]", "[X || <<X:P>> <= Q]", "[X || <<P:P>> <= Q]", "[X || <<X/binary>> <= P]", "[X || <<X:8/binary>> <= P]", "[X || <<Y, X/bits>> <= P]", "[X || <<X/bytes>> <= P]", "[X || <<X/bitstring>> <= P]",
     "[X || <<X/binary-unit:8>> <= P]", "[X || X <= P]", "[X || #{P := X} <- Q]", "[X || #{Y := X} <- Q]", "[X || X <- P, g(X)]", "[X || X <- P, X]", "[X || X <- P, is_atom(X), list(X)]", "[X || X <- P, is_list(X)]", "[X || X <- P, list(X) orelse X]", "[X || X <- P, tuple(X)]", "[X || X <- P, record(X, r)]", "[X || X <- P, record(X, nope)]",
     "[X || X <- P, float(X)]", "[X || X <- P, nope(X)]", "[X || P, Q]", "[X = 1 || P], X", "<< <<X>> || X <- P >>", "<< <<X>> || <<X>> <= P >>, X", "<< X || X <- P >>", "<< (g(X)) || X <- P >>", "[[X || X <- Y] || Y <- P]", "[[X || X <- X] || Y <- P]",
     "[X || g(X) <- P]", "[X || 1 + 1 <- P]", "[X || X + 1 <- P]", "[fun(Y) -> X + Y end || X <- P]", "[begin Y = X, Y end || X <- P], Y", "[Z || X <- P, begin Z = X, true end]", "begin [X || X <- P], X = 1 end, X", "[{X, Y} || X <- P, Y <- Q], {X, Y}",
     "lists:map(fun(X) -> Y = X, Y end, P), Y", "begin F = fun() -> F end, F end", "case P of 1 -> X = 1; 2 -> ok end, [X || X <- Q], X", "case P of 1 -> X = 1; 2 -> ok end, fun(X) -> X; (_) -> X end, X", "case P of 1 -> X = 1; 2 -> ok end, fun(1) -> X; (_) -> X end, X",
     "case P of 1 -> X = 1; 2 -> ok end, fun(1) -> X; (_) -> ok end, X"].

patterns() ->
    ["g(P) = Q", "P:f() = Q", "m:f() = Q", "fun(X) -> X end = P", "[X | g(Y)] = P", "{g(X)} = P", "1 + 2 = P", "1 + X = P", "X + 1 = P", "1 / 0 = P", "1 div 0 = P", "1.5 div 2 = P", "-1 = P", "-X = P", "- 1.0 = P", "bnot 1 = P", "bnot 1.0 = P", "not true = P", "not X = P",
     "1 bsl 3 = P", "1 bsl -1 = P", "1.0 bsl 1 = P", "a + 1 = P", "$a + 1 = P", "\"a\" ++ X = P", "\"a\" ++ \"b\" = P", "\"a\" ++ \"b\" ++ X = P", "X ++ \"a\" = P", "[$a, $b] ++ X = P", "[$a, Y] ++ X = P", "[1, 2] ++ X = P", "[] ++ X = P", "[a] ++ X = P", "[$a, b] ++ X = P", "[$a, $b, c] ++ X = P",
     "[$a | \"b\"] ++ X = P", "[$a | Y] ++ X = P", "[$a | [$b]] ++ X = P", "[$a | [b]] ++ X = P", "\"a\" -- X = P", "(\"a\" ++ \"b\") ++ X = P", "\"a\" ++ g(X) = P", "X = Y = P, {X, Y}", "{X, Y} = {Z, 1} = P, {X, Y, Z}", "(X = 1) = P", "{X = 1, Y} = P, X", "case P of X = Y -> {X, Y} end", "case P of {X = Y, Z} -> {X, Y, Z} end",
     "<<X>> = <<Y>> = P", "case P of <<X>> = <<Y>> -> 1 end", "case P of {<<X>>} = {<<Y>>} -> 1 end", "case P of [<<X>>] = [<<Y>>] -> 1 end", "case P of [a, <<X>>] = [b, <<Y>>] -> 1 end", "case P of {<<X>>, a} = {a, <<Y>>} -> 1 end", "case P of X = <<Y>> -> 1 end", "case P of <<X>> = Y = <<Z>> -> 1 end",
     "case P of #r{a = <<X>>} = #r{a = <<Y>>} -> 1 end", "case P of #r{a = <<X>>} = #r{b = <<Y>>} -> 1 end", "case P of #r{a = <<X>>} = #s{c = <<Y>>} -> 1 end", "{<<X>>} = {<<Y>>} = P", "case P of #{a := X} = #{b := Y} -> 1 end", "case P of #{Q := X} = #{b := Y} -> 1 end", "case P of #{Z := X} = #{b := Y} -> 1 end",
     "#{a := X} = P, X", "#{a => X} = P", "#{a => X, b := Y} = P", "#{g(P) := X} = P", "#{P := X} = Q", "#{X := X} = Q", "#{X := Y} = Q", "#{a := #{b => X}} = P", "#{1 + 1 := X} = P", "#{{a, P} := X} = P", "#{[P | Q] := X} = P", "#{<<P>> := X} = P", "#{#r{} := X} = P", "#{#s{} := X} = P", "#{#{a => 1} := X} = P", "#{#{a := 1} := X} = P", "#{fun g/1 := X} = P",
     "P#{a := X} = Q", "#r{a = X}#r{b = 1} = P", "P#r.a = Q", "#r{a = X} = P, X", "#r.a = P", "#r.z = P", "#z.a = P", "begin 1 end = P", "case P of 1 -> 2 end = P", "(catch 1) = P", "[X || X <- P] = Q", "{} = P", "[] = P", "\"s\" = P", "$c = P", "1.5 = P", "a = P", "P ! Q = 1", "(P andalso Q) = 1", "(1 == 2) = P", "1 rem 2 = P", "{1 + 2, X} = P", "12345678901234567890 * 2 = P",
     "case P of g(X) -> X end", "case P of {X, g(X)} -> X end", "case P of 1 + X -> X end", "case P of X when X -> 1; g(1) -> 2 end", "receive g(X) -> X end", "m:f = P", "P = m:f", "{m:f}", "m:f", "P:f", "fun g/1 = P", "try P of g(X) -> 1 catch a -> 1 end", "try P catch _:g(1) -> 1 end", "try P catch _:{X, 1 + Y} -> X end"].

guards() ->
    ["X", "Y", "true", "P", "Y == 1", "Y + 1 > Q", "not Y", "is_atom(Y)", "is_list(Y)", "atom(Y)", "list(Y)", "g(Y)", "nope(Y)", "f(P, Q)", "length(Y) > 1", "float(Y)", "erlang:float(Y)", "erlang:is_list(Y)", "erlang:length(Y)", "erlang:nope(Y)", "lists:member(P, Y)", "erlang:'+'(Y, 1)", "erlang:'++'(Y, Q)", "m:g(Y)", "P:g(Y)",
     "map(P, Y)", "sum(Y)", "is_record(Y, r)", "is_record(Y, nope)", "is_record(Y, r, 3)", "is_record(Y, Q)", "is_record(Y, Q, 3)", "is_record(Y, r, Q)", "erlang:is_record(Y, r)", "erlang:is_record(Y, nope)", "erlang:is_record(Y, r, 3)", "record(Y, r)", "record(Y, nope)", "record(Y, Q)",
     "Y ++ Q", "Y -- Q", "Y ! Q", "Y = 1", "(Y = 1) == 1", "begin true end", "case Y of 1 -> true end", "fun() -> 1 end", "[Y || Q]", "catch Y", "Y andalso Q", "Y orelse X", "Y andalso g(Q)", "{Y, g(Q)} == 1", "[Y, X] == Q", "[Y | X] == Q", "#{Y => 1} == Q", "#{Y := 1} == Q", "Q#{Y => 1} == 1", "Q#{Y := g(Y)} == 1",
     "#r{} == Y", "#r{a = Y} == 1", "#r{a = g(Y)} == 1", "#s{} == Y", "#s{c = 1} == Y", "#t{} == Y", "#r{a = 1, a = 2} == Y", "#r{z = 1} == Y", "#z{} == Y", "#r{_ = 1} == Y", "Y#r.a", "Y#r.z", "Y#z.a", "#r.a == Y", "#r.z == Y", "Y#r{a = 1} == Q", "<<Y>> == Q", "<<Y:X>> == Q", "<<(g(Y))>> == Q", "<<Y:(g(Q))>> == 1", "<<Y/nope>> == 1", "m:g", "(m:g)(Y)",
     "self() == Y", "node() == Y", "node(Y) == Q", "element(1, Y)", "tuple_size(Y)", "map_size(Y)", "map_get(a, Y)", "is_map_key(a, Y)", "size(Y)", "bit_size(Y)", "byte_size(Y)", "binary_part(Y, 1, 2)", "binary_part(Y, {1, 2})", "abs(Y)", "ceil(Y)", "floor(Y)", "round(Y)", "trunc(Y)", "hd(Y)", "tl(Y)", "min(Y, 1)", "max(Y, 1)", "put(a, Y)", "get(Y)", "throw(Y)", "apply(P, Y)", "is_function(Y, 2)", "is_function(Y)", "function(Y)", "is_integer(Y, 1, 2)",
     "Y == 1.0", "Y =:= $a", "Y =/= \"s\"", "Y band 1", "Y / 0", "-Y", "bnot Y", "Y xor Q", "Y and X", "Y or X", "{} == Y", "_ == 1", "is_atom(_)", "is_atom(X)", "number(Y)", "pid(Y)", "port(Y)", "binary(Y)", "reference(Y)", "tuple(Y)", "integer(Y)", "is_atom(Y, 1)", "atom(Y) == true", "is_atom()", "Y(1)", "fun g/1 == Y", "receive a -> 1 end", "if Y -> 1 end", "try Y catch a -> 1 end", "maybe"].

more_guards() ->
    modules(["is_list(X) -> X.\nf(X) when is_list(X) -> X.\n", "is_list(X) -> X.\nf(X) when list(X) -> X.\n", "list(X) -> X.\nf(X) when list(X) -> X.\n", "list(X) -> X.\nf(X) -> [Y || Y <- X, list(Y)].\n", "is_list(X) -> X.\nf(X) -> [Y || Y <- X, list(Y)].\n",
             "is_record(A, B) -> {A, B}.\n-record(r, {}).\nf(X) when is_record(X, r) -> X.\n", "is_record(A, B, C) -> {A, B, C}.\nf(X) when is_record(X, r, 1) -> X.\n", "-compile({no_auto_import, [is_list/1]}).\nf(X) when is_list(X) -> X.\n", "-compile(no_auto_import).\nf(X) when is_list(X) -> X.\n",
             "-compile(no_auto_import).\nf(X) when is_atom(X), length(X) > 1 -> X.\n", "-compile({no_auto_import, [is_list/1]}).\nf(X) when erlang:is_list(X) -> X.\n", "-compile({no_auto_import, [length/1]}).\n-import(erlang, [length/1]).\nf(X) when length(X) > 1 -> X.\n", "-compile({no_auto_import, [length/1]}).\n-import(foo, [length/1]).\nf(X) when length(X) > 1 -> X.\n",
             "-compile({no_auto_import, [length/1]}).\nf(X) -> [Y || Y <- X, length(Y) > 1].\n", "-compile({no_auto_import, [length/1]}).\nlength(X) -> X.\nf(X) when length(X) > 1 -> length(X).\n", "-import(erlang, [is_atom/1]).\nf(X) when is_atom(X) -> X.\n", "f(X) when X, Y; Y, Z; X -> Y.\n", "f(X, Y) when X; Y -> ok; f(X, _) when Y -> ok.\n",
             "f(X) when X == #r{} -> 1.\n-record(r, {}).\n", "-record(r, {a = g()}).\nf(X) when X == #r{} -> 1.\ng() -> 1.\n", "-record(r, {a = g(), b}).\nf(X) when X == #r{a = 1}; X == #r{b = 2} -> 1.\ng() -> 1.\n", "-record(r, {a = Z}).\nf(X) when X == #r{} -> 1.\n", "-record(r, {a = self()}).\nf(X) when X == #r{} -> 1.\n", "-record(r, {a = #q{}}).\nf(X) when X == #r{} -> 1.\n",
             "-record(q, {z = g()}).\n-record(r, {a = #q{}}).\nf(X) when X == #r{} -> 1.\ng() -> 1.\n", "-record(q, {z = g()}).\n-record(r, {a = #q{}}).\nf(L) -> [X || X <- L, X == #r{}].\ng() -> 1.\n"]).

binaries() ->
    ["<<X, Y>> = P, {X, Y}", "<<X:8, Y:X>> = P, Y", "<<X:Y>> = P", "<<X:X>> = P", "<<P:P>> = Q", "<<X/binary, Y>> = P", "<<X/binary, Y/binary>> = P", "<<X/binary, Y/binary, Z>> = P", "<<X:8/binary, Y/binary>> = P", "<<X/bits, Y>> = P", "<<X/bytes, Y>> = P", "<<X/bitstring, 1>> = P", "<<X:Q/binary, Y>> = P", "<<_/binary, _>> = P", "<<_/binary>> = P",
     "<<\"abc\">> = P", "<<\"abc\", X/binary>> = P", "<<\"abc\":8>> = P", "<<\"abc\"/integer>> = P", "<<\"abc\"/utf8>> = P", "<<\"abc\"/utf16, X>> = P", "<<\"abc\"/utf8-little>> = P", "<<\"abc\":16/utf8>> = P", "<<\"abc\"/binary>> = P", "<<\"abc\"/little>> = P", "<<<<1>>>> = P", "<<<<X>>/binary>> = P", "<<(g(X))>> = P", "<<[]>> = P", "<<{}>> = P", "<<a>> = P", "<<1.5>> = P", "<<1.5/float>> = P", "<<-1>> = P", "<<(1 + 2)>> = P", "<<(1 + X)>> = P", "<<(1 / 0)>> = P",
     "<<X:(1 + 2)>> = P", "<<X:(P + 1)>> = Q", "<<X:(Y + 1)>> = Q", "<<X:8, Y:(X * 8)>> = P", "<<X:(g(1))>> = P", "<<X:(nope(1))>> = P", "<<X:(length(Q))>> = P", "<<X:(lists:sum(Q))>> = P", "<<X:(sum(Q))>> = P", "<<X:a>> = P", "<<X:1.0>> = P", "<<X:\"8\">> = P", "<<X:all>> = P", "<<X:all/binary>> = P", "<<X:all/binary, Y>> = P", "<<X:(Q = 8)>> = P", "<<X:(case 1 of 1 -> 8 end)>> = P", "<<X:(-1)>> = P", "<<X:0>> = P", "<<X:(1 bsl 3)>> = P", "<<X:(Q#r.a)>> = P", "<<X:(Q#r.z)>> = P", "<<X:#r.a>> = P",
     "case P of <<X, Y:X>> -> Y; <<Y:Z>> -> Y end", "case P of {X, <<Y:X>>} -> Y end", "case P of <<X:8, {a}/binary>> -> X end", "case P of <<X, <<Y>>/binary>> -> 1 end", "<<X:8, X:8>> = P", "<<X:8>> = <<X>>", "<<P>> = <<Q>>", "f(<<X>>, X)", "case P of 1 -> X = 8; 2 -> ok end, <<Y:X>> = Q", "case P of 1 -> X = 8; 2 -> ok end, <<Y:(X + 1)>> = Q", "case P of 1 -> X = 8; 2 -> ok end, <<X>> = Q", "<<_:X, X>> = P", "<<X, _:X/binary, Y/binary>> = P, Y",
     "<<_:_>> = P", "<<X:_>> = P", "case P of <<X:8/integer, _:X/binary-unit:8, R/bits>> -> R end"].

segments() ->
    Types = ["integer", "float", "binary", "bytes", "bits", "bitstring", "utf8", "utf16", "utf32", "signed", "unsigned", "big", "little", "native", "unit:8", "unit:1", "unit:256", "unit:0", "unit:257", "unit:1000", "nope", "unit", "foo:3", "litle"],
    Pairs = ["integer-float", "integer-integer", "binary-bytes", "binary-bits", "bytes-bits", "bytes-unit:8", "bytes-unit:1", "bits-unit:1", "bits-unit:8", "signed-unsigned", "signed-signed", "big-little", "big-big", "unit:8-unit:8", "unit:8-unit:4", "utf8-utf16", "utf8-unit:8", "utf8-little", "utf16-little-big", "float-unit:8", "integer-unit:8", "binary-unit:8", "binary-nope", "nope-nope", "integer-binary-nope", "little-integer-signed-unit:3"],
    [[Left, Size, "/", T, Right] || {Left, Right} <- [{"<<P", ">>"}, {"<<X", ">> = P"}], Size <- ["", ":8", ":Q", ":all"], T <- Types ++ Pairs]
        ++ ["<<P:all>>", "<<P:all/binary>>", "<<P:(g(1))>>", "<<P:(X)>>", "<<P:(1 + 2)>>", "<<\"abc\":8/binary>>", "<<\"abc\":8/nope>>", "<<1:P, 2:X>>", "<<(X = 1), X>>", "<<P:(X = 8)>>, X"].

records() ->
    ["#r{}", "#r{a = 1}", "#r{a = 1, a = 2}", "#r{z = 1}", "#r{z = X}", "#z{a = X}", "#z{}", "#r{a = 1, _ = 2}", "#r{_ = 1, _ = 2}", "#r{a = 1, b = 2, _ = 3}", "#r{X = 1}", "#r{_X = 1}", "P#r.a", "P#r.z", "P#z.a", "P#r{a = 1}", "P#r{a = 1, a = 2}", "P#r{z = 1}", "P#z{a = 1}", "P#r{_ = 1}", "P#r{a = 1, _ = 2}", "P#r{X = 1}", "P#r{}", "#r.a", "#r.z", "#z.a",
     "P#r.a#r.b", "P#r.a#r.z", "P#r{a = 1}#r{b = 2}", "P#r{z = 1}#r{y = 2}", "P#r.a#z.b#r.z", "#r{a = #r{z = 1}}", "#r{a = #z{}}", "(#r{a = 1})#r.a", "is_record(P, r)", "is_record(P, z)", "is_record(P, X)", "is_record(P, Q)", "is_record(P, z, 3)", "erlang:is_record(P, z)", "erlang:is_record(P, r)", "erlang:is_record(P, Q)", "{erlang, is_record}(P, z)", "record_info(fields, r)", "record_info(size, r)", "record_info(size, z)", "record_info(nope, r)", "record_info(fields, P)", "record_info(P, r)", "record_info(P, Q)", "record_info(fields)", "fun record_info/2",
     "#r{a = X} = P, X", "#r{a = X, a = Y} = P", "#r{z = X} = P", "#z{a = X} = P", "#r{_ = X} = P, X", "#r{a = X, _ = Y} = P", "#r{a = X, b = Y, _ = Z} = P", "#r{_ = 1, _ = 2} = P", "#r{X = 1} = P", "#s{c = X, _ = Y} = P", "{#r{a = #r{z = X}}} = P", "case P of #z{} -> 1; #r{q = 1} -> 2; #r{a = X, b = X} -> X end", "#t{f = P}", "#s{}#s.c", "#'R'{}", "#'r'{}"].

record_modules() ->
    ["-record(r, {a, a}).\n", "-record(r, {a, b = 1, a = 2}).\n", "-record(r, {}).\n-record(r, {a}).\n", "-record(r, {a = X}).\n", "-record(r, {a = X = 1}).\n", "-record(r, {a = fun(X) -> X end}).\n", "-record(r, {a = fun(X) -> Y end}).\n", "-record(r, {a = [X || X <- []]}).\n", "-record(r, {a = [X = 1 || _ <- []]}).\n", "-record(r, {a = case 1 of X -> X end}).\n", "-record(r, {a = begin X = 1, X end}).\n",
     "-record(r, {a = #r{}}).\n", "-record(r, {a = #q{}}).\n-record(q, {}).\n", "-record(q, {}).\n-record(r, {a = #q{}}).\nf() -> #r{}.\n", "-record(r, {a = g()}).\nf() -> #r{}.\n", "-record(r, {a = g()}).\n", "-record(r, {a = g()}).\ng() -> 1.\n", "-record(r, {a :: integer()}).\n", "-record(r, {a :: nope()}).\n", "-record(r, {a :: X}).\n", "-record(r, {a :: X, b :: X}).\n", "-record(r, {a = 1 :: #r{}}).\n", "-record(r, {a :: #q{}}).\n", "-record(r, {a :: #r{a :: integer()}}).\n", "-record(r, {a :: #r{z :: integer()}}).\n",
     "f() -> #r{}.\n-record(r, {}).\n", "f() -> #r{a = 1}.\n-record(r, {}).\ng() -> #r{a = 1}.\n", "-record(r, {a = <<1:nope>>}).\n", "-record(r, {a = <<1/nope>>}).\n", "-record(r, {a = try 1 catch _:X -> X end}).\n", "-record(r, {a = length([])}).\nlength(_) -> 1.\n", "-record(r, {a = [Y || X <- [], Y <- X]}).\n", "-record(r, {a = fun F() -> F end}).\n", "-record(a, {x}).\n-record(b, {y = #a{z = 1}}).\nf() -> #b{}.\n"].

calls() ->
    ["g(P)", "g(P, Q)", "nope()", "nope(X)", "f(P)", "f(P, Q)", "m:nope()", "fun g/1", "fun g/2", "fun nope/0", "fun f/2", "fun map/2", "fun sum/1", "fun length/1", "fun lists:map/2", "map(P, Q)", "map(P)", "sum(Q)", "length(P)", "float(P)", "is_list(P)", "fun is_list/1", "fun float/1", "erlang:float(P)", "erlang:is_list(P)", "module_info()", "module_info(P)", "fun module_info/0", "module_info(1, 2)", "''()", "'':f()", "' ':f()", "'a b':f()", "'\\x{400}':f()", "'a\\n':f()", "'':X()", "P:''()", "apply(P, Q)", "spawn(fun nope/0)", "(fun nope/0)()", "(P)()", "{a, b}(P)", "1()", "\"s\"()", "[g(X), nope(), nope(1)]", "min(P, Q)", "max(P)", "self()", "self(1)", "put(1)", "g()", "g(g(g()))", "fun g/255"].

call_modules() ->
    ["length(X) -> X.\nf() -> length(1).\n", "length(X) -> length(X).\n", "length(X) -> erlang:length(X).\n", "-compile({no_auto_import, [length/1]}).\nlength(X) -> length(X).\n", "-compile({no_auto_import, [length/1, size/1]}).\nf(X) -> length(X) + size(X).\n", "-compile([{no_auto_import, [length/1]}]).\nlength(X) -> X.\nf(X) -> length(X) + size(X).\n", "-compile(no_auto_import).\nf(X) -> length(X).\n", "-compile(no_auto_import).\nf() -> fun length/1.\n",
     "binary_part(X, Y) -> {X, Y}.\nf() -> binary_part(1, 2).\n", "error(X, Y, Z) -> {X, Y, Z}.\nf() -> error(1, 2, 3).\n", "-compile(nowarn_bif_clash).\nlength(X) -> length(X).\n", "-compile([nowarn_bif_clash]).\nlength(X) -> length(X).\n", "-compile({nowarn_bif_clash, {length, 1}}).\nlength(X) -> length(X).\n", "-compile({nowarn_bif_clash, [{length, 1}]}).\nlength(X) -> length(X).\n", "-compile({nowarn_bif_clash, [size/1]}).\nlength(X) -> length(X).\n", "-compile([{nowarn_bif_clash, {length, 1}}]).\nlength(X) -> length(X).\n", "-compile(warn_bif_clash).\nlength(X) -> length(X).\n", "-compile([nowarn_bif_clash, warn_bif_clash]).\nlength(X) -> length(X).\n",
     "f() -> 1.\nf() -> 2.\n", "f() -> 1.\ng() -> f(1).\nf(X) -> X.\nf() -> X.\n", "module_info() -> 1.\n", "module_info(X) -> X.\n", "record_info(A, B) -> {A, B}.\n", "module_info(A, B) -> {A, B}.\n", ["f(", lists:join(", ", ["_" || _ <- lists:seq(1, 255)]), ") -> 1.\n"], ["f(", lists:join(", ", ["_" || _ <- lists:seq(1, 256)]), ") -> 1.\n"], ["f() -> g(", lists:join(", ", ["1" || _ <- lists:seq(1, 300)]), ").\n"], "f() -> fun length/1.\nlength(X) -> X.\n", "is_record(A, B) -> {A, B}.\n-record(r, {}).\nf(X) -> is_record(X, r) + is_record(X, X).\n", "f() -> g().\n", "f() -> g(),\n  h(1),\n   g().\n", "f(X) -> f(X, 1).\nf(X, Y) -> g(X), Y.\n"].

imports() ->
    ["-import(lists, [map/2]).\n-import(lists, [map/2]).\n", "-import(lists, [map/2]).\n-import(foo, [map/2, bar/1]).\nf() -> bar(1).\n", "-import(lists, [map/2]).\nmap(A, B) -> {A, B}.\n", "-import(lists, [map/2, map/2]).\n", "-import(foo, [length/1]).\n", "-import(foo, [length/1, size/1, bar/1]).\nf() -> bar(1) + length(2).\n", "-import(foo, [error/3]).\n", "-import(foo, [binary_part/2]).\nf() -> binary_part(1, 2).\n", "-import(erlang, [length/1]).\n", "-compile({no_auto_import, [length/1]}).\n-import(foo, [length/1]).\nf() -> length(1).\n",
     "-compile(nowarn_bif_clash).\n-import(foo, [length/1]).\n", "-compile({nowarn_bif_clash, [length/1]}).\n-import(foo, [length/1]).\n", "-import('', [f/1]).\n", "-import(' ', [f/1]).\n", "-import('a\\n', [f/1]).\n", "-import(lists, []).\n", "-import(lists, [f/1]).\n-export([f/1]).\n", "f() -> map(1, 2).\n-import(lists, [map/2]).\n", "-import(lists, [sum/1]).\nf() -> sum(1), sum(1, 2), fun sum/1.\n", "-import(foo, [record_info/2]).\nf() -> record_info(a, b).\n", "-import(foo, [module_info/0]).\n", "-import(lists, [map/2]).\nf(X) when map(X, X) -> 1.\n", "-import(foo, [is_list/1]).\nf(X) when is_list(X) -> 1.\n", "-import(foo, [list/1]).\nf(X) when list(X) -> 1.\n", "-import(foo, [list/1]).\nf(X) -> [Y || Y <- X, list(Y)].\n", "-import(lists, [map/2]).\n-import(lists, [map/2]).\nmap(_, _) -> 1.\n"].

module_forms() ->
    ["", "f() -> 1.\n", "-export([f/0]).\n-module(m).\nf() -> 1.\n", "-module(m).\n-module(n).\n", "-module(m).\n-module(m).\nf() -> 1.\n-module(m).\n", "-module('').\n", "-module(' ').\n", "-module('\\xa0').\n", "-module('a\\tb').\n", "-module('\\x{3b1}').\n", "-module('\\x{3b1}\\n').\n", "-module('a b').\n", "-module(m, []).\n", "-module(m, [X]).\nf() -> X.\n", "-module('').\n-module(m).\n", "-compile(export_all).\n-module(m).\n", "-record(r, {}).\n-module(m).\n", "-file(\"x\", 1).\n-module(m).\nf() -> X.\n", "-module(m).\n", "%% nothing\n", "-type t() :: a.\n", "-behaviour(x).\n-module(m).\n",
     "-module(m).\nf() -> 1.\n-export([f/0]).\n", "-module(m).\nf() -> 1.\n-import(lists, [map/2]).\n", "-module(m).\nf() -> 1.\n-foo(bar).\n", "-module(m).\nf() -> 1.\n-compile(export_all).\n", "-module(m).\nf() -> 1.\n-record(r, {}).\n-type t() :: a.\n-opaque o() :: b.\n-spec f() -> 1.\n-dialyzer(no_match).\n", "-module(m).\nf() -> 1.\n-callback g() -> 1.\n", "-module(m).\nf() -> 1.\n-behaviour(gen_server).\n", "-module(m).\nf() -> 1.\n-on_load(f/0).\n", "-module(m).\nf() -> 1.\n-vsn(1).\n-author(a).\n", "-module(m).\nf() -> 1.\n-export_type([t/0]).\n", "-module(m).\nf() -> 1.\n-optional_callbacks([f/0]).\n", "-module(m).\nf() -> 1.\n-deprecated([{g, 1}]).\n", "-module(m).\nf() -> 1.\n-file(\"y\", 10).\ng() -> X.\n", "-module(m).\nf() -> 1.\n-nifs([f/0]).\n", "-module(m).\nf() -> 1.\n-doc \"x\".\ng() -> 1.\n"].

attributes() ->
    ["-export([f/0]).\n", "-export([f/0]).\nf() -> 1.\n", "-export([f/0, g/1]).\nf() -> 1.\n", "-export([f/0, f/0]).\nf() -> 1.\n", "-export([]).\n", "-export([module_info/0]).\n", "-export([f/0]).\n-export([g/0]).\n", "-export_type([t/0]).\n", "-export_type([t/0]).\n-type t() :: a.\n", "-export_type([t/1, integer/0]).\n-type t() :: a.\n",
     "-on_load(f/0).\nf() -> 1.\n", "-on_load(f/0).\n", "-on_load(f/1).\nf(X) -> X.\n", "-on_load(f).\n", "-on_load([f/0]).\n", "-on_load({f, 0}).\nf() -> 1.\n", "-on_load(f/0).\n-on_load(g/0).\nf() -> 1.\ng() -> 1.\n", "-on_load(f/1).\n-on_load(g/1).\n", "-on_load(1).\n", "-on_load(foo).\n-on_load(f/0).\nf() -> 1.\n",
     "-nifs([f/0]).\nf() -> 1.\n", "-nifs([f/0, g/1]).\nf() -> 1.\n", "-nifs([]).\n", "-nifs([module_info/0]).\n",
     "-compile({inline, [f/0]}).\n", "-compile({inline, [f/0]}).\nf() -> 1.\n", "-compile([{inline, [f/0, g/1]}, export_all]).\nf() -> 1.\n", "-compile({inline, f/0}).\n", "-compile({inline, {f, 0}}).\n", "-compile(inline).\n", "-compile({inline, 30}).\n", "-compile({inline_size, 30}).\n", "-import(lists, [map/2]).\n-compile({inline, [map/2]}).\n", "-compile({inline, [module_info/0]}).\n", "-compile({nowarn_unused_function, [f/0]}).\n", "-compile({nowarn_unused_function, f/0}).\nf() -> 1.\n", "-compile({nowarn_unused_function, [{f, 0}, {g, 1}]}).\nf() -> 1.\n", "-compile(nowarn_unused_function).\n", "-compile({nowarn_unused_record, r}).\n", "-compile({nowarn_unused_record, [r, q]}).\n-record(r, {}).\n", "-compile({nowarn_bif_clash, [f/0]}).\n", "-compile({nowarn_deprecated_function, [{'', f, 1}]}).\n", "-compile({nowarn_removed, [{' ', f, 1}, '']}).\n", "-compile({nowarn_removed, m}).\n", "-compile([[{inline, [f/1]}], [[export_all]]]).\n", "-compile({inline, [f]}).\n",
     "-deprecated([{f, 0}]).\n", "-deprecated([{f, 0}]).\n-export([f/0]).\nf() -> 1.\n", "-deprecated({f, 0}).\nf() -> 1.\n", "-deprecated([{f, '_'}]).\n-export([f/0]).\nf() -> 1.\n", "-deprecated([{g, '_'}]).\n", "-deprecated(module).\n", "-deprecated([{'_', '_'}]).\n", "-deprecated([{f, 0, next_version}, {f, 0, eventually}, {f, 0, next_major_release}, {f, 0, \"text\"}]).\n-export([f/0]).\nf() -> 1.\n", "-deprecated([{f, 0, never}]).\n", "-deprecated([{f, 0, [a]}]).\n", "-deprecated([f]).\n", "-deprecated([{f}]).\n", "-deprecated([{1, 2}]).\n", "-deprecated([{f, a}]).\n", "-deprecated([{f, -1}]).\n", "-deprecated([{'_', 1}]).\n", "-deprecated([{module_info, 0}]).\n", "-compile(export_all).\n-deprecated([{f, 0}, {g, 0}]).\nf() -> 1.\n", "-deprecated([{f, 0, \"\", 1}]).\n",
     "-removed([{f, 0}]).\n", "-removed([{f, 0}]).\n-export([f/0]).\nf() -> 1.\n", "-removed({f, '_', \"text\"}).\n-export([f/0]).\nf() -> 1.\n", "-removed([{'_', '_'}]).\n", "-removed([{'_', '_'}]).\n-export([f/0]).\nf() -> 1.\n", "-removed(module).\n-export([f/0]).\nf() -> 1.\n", "-removed(module).\n", "-removed([{f, 0, a}]).\n", "-removed([f]).\n", "-removed([{1, 1}]).\n", "-removed([{f, a}]).\n", "-removed([{f, 0}]).\nf() -> 1.\n", "-compile(export_all).\n-removed([{f, 0}, {g, 0}]).\nf() -> 1.\n",
     "-dialyzer(no_match).\n", "-dialyzer([no_match, no_return]).\n", "-dialyzer(nope).\n", "-dialyzer([nope, no_match]).\n", "-dialyzer({no_match, f/0}).\n", "-dialyzer({no_match, f/0}).\nf() -> 1.\n", "-dialyzer({nowarn_function, f/0}).\nf() -> 1.\n", "-dialyzer({nowarn_function, [f/0, g/1]}).\nf() -> 1.\n", "-dialyzer({[no_match, nope], [f/0, g/1]}).\nf() -> 1.\n", "-dialyzer({nope, f/0}).\nf() -> 1.\n", "-dialyzer(nowarn_function).\n", "-dialyzer({no_match, f}).\n", "-dialyzer(1).\n", "-dialyzer({a, b, c}).\n", "-dialyzer({1, f/0}).\n", "-dialyzer([]).\n", "-dialyzer({no_match, [module_info/0]}).\n",
     "-behaviour('').\n", "-behaviour(' ').\n", "-behavior('\\x{3b1}').\n", "-behaviour(gen_server).\n", "-behaviour(nope).\n", "-foo(bar).\n-bar([1, 2]).\n", "-author(me).\n-vsn(1).\n"].

types() ->
    ["-type t() :: a.\n", "-type t() :: u().\n", "-type t() :: t(a).\n", "-type t(A) :: A.\n", "-type t(A) :: a.\n", "-type t(_A) :: a.\n", "-type t(A, B) :: {A, B}.\n", "-type t(A, B) :: A.\n", "-type t() :: A.\n", "-type t() :: {A, A}.\n", "-type t() :: _.\n", "-type t() :: a.\n-type t() :: b.\n", "-type t() :: a.\n-type t(A) :: A.\n", "-type t() :: a.\n-opaque t() :: b.\n", "-type integer() :: a.\n", "-type list(A) :: A.\n", "-type list(A, B) :: {A, B}.\n", "-opaque term() :: a.\n", "-compile(no_auto_import_types).\n-type integer() :: a.\n", "-type string() :: nope().\n",
     "-type t() :: 1..2.\n", "-type t() :: 2..1.\n", "-type t() :: 1..1.\n", "-type t() :: 1..(1 + 1).\n", "-type t() :: -1..1.\n", "-type t() :: $a..$z.\n", "-type t() :: (1 bsl 3)..16.\n", "-type t() :: 1..(1 div 0).\n", "-type t() :: <<>>.\n", "-type t() :: <<_:8>>.\n", "-type t() :: <<_:_*8>>.\n", "-type t() :: <<_:8, _:_*8>>.\n", "-type t() :: <<_:(-1)>>.\n", "-type t() :: <<_:(1 + 7)>>.\n", "-type t() :: <<_:_*(-1)>>.\n", "-type t() :: 1 + 2.\n", "-type t() :: -1.\n", "-type t() :: -a.\n", "-type t() :: 1 + a.\n", "-type t() :: 1 div 0.\n", "-type t() :: $a.\n", "-type t() :: bnot 1.\n", "-type t() :: {1 / 2}.\n",
     "-type t() :: #r{}.\n", "-record(r, {a}).\n-type t() :: #r{}.\n", "-record(r, {a}).\n-type t() :: #r{a :: integer()}.\n", "-record(r, {a}).\n-type t() :: #r{z :: integer()}.\n", "-record(r, {a}).\n-type t() :: #r{a :: integer(), a :: atom()}.\n", "-record(r, {a}).\n-type t() :: #r{a :: nope()}.\n", "-record(r, {a}).\n-type t(A) :: #r{a :: A}.\n", "-record(r, {a}).\n-type t() :: #r{a :: A}.\n", "-type t() :: #r{}.\n-record(r, {a}).\n", "-record(r, {a}).\n-type t() :: #r{z :: integer(), z :: nope()}.\n",
     "-type t() :: fun().\n", "-type t() :: fun((...) -> a).\n", "-type t() :: fun((a, b()) -> c()).\n", "-type t() :: fun((X) -> X).\n", "-type t() :: fun((X) -> Y).\n", "-type t() :: fun((X :: integer()) -> a).\n", "-type t() :: {a, b()}.\n", "-type t() :: [b()].\n", "-type t() :: [b(), ...].\n", "-type t() :: #{a => b()}.\n", "-type t() :: #{a := b(), c() => d}.\n", "-type t() :: #{A => A}.\n", "-type t() :: #{A => a}.\n", "-type t() :: a | b().\n", "-type t() :: A | A.\n", "-type t() :: map() | tuple() | #{}.\n", "-type t() :: m:u().\n", "-type t() :: m:t().\n", "-type t() :: x:u().\n", "-type t() :: '':u().\n", "-type t() :: x:u(b()).\n", "-type t() :: x:u(A).\n", "-type t() :: (X :: integer()).\n", "-type t() :: list(b()).\n", "-type t() :: list(A).\n", "-type t() :: maybe_improper_list(a, b()).\n", "-type t() :: bool().\n", "-type t() :: dynamic().\n", "-type t() :: nonempty_binary().\n", "-type t() :: integer(1).\n", "-type t() :: atom().\n", "-type t() :: atoms().\n", "-opaque t() :: term().\n-export_type([t/0]).\n", "-type t() :: u().\n-type u() :: v().\n", "-type t(A) :: u(A, b).\n-type u(A, B) :: {A, B}.\n"].

specs() ->
    ["-spec f() -> a.\n", "-spec f() -> a.\nf() -> a.\n", "-spec f() -> a.\n-spec f() -> b.\nf() -> a.\n", "-spec f() -> a; (b) -> c.\nf() -> a.\n", "-spec f(X) -> X.\nf(X) -> X.\n", "-spec f(X) -> a.\nf(X) -> X.\n", "-spec f(X) -> a when X :: integer().\nf(X) -> X.\n", "-spec f(X) -> Y when X :: integer().\nf(X) -> X.\n", "-spec f() -> a when X :: integer().\nf() -> 1.\n", "-spec f(X) -> a when X :: nope().\nf(X) -> X.\n", "-spec f(X) -> a when is_subtype(X, integer()).\nf(X) -> X.\n", "-spec f(X) -> a when X :: [Y].\nf(X) -> X.\n", "-spec f(X) -> a when X :: [Y], Y :: atom().\nf(X) -> X.\n", "-spec f(X :: integer()) -> a.\nf(X) -> X.\n", "-spec f(X :: A) -> A.\nf(X) -> X.\n", "-spec f(nope()) -> a.\nf(X) -> X.\n", "-spec f(_) -> _.\nf(X) -> X.\n", "-spec f(_X) -> a.\nf(X) -> X.\n", "-spec f(X) -> X; (Y) -> a.\nf(X) -> X.\n",
     "-spec m:f() -> a.\nf() -> 1.\n", "-spec x:f() -> a.\nf() -> 1.\n", "-spec '':f() -> a.\nf() -> 1.\n", "-spec m:f() -> a.\n-spec f() -> a.\nf() -> 1.\n", "-spec g() -> a.\nf() -> 1.\n", "-spec module_info() -> a.\n", "-spec f() -> a.\n-spec f() -> b.\n", "-spec f(#r{}) -> a.\nf(X) -> X.\n", "-spec f() -> a.\nf() -> X.\n", "f() -> 1.\n-spec f() -> 1.\n-spec f() -> 2.\n",
     "-callback f() -> a.\n", "-callback f() -> a.\n-callback f() -> b.\n", "-callback m:f() -> a.\n", "-callback x:f() -> a.\n", "-callback f(X) -> a.\n", "-callback f(nope()) -> a.\n", "-callback f() -> a.\n-optional_callbacks([f/0]).\n", "-optional_callbacks([f/0]).\n", "-optional_callbacks([f/0, f/0]).\n", "-callback f() -> a.\n-optional_callbacks([f/0]).\n-optional_callbacks([f/0, g/1]).\n", "-callback f() -> a.\nbehaviour_info(_) -> 1.\n", "-callback f() -> a.\n-callback g() -> a.\n-export([behaviour_info/1]).\nbehaviour_info(_) -> 1.\n", "behaviour_info(_) -> 1.\n", "-optional_callbacks(foo).\n", "-optional_callbacks([foo]).\n", "-callback f() -> a; (b) -> c.\n"].

%% Random bodies over a few variables: what the tables above did not think of. Each
%% function is on its own line. A fun with a name is left out: erl_lint lets a use of
%% that name inside the fun make an unsafe variable outside of it safe. So is `maybe`,
%% behind which erl_lint 25 takes variables of other branches for bound.
random_modules() ->
    rand:seed(exsss, list_to_integer(os:getenv("SEED", "1"))),
    Count = 400 * list_to_integer(os:getenv("SCALE", "1")),
    [["-module(m).\n-record(r, {a, b = 1}).\n", [["f(P, Q) -> ", random_body(list_to_integer(os:getenv("DEPTH", "3"))), ".\n"] || _ <- [1]],
      [[["g", integer_to_list(N)], "(P, Q) -> ", random_body(list_to_integer(os:getenv("DEPTH", "3"))), ".\n"] || N <- lists:seq(1, 3)]]
     || _ <- lists:seq(1, Count)].

one_of(List) -> lists:nth(rand:uniform(length(List)), List).
random_variable() -> one_of(["X", "Y", "Z", "P", "Q", "X", "Y", "_"]).
random_body(D) -> lists:join(", ", [random_expression(D) || _ <- lists:seq(1, rand:uniform(3))]).

random_expression(D) when D =< 0 -> one_of([random_variable(), random_variable(), "1", "a"]);
random_expression(D0) ->
    D = D0 - 1,
    E = fun() -> random_expression(D) end,
    B = fun() -> random_body(D - 1) end,
    case rand:uniform(30) of
        1 -> ["{", E(), ", ", E(), "}"];
        2 -> ["[", E(), " | ", E(), "]"];
        3 -> ["(", E(), ") + (", E(), ")"];
        N when N < 9 -> ["(", random_pattern(2), " = ", E(), ")"];
        N when N < 12 -> ["case ", E(), " of ", random_clauses(D), " end"];
        12 -> ["if ", random_guard(), " -> ", B(), "; true -> ", B(), " end"];
        13 -> ["receive ", random_clauses(D), " end"];
        14 -> ["receive ", random_clauses(D), " after ", E(), " -> ", B(), " end"];
        15 -> ["try ", B(), " catch ", one_of(["error", random_variable()]), ":", random_pattern(1), ":", random_variable(), one_of(["", [" when ", random_guard()]]), " -> ", B(), " end"];
        16 -> ["try ", B(), " of ", random_clauses(D), " catch _:", random_pattern(1), " -> ", B(), " end"];
        17 -> ["try ", B(), " after ", B(), " end"];
        18 -> ["(catch ", E(), ")"];
        19 -> ["fun(", random_pattern(2), ") -> ", B(), " end"];
        20 -> ["fun(", random_pattern(1), one_of([") -> ", [") when ", random_guard(), " -> "]]), B(), "; (", random_pattern(1), ") -> ", B(), " end"];
        21 -> ["[", E(), " || ", random_qualifiers(D), "]"];
        22 -> ["<< <<(", E(), ")>> || ", random_qualifiers(D), " >>"];
        23 -> ["(", E(), ") andalso (", E(), ")"];
        24 -> ["(", E(), ") orelse (", E(), ")"];
        25 -> ["f(", E(), ", ", E(), ")"];
        26 -> ["#{", E(), " => ", E(), "}"];
        27 -> ["#r{a = ", E(), "}"];
        28 -> ["begin ", B(), " end"];
        29 -> ["<<(", E(), "):(", E(), ")>>"];
        30 -> [random_variable(), "#r.b"]
    end.

random_clauses(D) ->
    lists:join("; ", [[random_pattern(2), one_of(["", "", [" when ", random_guard()]]), " -> ", random_body(D - 1)] || _ <- lists:seq(1, rand:uniform(3))]).

random_qualifiers(D) ->
    lists:join(", ", [case rand:uniform(4) of
                          1 -> [random_pattern(1), " <- ", random_expression(D - 1)];
                          2 -> ["<<", random_variable(), ", Y:", random_variable(), ">> <= ", random_expression(D - 1)];
                          3 -> random_guard();
                          4 -> random_expression(D - 1)
                      end || _ <- lists:seq(1, rand:uniform(3))]).

random_pattern(D) when D =< 0 -> one_of([random_variable(), random_variable(), "1", "a", "_"]);
random_pattern(D) ->
    P = fun() -> random_pattern(D - 1) end,
    case rand:uniform(9) of
        1 -> ["{", P(), ", ", P(), "}"];
        2 -> ["[", P(), " | ", P(), "]"];
        3 -> ["#{", random_variable(), " := ", P(), "}"];
        4 -> ["<<", random_variable(), ", ", random_variable(), ":", random_variable(), ">>"];
        5 -> ["#r{a = ", P(), "}"];
        6 -> ["{", P(), " = ", P(), "}"];
        _ -> random_variable()
    end.

random_guard() -> one_of([random_variable(), ["is_list(", random_variable(), ")"], [random_variable(), " == ", random_variable()], ["f(", random_variable(), ", 1)"], "true", [random_variable(), ", ", random_variable()]]).
