#!/usr/bin/env escript
%%! +S 2
%% Thousands of small forms, read by Fathom and by epp:parse_file/2: all pairs of
%% operators, all chains of suffixes, every literal, types, attributes, random
%% expressions, and random rows of tokens, most of which are errors. The forms
%% must be equal, places with columns included; where one reports an error, the
%% other must report one at the same place.
%%
%% A text is one line or more and ends with a full stop; thousands of them go into
%% one file. What stands in the lines of a text is compared, up to its first
%% error: behind an error in a token epp starts anew in the middle of the form,
%% Fathom behind the form.
%%
%%   expressions_test.escript [FAMILY...]   SEED=n, SCALE=n in the environment
-mode(compile).
-include("fathom_port.hrl").

main(Wanted) ->
    Seed = list_to_integer(os:getenv("SEED", "1")),
    Scale = list_to_integer(os:getenv("SCALE", "1")),
    rand:seed(exsss, Seed),
    Families = [F || {Name, _} = F <- families(Scale),
                     Wanted =:= [] orelse lists:member(atom_to_list(Name), Wanted)],
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_expressions." ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    Counts = [check_family(Dir, Name, lists:usort(Texts())) || {Name, Texts} <- Families],
    _ = [file:delete(F) || F <- filelib:wildcard(filename:join(Dir, "*"))],
    file:del_dir(Dir),
    {Passed, Failed} = lists:unzip(Counts),
    summary(lists:sum(Passed), lists:sum(Failed)).

families(Scale) ->
    [{operator_pairs, fun operator_pairs/0},
     {operator_triples, fun operator_triples/0},
     {prefix_operators, fun prefix_operators/0},
     {suffix_chains, fun suffix_chains/0},
     {characters, fun characters/0},
     {escapes, fun escapes/0},
     {numbers, fun numbers/0},
     {words, fun words/0},
     {type_operators, fun type_operators/0},
     {types, fun types/0},
     {attributes, fun attributes/0},
     {token_pairs, fun token_pairs/0},
     {type_token_pairs, fun type_token_pairs/0},
     {random_expressions, fun() -> repeat(3000 * Scale, fun random_function/0) end},
     {random_types, fun() -> repeat(2000 * Scale, fun random_type_form/0) end},
     {random_tokens, fun() -> repeat(8000 * Scale, fun random_tokens/0) end},
     {random_form_tokens, fun() -> repeat(3000 * Scale, fun random_form_tokens/0) end},
     {damaged_expressions, fun() -> repeat(6000 * Scale, fun damaged_function/0) end},
     {damaged_types, fun() -> repeat(3000 * Scale, fun damaged_type/0) end}].

repeat(N, Fun) -> [Fun() || _ <- lists:seq(1, N)].

%% --- comparing

check_family(Dir, Name, AllTexts) ->
    Texts = [T || T <- AllTexts, not crashes_otp(T)],
    {Together, Alone} = lists:partition(fun is_one_form/1, Texts),
    Results = [R || Ts <- chunks(Together) ++ [[T] || T <- Alone], R <- check_file(Dir, Name, Ts),
                    not is_newer_syntax(R)],
    Failures = [Different || {different, _, _, _} = Different <- Results],
    show(Name, Failures),
    Failed = length(Failures),
    io:format("~w: ~w texts, ~w errors, ~w different~n",
              [Name, length(Results), length([1 || error <- Results]), Failed]),
    {length(Results) - Failed, Failed}.

%% Fathom gives a file up that has 10,000 errors.
chunks([]) -> [];
chunks(Texts) ->
    {Some, Others} = lists:split(min(5000, length(Texts)), Texts),
    [Some | chunks(Others)].

%% Fathom reads the language of OTP 28; in OTP 25 comprehensions of maps stop at the
%% `:=` of the generator or the `||`.
is_newer_syntax({different, Text, [{error, {_, Column}}], _}) ->
    {ok, Tokens, _} = erl_scan:string(Text, {1, 1}),
    list_to_integer(erlang:system_info(otp_release)) < 26 andalso
        lists:any(fun({T, {_, C}}) -> C =:= Column andalso (T =:= ':=' orelse T =:= '||');
                     (_) -> false
                  end, Tokens);
is_newer_syntax(_) -> false.

%% A token that cannot be read may swallow the texts behind it, and so may -if.
is_one_form(Text) ->
    case erl_scan:string(Text) of
        {ok, [{'-', _}, {'if', _} | _], _} -> false;
        {ok, [{'-', _}, {atom, _, else} | _], _} -> false;
        {ok, Tokens, _} -> length([1 || {dot, _} <- Tokens]) =:= 1;
        _ -> false
    end.

%% -import(a)., -spec f(...) -> a.
crashes_otp(Text) ->
    case erl_scan:string(Text) of
        {ok, Tokens, _} ->
            try erl_parse:parse_form(Tokens) of _ -> false catch error:_ -> true end;
        _ -> false
    end.

check_file(Dir, Name, Texts) ->
    File = filename:join(Dir, atom_to_list(Name) ++ ".erl"),
    ok = file:write_file(File, unicode:characters_to_binary(["%%\n" | Texts])),
    {ok, Expected} = epp:parse_file(File, [{location, {1, 1}}]),
    Got = fathom_forms(File),
    Ranges = ranges(Texts, 2),
    compare(Ranges, by_range(Ranges, Expected), by_range(Ranges, Got), []).

%% Without Fathom's messages: most texts are errors.
fathom_forms(File) ->
    Fathom = os:getenv("FATHOM", filename:absname("build/fathom")),
    Port = open_port({spawn_executable, "/bin/sh"},
                     [{packet, 4}, binary, exit_status,
                      {args, ["-c", "exec \"$0\" \"$@\" 2>/dev/null", Fathom,
                              "parse", "--quiet", "--no-project", "--format", "etf", File]}]),
    [Forms] = fold_port(Port, fun(_, Forms, Acc) -> [Forms | Acc] end, []),
    Forms.

%% {First line, last line, Text}
ranges([Text | Texts], Line) ->
    Next = Line + length([1 || $\n <- Text]),
    [{Line, Next - 1, Text} | ranges(Texts, Next)];
ranges([], _) -> [].

%% The forms of each range; those before the first one and behind the last one,
%% -file and the end of the file, belong to none.
by_range([{First, Last, _} | Ranges], Forms) ->
    {_, Rest} = lists:splitwith(fun(F) -> line(F) < First end, Forms),
    {Mine, Others} = lists:splitwith(fun(F) -> line(F) =< Last end, Rest),
    [up_to_error(Mine) | by_range(Ranges, Others)];
by_range([], _) -> [].

line({error, {Place, _, _}}) -> erl_anno:line(erl_anno:new(Place));
line({warning, {Place, _, _}}) -> erl_anno:line(erl_anno:new(Place));
line({eof, Place}) -> erl_anno:line(erl_anno:new(Place));
line(Form) -> erl_anno:line(element(2, Form)).

up_to_error([{error, {Place, _, _}} | _]) -> [{error, Place}];
up_to_error([Form | Forms]) -> [Form | up_to_error(Forms)];
up_to_error([]) -> [].

compare([{_, _, _} | Ranges], [Same | Es], [Same | Gs], Acc) ->
    Result = case lists:keymember(error, 1, Same) of true -> error; false -> same end,
    compare(Ranges, Es, Gs, [Result | Acc]);
compare([{_, _, Text} | Ranges], [E | Es], [G | Gs], Acc) ->
    compare(Ranges, Es, Gs, [{different, Text, E, G} | Acc]);
compare([], [], [], Acc) -> lists:reverse(Acc).

show(Name, Failures) ->
    Shown = lists:sublist(Failures, list_to_integer(os:getenv("SHOW", "10"))),
    [print_difference(io_lib:format("~w: ~ts", [Name, Text]), E, G) || {different, Text, E, G} <- Shown].

%% --- expressions, exhaustively

-define(OPERATORS,
        ["=", "!", "orelse", "andalso", "==", "/=", "=<", "<", ">=", ">", "=:=", "=/=", "++", "--",
         "+", "-", "bor", "bxor", "bsl", "bsr", "or", "xor", "/", "*", "div", "rem", "band", "and"]).
-define(LEVELS, ["=", "!", "orelse", "andalso", "==", "++", "-", "*"]).
-define(PREFIXES, ["+", "-", "not", "bnot", "catch"]).

body(Expression) -> ["f() -> ", Expression, ".\n"].
head(Pattern) -> ["f(", Pattern, ") -> ok.\n"].
flat(Lists) -> [lists:flatten(L) || L <- Lists].

operator_pairs() ->
    flat([Form(["A ", P, " B ", Q, " C"]) || P <- ?OPERATORS, Q <- ?OPERATORS, Form <- [fun body/1, fun head/1]]
         ++ [body(["A ", P, " (B ", Q, " C)"]) || P <- ?OPERATORS, Q <- ?OPERATORS]).

operator_triples() ->
    flat([body(["A ", P, " B ", Q, " C ", R, " D"]) || P <- ?LEVELS, Q <- ?LEVELS, R <- ?LEVELS]).

prefix_operators() ->
    flat([Form([U, " A ", P, " B"]) || U <- ?PREFIXES, P <- ?OPERATORS, Form <- [fun body/1, fun head/1]]
         ++ [Form(["A ", P, " ", U, " B"]) || U <- ?PREFIXES, P <- ?OPERATORS, Form <- [fun body/1, fun head/1]]
         ++ [body(["A ", P, " ", U, " B ", Q, " C"]) || U <- ?PREFIXES, P <- ?LEVELS, Q <- ?LEVELS]
         ++ [Form([U, " ", V, " A"]) || U <- ?PREFIXES, V <- ?PREFIXES, Form <- [fun body/1, fun head/1]]
         ++ [body([U, " ", V, " ", W, " A + 1"]) || U <- ?PREFIXES, V <- ?PREFIXES, W <- ?PREFIXES]
         ++ [body(["<<", U, " A>>"]) || U <- ?PREFIXES]
         ++ [body(["<<", U, " A:8/", T, ">>"]) || U <- ?PREFIXES, T <- ["integer", "unit:8", "x-unit:1-y"]]).

-define(OPERANDS,
        ["a", "X", "1", "1.5", "$c", "\"s\"", "\"s\" \"t\"", "f()", "m:f()", "m:f", "#r{}", "#r{a=1}",
         "#r{_=1}", "#r.f", "#{}", "#{a=>1}", "#{a:=1}", "[]", "[1,2|T]", "[X||X<-L]", "{}", "{1,2}", "<<>>",
         "<<1:8>>", "<< <<X>> || <<X>> <= B >>", "(X)", "fun f/1", "fun m:f/1", "fun M:F/A", "fun() -> 1 end",
         "fun F(X) -> F(X) end", "begin 1 end", "case 1 of X -> 1 end", "if true -> 1 end",
         "receive X -> 1 end", "receive after 1 -> 2 end", "try 1 catch X -> 1 end",
         "try 1 after 2 end", "catch 1", "- 1", "maybe"]).
-define(SUFFIXES,
        ["", "#r.f", "#r{}", "#r{a=1}", "#{}", "#{a=>1}", "#{a:=1}", ":g", ":g()", "()", "(1,2)", ".f", "#X{}",
         "#r", "[]", "{}", " \"s\"", "/2", ":M", ":1", ":(M)", " when X"]).

suffix_chains() ->
    flat([body([E, S, T]) || E <- ?OPERANDS, S <- ?SUFFIXES, T <- ?SUFFIXES]
         ++ [head([E, S]) || E <- ?OPERANDS, S <- ?SUFFIXES]
         ++ [body(["X = ", E, S, " + 1"]) || E <- ?OPERANDS, S <- ?SUFFIXES]
         ++ [body(["<<(", E, S, "):", E, "/", "binary", ", ", E, ">>"]) || E <- ?OPERANDS, S <- ?SUFFIXES]
         ++ [body(["try 1 catch ", E, S, " -> 1 end"]) || E <- ?OPERANDS, S <- ?SUFFIXES]
         ++ [body(["try 1 catch c:", E, ":S -> 1 end"]) || E <- ?OPERANDS]
         ++ [body(["case ", E, " of ", F, " when ", E, "; ", F, " -> ok end"]) || E <- ?OPERANDS, F <- ?OPERANDS]
         ++ [body(["[", E, " || ", F, " <- ", E, ", ", F, "]"]) || E <- ?OPERANDS, F <- ?OPERANDS]).

%% --- literals

%% Every character where an expression stands, and behind a $.
characters() ->
    Usable = [C || C <- lists:seq(1, 16#101) ++ [16#3B1, 16#20AC, 16#D7FF, 16#E000, 16#FFFD, 16#1F600],
                   C =/= $\n],
    Quotes = [$", $', $%],
    flat([body(["$", C]) || C <- Usable, C =/= $\\]
         ++ [body(["a", C, "b"]) || C <- Usable -- Quotes]
         ++ [body(["X", C]) || C <- Usable -- Quotes]
         ++ [body(["1", C, " 2"]) || C <- Usable -- [$. | Quotes]]
         ++ [body(["\"", C, "\""]) || C <- Usable -- [$", $\\]]
         ++ [body(["'", C, "'"]) || C <- Usable -- [$', $\\]]
         ++ [body(["1 % ", C, "\n"]) || C <- Usable]
         ++ [["f() -> 1.", C, "\n"] || C <- lists:seq(1, $\s)]
         ++ [["f() -> 1.\n", C, "\n"] || C <- lists:seq(1, $\s)]).

escapes() ->
    Characters = [C || C <- lists:seq(0, 16#101) ++ [16#3B1, 16#20AC, 16#1F600]],
    Sequences = [[C] || C <- Characters]
        ++ [[$^, C] || C <- Characters]
        ++ [[$x, A, B] || A <- "0aFgZ {", B <- "09af}gG "]
        ++ [["x{", H, "}"] || H <- ["", "0", "a", "41", "10FFFF", "110000", "D800", "DFFF", "FFFE", "FFFF", "20AC",
                                    "000000041", "fffffffffffffffff", "g", "4g", " 41", "41 "]]
        ++ [[A, B, C] || A <- "0378", B <- "0789a", C <- "078b"]
        ++ ["0", "7", "77", "777", "8", "1234"],
    Quoted = [S || S <- Sequences, S =/= [$"], S =/= "^\""],
    flat([body(["$\\", S]) || S <- Sequences]
         ++ [body(["\"a\\", S, "b\""]) || S <- Quoted]
         ++ [body(["'a\\", S, "b'"]) || S <- Quoted, S =/= "'", S =/= "^'"]).

numbers() ->
    Digits = ["0", "1", "12", "007", "1_000", "1__0", "_1", "1_", "1_a", "12345678901234567890",
              "2147483647", "2147483648", "4294967295", "4294967296", "9223372036854775807",
              "9223372036854775808", "576460752303423487", "576460752303423488"],
    Fractions = ["1.5", "0.0", "1.5e3", "1.5E3", "1.5e+3", "1.5e-3", "1.5e", "1.5e+", "1.5e 3", "1.e3", "1.5_0",
                 "1_0.5", "1_0.5e1_0", "1._5", "1.5_", "1.7976931348623157e308", "1.7976931348623159e308",
                 "1.8e308", "1.0e309", "4.9e-324", "2.0e-324", "1.0e-400", "2.2250738585072014e-308",
                 "1.0e23", "9007199254740993.0", "0.1", "123456789.123456789", "1.5.5", "1..2", "1...", "00.5"],
    Based = [[B, "#", D] || B <- ["0", "1", "2", "8", "10", "16", "36", "37", "99", "1_6", "016", "1000000000000"],
                            D <- ["", "0", "1", "7", "9", "a", "f", "F", "g", "z", "Z", "1_0", "1__0", "_1", "1_",
                                  "ffffffffffffffffffffff", "12", "1A", "-1", " 1", "7FFFFFFF", "80000000"]],
    flat([body(N) || N <- Digits ++ Fractions ++ Based]
         ++ [body(["- ", N]) || N <- Digits ++ Fractions]
         ++ [["-a(", N, ").\n"] || N <- Digits ++ Fractions ++ Based]
         ++ [["-a(-", N, ").\n"] || N <- Digits ++ Fractions]).

words() ->
    Words = ["after", "begin", "case", "try", "cond", "catch", "andalso", "orelse", "end", "fun", "if", "let", "of",
             "receive", "when", "bnot", "not", "div", "rem", "band", "and", "bor", "bxor", "bsl", "bsr", "or", "xor",
             "maybe", "else", "query", "spec", "callback", "_", "__", "_a", "A@", "a@b", "aB_1", "Ab@1",
             "'a b'", "''", "'A'", "'\\n'", "'maybe'", "'else'", "'case'", "'a'", "'\\x{3b1}'", "'\xe9'", "\xe9", "\xc9",
             "a.b", "a. b", ".a", "a.", "@a", "a'b'", "a\"b\"", lists:duplicate(255, $a), lists:duplicate(256, $a),
             lists:duplicate(255, $A), lists:duplicate(256, $A), "'" ++ lists:duplicate(255, $ ) ++ "'",
             "'" ++ lists:duplicate(256, $ ) ++ "'", lists:duplicate(255, 16#e9), lists:duplicate(256, 16#e9),
             "'" ++ lists:duplicate(255, 16#3b1) ++ "'", "'" ++ lists:duplicate(256, 16#3b1) ++ "'"],
    flat([body(W) || W <- Words]
         ++ [body([W, "()"]) || W <- Words]
         ++ [body(["#", W, "{}"]) || W <- Words]
         ++ [body(["#r{", W, "=1}"]) || W <- Words]
         ++ [body(["fun ", W, "/1"]) || W <- Words]
         ++ [body(["a:", W, "()"]) || W <- Words]
         ++ [["-", W, "(a).\n"] || W <- Words -- ["if", "else", "'else'"]]
         ++ [["-a(", W, ").\n"] || W <- Words]
         ++ [["-type ", W, "() :: a.\n"] || W <- Words]
         ++ [["-type t() :: ", W, ".\n"] || W <- Words]
         ++ [["-record(", W, ", {", W, "}).\n"] || W <- Words]
         ++ [[W, "() -> ok.\n"] || W <- Words]).

%% --- types

-define(TYPE_OPERATORS,
        ["|", "..", "::", "+", "-", "bor", "bxor", "bsl", "bsr", "or", "xor", "*", "/", "div", "rem", "band", "and",
         "=", "++", "==", "andalso"]).
-define(SIMPLE_TYPES,
        ["a", "X", "_", "1", "$c", "\"s\"", "1.0", "t()", "t(X)", "t(X,a)", "m:t()", "m:t(X)", "m:t", "atom()",
         "tuple()", "map()", "list()", "list(a)", "integer()", "nonempty_list(a)", "[]", "[a]", "[a,...]", "[a,b]",
         "[...]", "{}", "{a,X}", "#{}", "#{a=>b}", "#{a:=b,c=>d}", "#{a}", "#r{}", "#r{a::b}", "#r{a}", "<<>>",
         "<<_:1>>", "<<_:_*8>>", "<<_:1,_:_*8>>", "<<_:_*8,_:1>>", "<<X:1>>", "<<_:_*X>>", "<<_:X*8>>", "<<_:a>>",
         "<<_:(1+1)>>", "<<_:1+1>>", "<<_:1,>>", "fun()", "fun((...) -> a)", "fun(() -> a)", "fun((a,X) -> b)",
         "fun((a) -> fun((b) -> c))", "fun(a)", "fun((a,...) -> b)", "(a)", "((a))", "(X::a)", "X::a", "- 1", "bnot 1",
         "not 1", "fun f/1", "()", "(a,b)", "any()", "A :: b :: c", "1..2", "a|b", "(a|b)"]).

type(T) -> ["-type t(X) :: ", T, ".\n"].

type_operators() ->
    flat([type(["1 ", P, " A ", Q, " 3"]) || P <- ?TYPE_OPERATORS, Q <- ?TYPE_OPERATORS]
         ++ [type(["A ", P, " 2 ", Q, " B"]) || P <- ?TYPE_OPERATORS, Q <- ?TYPE_OPERATORS]
         ++ [type(["(1 ", P, " 2) ", Q, " (A ", P, " 3)"]) || P <- ?TYPE_OPERATORS, Q <- ?TYPE_OPERATORS]
         ++ [type([U, " 1 ", P, " ", V, " 2"]) || P <- ?TYPE_OPERATORS, U <- ["-", "+", "bnot", "not"], V <- ["", "-", "not"]]).

types() ->
    flat([type(T) || T <- ?SIMPLE_TYPES]
         ++ [type([T, " | ", U]) || T <- ?SIMPLE_TYPES, U <- ?SIMPLE_TYPES]
         ++ [type([T, " .. ", U]) || T <- ?SIMPLE_TYPES, U <- ?SIMPLE_TYPES]
         ++ [type(["{", T, ", ", U, "}"]) || T <- ?SIMPLE_TYPES, U <- ?SIMPLE_TYPES]
         ++ [type(["#{", T, " => ", U, "}"]) || T <- ?SIMPLE_TYPES, U <- ?SIMPLE_TYPES]
         ++ [["-spec f(", T, ") -> ", U, ".\n"] || T <- ?SIMPLE_TYPES, U <- ?SIMPLE_TYPES]
         ++ [["-record(r, {a = 1 :: ", T, ", b :: ", U, "}).\n"] || T <- ?SIMPLE_TYPES, U <- ?SIMPLE_TYPES]
         ++ [[K, " t() :: ", T, ".\n"] || K <- ["-type", "-opaque", "-nominal_", "-foo"], T <- ?SIMPLE_TYPES]
         ++ [["-type(t(", T, ") :: ", T, ").\n"] || T <- ?SIMPLE_TYPES]
         ++ [["-spec ", N, "(a) -> ", T, " when ", C, ".\n"]
             || N <- ["f", "m:f", "M:f", "m:F", "f/1", "m"], T <- ["a", "X"],
                C <- ["X :: a", "X :: a, Y :: b", "is_subtype(X, a)", "is_subtype(a, X)", "is_subtype(X)", "_ :: a",
                      "is_subtype(_, a)", "is_subtype(X, a, b)", "foo(X, a)", "a :: b", "X", "", "X :: a; (b) -> c",
                      "X :: Y :: a", "is_subtype(X :: a, b)"]]
         ++ [[K, O, "f(a) -> b; (c) -> d", C, ".\n"] || K <- ["-spec ", "-callback "], {O, C} <- [{"", ""}, {"(", ")"}, {"(", ""}, {"", ")"}]]
         ++ ["-spec f() -> a; (...) -> b.\n", "-spec f.\n", "-spec.\n", "-spec f() -> .\n",
             "-spec f() a.\n", "-spec f(a) -> b | c; (d) -> e when X :: f.\n", "-callback m:f() -> a.\n",
             "-spec f() -> a when X :: b, is_subtype(Y, c).\n"]).

%% --- attributes

attributes() ->
    Names = ["module", "export", "import", "record", "foo", "compile", "export_type", "behaviour", "type", "opaque",
             "vsn", "deprecated", "optional_callbacks", "on_load"],
    Values = ["a", "1", "-1", "+1", "- 1.5", "+ $c", "-$c", "\"s\"", "\"s\" \"t\"", "X", "_", "[]", "[a]", "[a|b]", "[X]", "[A,B]",
              "[A|B]", "{}", "{a}", "{a,b}", "{a,{b,c}}", "#{}", "#{a=>b}", "#{a:=b}", "#{a=>f/1}", "#{f/1=>a}", "#{a=>1,a=>2}", "f/1",
              "[f/1]", "[f/1,g/2]", "[f/1|g/2]", "[{f,1}]", "[f]", "[f/X]", "[F/1]", "[f/a]", "[1/1]", "{f/1}",
              "{[f/1]}", "<<>>", "<<1>>", "<<1,2:4>>", "<<\"abc\">>", "<<\"abc\"/utf8>>", "<<\"abc\":16>>",
              "<<\"\xe9\x{3b1}\"/utf8>>", "<<1:16/little>>", "<<-1>>", "<<1.5/float>>", "<<1.5:32/float>>", "<<1.5:16/float>>", "<<1/float>>",
              "<<16#12345:20/little>>", "<<16#12345:17/little-signed>>", "<<1:4/unit:2>>", "<<1:X>>", "<<X>>",
              "<<(<<1,2>>)/binary>>", "<<(<<1,2>>):1/binary>>", "<<(<<1,2>>):3/binary>>", "<<(<<1:3>>)/bitstring>>", "<<(<<1:3>>)/binary>>",
              "<<$a/utf16,1/utf32-little,16#1F600/utf16-little>>", "<<16#D800/utf8>>", "<<16#110000/utf8>>", "<<(a)>>",
              "<<(1+1)>>", "<<\"a\":4>>", "<<\"a\"/float>>", "<<\"a\"/binary>>", "<<1/foo>>", "<<1/unit:8>>", "<<1/binary-unit:8>>",
              "<<1:0>>", "<<1:-1>>", "<<300>>", "<<1:8/integer-signed-big-unit:1>>", "<<1/signed-unsigned>>", "<<1/little-big>>",
              "<<1:(8)>>", "<<1:8/native>>", "<<0.1:64/little-float>>", "<<(-1):4,1:4>>", "<<12345678901234567890:70>>",
              "<<12345678901234567890/float>>", "<<1.0e308:32/float>>", "<<$a>>", "<<$a:16>>", "<<\"\x{3b1}\">>",
              "fun f/1", "fun m:f/1", "fun M:f/1", "fun m:f/256", "fun() -> 1 end", "f()", "a:b", "1+1", "a,b", "a,[f/1]", "a,[]", "a,b,c",
              "a,{}", "a,{b}", "a,{b,c}", "a,{b=1,c}", "a,{b::c}", "a,{b=1::c,d}", "a,{b,c::d}", "a,{b,B}", "a,{1}", "a,{b=1=2}", "a,{b:c}", "a,[b]", "A,{b}", "a,{b=X,c=f(),d=fun(Y) -> Y end}", "a,{'b'}",
              "a,{b :: c | d, e = #{} :: map()}", "a,{{b}}", "a,{b,}", "a,{,b}", "a,{b}::c", "a::b", "a()::b", "a(X)::b", "a(_)::b", "a(b)::c", "a(X,X)::b", "A()::b", "a:b()::c",
              "(a)", "((a))", "(a),b", "(a,b)", "", "a b", "a;b", "[1,2.0,$c,\"s\",'a b']", "[{a,[b|c]}|d]", "not a", "- - 1", "-a", "begin 1 end", "case", "a#r{}",
              "#r{}", "\"\"", "[f/1,{g,2}]", "f/12345678901234567890", "''", "'a'/1", "f/$a", "[a,[b,[c/1]]]"],
    flat([["-", N, "(", V, ").\n"] || N <- Names, V <- Values]
         ++ [["-", N, " ", V, ".\n"] || N <- Names, V <- Values]
         ++ [["-", N, "(", V, ".\n"] || N <- ["foo", "record"], V <- Values]
         ++ [["-", N, "(", V, ")) .\n"] || N <- ["foo", "record"], V <- Values]
         ++ [["-", N, ".\n"] || N <- Names]
         ++ ["-.\n", "- .\n", "-(a).\n", "-1.\n", "-foo\n(a).\n", "--foo(a).\n", "-foo(a)", ".\n", ").\n", "a.\n", "a().\n", "a() ->.\n",
             "a() -> b;.\n", "a() -> b; a() -> c.\n", "a() -> b; c() -> d.\n", "a() -> b; a(X) -> c.\n", "a(X) when -> b.\n",
             "a(X) when X; -> b.\n", "a(X) when X; Y, Z -> b.\n", "A() -> b.\n", "a() -> b, .\n", "a(,) -> b.\n", "a(X Y) -> b.\n",
             "a() -> b end.\n", "a() when true -> b when c.\n", "a -> b.\n", "a() = b.\n"]).

%% --- rows of tokens

-define(TOKENS,
        ["a", "X", "1", "1.5", "$c", "\"s\"", "(", ")", "{", "}", "[", "]", "<<", ">>", ",", ";", ":", "::", ":=", "=>",
         "->", "<-", "<=", "=", "!", "|", "||", "#", ".", "..", "...", "==", "+", "-", "++", "*", "/", "andalso", "orelse",
         "not", "bnot", "after", "begin", "case", "try", "catch", "end", "fun", "if", "of", "receive", "when", "div", "cond", "let",
         "maybe", "else", "?=", "@", "\\", "^", "`", "'a'"]).

token_pairs() ->
    flat([body(T) || T <- ?TOKENS] ++ [body([T, " ", U]) || T <- ?TOKENS, U <- ?TOKENS]
         ++ [body(["X = a", T, " ", U]) || T <- ?TOKENS, U <- ?TOKENS]
         ++ [head([T, " ", U]) || T <- ?TOKENS, U <- ?TOKENS]).

type_token_pairs() ->
    flat([type([T, " ", U]) || T <- ?TOKENS, U <- ?TOKENS] ++ [type(["a() ", T, " ", U]) || T <- ?TOKENS, U <- ?TOKENS]
         ++ [["-spec f", T, " ", U, ".\n"] || T <- ?TOKENS, U <- ?TOKENS]
         ++ [["-spec f(a) -> a ", T, " ", U, ".\n"] || T <- ?TOKENS, U <- ?TOKENS]
         ++ [["-record(r", T, " ", U, ").\n"] || T <- ?TOKENS, U <- ?TOKENS]
         ++ [["-record(r, {a", T, " ", U, "}).\n"] || T <- ?TOKENS, U <- ?TOKENS]).

row(N) -> lists:join(pick([" ", " ", "\n "]), [pick(?TOKENS) || _ <- lists:seq(1, N)]).

random_tokens() -> lists:flatten(body(row(2 + rand:uniform(6)))).

random_form_tokens() ->
    Start = pick(["", "-", "-foo", "-foo(", "-record(r, {", "f", "f(", "f() when ", "-spec ", "-spec f(", "-type t(",
                  "-type t() :: ", "-export([", "-import(m, [", "-record(r, {a", "f() -> a; ", "-opaque "]),
    lists:flatten([Start, row(1 + rand:uniform(6)), ".\n"]).

%% --- random expressions

pick(List) -> lists:nth(rand:uniform(length(List)), List).
some(Max, Fun) -> lists:join(", ", repeat(rand:uniform(Max + 1) - 1, Fun)).
some1(Max, Fun) -> lists:join(", ", repeat(rand:uniform(Max), Fun)).
space() -> pick([" ", " ", " ", "\n", " % c. \"\n  ", "\t", "\r\n", ""]).
maybe_none(Fun) -> case rand:uniform(2) of 1 -> ""; 2 -> Fun() end.

random_function() -> lists:flatten(function_text(pick([2, 3, 4]))).

function_text(D) ->
    Clause = fun() -> ["f(A, ", pattern(D), ")", guard(D), " ->", space(), exprs(D)] end,
    [lists:join(";\n", repeat(pick([1, 1, 1, 2]), Clause)), ".\n"].

exprs(D) -> [some1(2, fun() -> expr(D - 1) end)].
guard(D) ->
    maybe_none(fun() -> [" when ", lists:join("; ", repeat(rand:uniform(2), fun() -> exprs(D - 1) end))] end).

expr(D) when D =< 0 ->
    pick(["a", "X", "_", "1", "2.5", "$c", "\"s\"", "[]", "{}", "<<>>", "#{}", "'a b'", "16#fF", "1_0", "\"a\\x{3b1}\" \"b\""]);
expr(D) ->
    E = fun() -> expr(D - 1) end,
    case rand:uniform(34) of
        N when N =< 6 -> [E(), " ", pick(?OPERATORS), space(), " ", E()];
        7 -> [pick(?PREFIXES), " ", E()];
        8 -> ["(", space(), E(), ")"];
        9 -> [primary(D), "(", some(3, E), ")"];
        10 -> [primary(D), ":", primary(D), "(", some(3, E), ")"];
        11 -> ["[", some1(3, E), "]"];
        12 -> ["[", some1(3, E), " | ", E(), "]"];
        13 -> ["{", some(3, E), "}"];
        14 -> ["<<", some(3, fun() -> segment(D - 1) end), ">>"];
        15 -> ["#{", some(3, fun() -> [E(), pick([" => ", " := "]), E()] end), "}"];
        16 -> [primary(D), "#{", some(2, fun() -> [E(), pick([" => ", " := "]), E()] end), "}"];
        17 -> ["#r{", some(3, fun() -> [pick(["a", "b", "_"]), " = ", E()] end), "}"];
        18 -> [primary(D), "#r{", some(3, fun() -> [pick(["a", "b"]), " = ", E()] end), "}"];
        19 -> [primary(D), "#r.f"];
        20 -> ["#r.f"];
        21 -> ["begin ", exprs(D), " end"];
        22 -> ["case ", E(), " of", space(), " ", clauses(D), " end"];
        23 -> ["if", space(), " ", lists:join("; ", repeat(rand:uniform(2), fun() -> [exprs(D - 1), " -> ", exprs(D)] end)), " end"];
        24 -> ["receive ", clauses(D), maybe_none(fun() -> [" after ", E(), " -> ", exprs(D)] end), " end"];
        25 -> ["receive after ", E(), " -> ", exprs(D), " end"];
        26 -> ["try ", exprs(D), maybe_none(fun() -> [" of ", clauses(D)] end), " catch ", handlers(D),
               maybe_none(fun() -> [" after ", exprs(D)] end), " end"];
        27 -> ["try ", exprs(D), maybe_none(fun() -> [" of ", clauses(D)] end), " after ", exprs(D), " end"];
        28 -> ["fun", space(), fun_clauses("", D), " end"];
        29 -> ["fun ", fun_clauses("F", D), " end"];
        30 -> pick(["fun f/1", "fun m:f/2", "fun M:F/A", "fun m:F/0"]);
        31 -> ["[", E(), " || ", qualifiers(D), "]"];
        32 -> ["<<", primary(D), " || ", qualifiers(D), ">>"];
        33 -> ["catch ", E()];
        34 -> [E(), " = ", E()]
    end.

primary(D) ->
    case rand:uniform(3) of
        1 -> ["(", expr(D - 1), ")"];
        _ -> pick(["a", "X", "m", "[1]", "{a}", "<<1>>", "begin a end"])
    end.
segment(D) ->
    [pick(["", "", "-"]), primary(D), maybe_none(fun() -> [":", primary(D)] end),
     maybe_none(fun() -> ["/", lists:join("-", repeat(rand:uniform(3), fun() -> pick(["little", "integer", "unit:8", "binary"]) end))] end)].
clauses(D) ->
    lists:join(";" ++ space(), repeat(rand:uniform(2), fun() -> [expr(D - 1), guard(D), " -> ", exprs(D)] end)).
handlers(D) ->
    lists:join("; ", repeat(rand:uniform(2), fun() -> [pick(["", "error:", "C:"]), pattern(D), guard(D), " -> ", exprs(D)] end)).
fun_clauses(Name, D) ->
    lists:join(";" ++ space(), repeat(rand:uniform(2), fun() -> [Name, "(", pattern(D), ", X)", guard(D), " -> ", exprs(D)] end)).
qualifiers(D) ->
    some1(2, fun() ->
                 case rand:uniform(3) of
                     1 -> expr(D - 1);
                     2 -> [expr(D - 1), " <- ", expr(D - 1)];
                     3 -> ["<<", some(2, fun() -> segment(D - 1) end), ">> <= ", expr(D - 1)]
                 end
             end).

pattern(D) when D =< 0 -> pick(["a", "X", "_", "1", "\"s\"", "[]", "{}"]);
pattern(D) ->
    P = fun() -> pattern(D - 1) end,
    case rand:uniform(11) of
        1 -> [P(), " = ", P()];
        2 -> ["[", some1(2, P), " | ", P(), "]"];
        3 -> ["{", some(3, P), "}"];
        4 -> ["#{", some(2, fun() -> [P(), " := ", P()] end), "}"];
        5 -> ["#r{", some(2, fun() -> ["a = ", P()] end), "}"];
        6 -> ["<<", some(2, fun() -> segment(0) end), ">>"];
        7 -> ["(", P(), ")"];
        8 -> [P(), pick([" + ", " ++ ", " * ", " == "]), P()];
        9 -> ["- ", P()];
        _ -> pattern(0)
    end.

%% --- random types

random_type_form() -> lists:flatten(type_form(pick([1, 2, 3]))).

type_form(D) ->
    T = fun() -> top_type(D) end,
    case rand:uniform(4) of
        1 -> [pick(["-type t(X) :: ", "-opaque t() :: "]), T(), ".\n"];
        2 -> ["-record(r, {", some1(3, fun() -> ["a", maybe_none(fun() -> [" = ", expr(1)] end), maybe_none(fun() -> [" :: ", T()] end)] end), "}).\n"];
        3 -> [pick(["-spec f", "-callback f", "-spec m:f"]), signatures(D), ".\n"];
        4 -> ["-spec(f", signatures(D), ").\n"]
    end.

signatures(D) ->
    lists:join(";" ++ space(), repeat(rand:uniform(2), fun() ->
        ["(", some(2, fun() -> top_type(D - 1) end), ") -> ", top_type(D - 1),
         maybe_none(fun() -> [" when ", some1(2, fun() -> ["X :: ", top_type(D - 1)] end)] end)]
    end)).

top_type(D) ->
    case rand:uniform(5) of
        1 -> ["X :: ", top_type(D - 1)];
        2 -> [type(D, 0), " | ", space(), top_type(D - 1)];
        _ -> type(D, 0)
    end.

type(D, _) when D =< 0 -> pick(["a", "X", "_", "1", "$c", "t()", "tuple()", "map()", "[]", "{}", "fun()", "any()"]);
type(D, _) ->
    T = fun() -> top_type(D - 1) end,
    S = fun() -> type(D - 1, 0) end,
    case rand:uniform(16) of
        1 -> [S(), " .. ", S()];
        2 -> [S(), pick([" + ", " - ", " * ", " div ", " bor ", " band "]), S()];
        3 -> ["- ", S()];
        4 -> ["(", T(), ")"];
        5 -> ["t(", some(3, T), ")"];
        6 -> ["m:t(", some(3, T), ")"];
        7 -> ["[", T(), pick(["", ", ..."]), "]"];
        8 -> ["{", some(3, T), "}"];
        9 -> ["#{", some(2, fun() -> [T(), pick([" => ", " := "]), T()] end), "}"];
        10 -> ["#r{", some(2, fun() -> ["f :: ", T()] end), "}"];
        11 -> pick(["<<>>", ["<<_:", S(), ">>"], ["<<_:_*", S(), ">>"], ["<<_:", S(), ",_:_*", S(), ">>"]]);
        12 -> ["fun((", some(2, T), ") -> ", T(), ")"];
        13 -> ["fun((...) -> ", T(), ")"];
        14 -> [pick(["list", "nonempty_list", "maybe_improper_list"]), "(", some(2, T), ")"];
        _ -> type(0, 0)
    end.

%% --- one token of a good form missing, twice there, or another

damaged_function() -> damage(random_function()).
damaged_type() -> damage(random_type_form()).

damage(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text, {1, 1}, [text]),
    case lists:droplast([erl_scan:text(T) || T <- Tokens]) of
        [] -> Text;
        Texts ->
            At = rand:uniform(length(Texts)),
            {Before, [Token | After]} = lists:split(At - 1, Texts),
            Damaged = case rand:uniform(4) of
                          1 -> Before ++ After;
                          2 -> Before ++ [Token, Token] ++ After;
                          3 -> Before ++ [pick(?TOKENS)] ++ After;
                          4 -> Before ++ [Token, pick(?TOKENS)] ++ After
                      end,
            lists:flatten([lists:join(" ", Damaged), " .\n"])
    end.
