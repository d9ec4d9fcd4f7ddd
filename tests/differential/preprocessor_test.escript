#!/usr/bin/env escript
%%! +S 2
%% Small modules full of directives and macros, read by Fathom and by
%% epp:parse_file/2: every directive, good and bad; conditions; includes; -file;
%% random definitions and uses of macros. The forms must be equal, places with
%% columns included; where one reports an error, the other must report one at the
%% same place.
%%
%%   preprocessor_test.escript [FAMILY...]   SEED=n, SCALE=n, SHOW=n in the environment
-mode(compile).
-include("fathom_port.hrl").

main(Wanted) ->
    rand:seed(exsss, list_to_integer(os:getenv("SEED", "1"))),
    Scale = list_to_integer(os:getenv("SCALE", "1")),
    Families = [F || {Name, _} = F <- families(Scale),
                     Wanted =:= [] orelse lists:member(atom_to_list(Name), Wanted)],
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_preprocessor." ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join([Dir, "sub", "x"])),
    os:putenv("FATHOM_TEST_DIR", filename:join(Dir, "sub")),
    [ok = file:write_file(filename:join(Dir, Name), Text) || {Name, Text} <- headers()],
    Counts = [check_family(Dir, Name, lists:usort(Texts)) || {Name, Texts} <- Families],
    ok = file:del_dir_r(Dir),
    {Passed, Failed} = lists:unzip(Counts),
    summary(lists:sum(Passed), lists:sum(Failed)).

families(Scale) ->
    [{definitions, definitions()},
     {uses, uses()},
     {conditionals, conditionals()},
     {conditions, conditions()},
     {includes, includes()},
     {files, files()},
     {features, features()},
     {messages, messages()},
     {places, places()},
     {stringified, stringified()},
     {random_expansions, repeat(1500 * Scale, fun random_expansions/0)},
     {random_macros, repeat(1500 * Scale, fun random_macros/0)},
     {random_conditionals, repeat(500 * Scale, fun random_conditionals/0)}].

repeat(N, Fun) -> [Fun() || _ <- lists:seq(1, N)].
pick(List) -> lists:nth(rand:uniform(length(List)), List).

%% --- comparing

check_family(Dir, Name, Texts) ->
    Numbered = lists:zip(lists:seq(1, length(Texts)), Texts),
    Cases = [{filename:join(Dir, lists:flatten(io_lib:format("m~w.erl", [N]))), Text} || {N, Text} <- Numbered],
    [ok = file:write_file(File, unicode:characters_to_binary(Text)) || {File, Text} <- Cases],
    Got = fathom_forms(Dir, [File || {File, _} <- Cases]),
    Results = [compare(Text, Expected, Forms)
               || {{File, Text}, Forms} <- lists:zip(Cases, Got), Expected <- expected(File, Dir)],
    Failures = [D || {different, _, _, _} = D <- Results],
    Shown = lists:sublist(Failures, list_to_integer(os:getenv("SHOW", "10"))),
    [print_difference(io_lib:format("~w: ~ts", [Name, Text]), E, G) || {different, Text, E, G} <- Shown],
    Failed = length(Failures),
    io:format("~w: ~w texts, ~w with errors, ~w different~n",
              [Name, length(Texts), length([1 || error <- Results]), Failed]),
    {length(Results) - Failed, Failed}.

%% No element for the few texts that crash epp.
expected(File, Dir) ->
    try epp:parse_file(File, [{location, {1, 1}}, {includes, [Dir]}]) of
        {ok, Forms} -> [Forms]
    catch
        exit:_ -> []
    end.

fathom_forms(Dir, Files) ->
    Fathom = os:getenv("FATHOM", filename:absname("build/fathom")),
    Port = open_port({spawn_executable, "/bin/sh"},
                     [{packet, 4}, binary, exit_status,
                      {args, ["-c", "exec \"$0\" \"$@\" 2>/dev/null", Fathom, "parse", "--quiet", "--no-project",
                              "--format", "etf", "-I", Dir | Files]}]),
    lists:reverse(fold_port(Port, fun(_, Forms, Acc) -> [Forms | Acc] end, [])).

compare(Text, Expected, Got) ->
    case {places(Expected), places(Got)} of
        {Same, Same} ->
            case lists:keymember(error, 1, Same) of true -> error; false -> same end;
        {E, G} -> {different, Text, E, G}
    end.

%% Messages as their places; several at one place are one.
places([{Tag, {Place, _, _}} | Forms]) when Tag =:= error; Tag =:= warning ->
    [{Tag, Place} | lists:dropwhile(fun(F) -> F =:= {Tag, Place} end, places(Forms))];
places([Form | Forms]) -> [Form | places(Forms)];
places([]) -> [].

%% --- the texts

headers() ->
    [{"one.hrl", "-define(ONE, 1).\n-record(one, {a}).\n"},
     {"two.hrl", "-include(\"one.hrl\").\n-define(TWO, ?ONE + ?LINE).\ntwo() -> {?FILE, ?TWO}.\n"},
     {"open.hrl", "-ifdef(NOPE).\na() -> 1.\n"},
     {"bad.hrl", "a() -> .\nb() -> 1.\n"},
     {"endif.hrl", "-endif.\n"},
     {"nodot.hrl", "a() -> 1"},
     {"shift.hrl", "-file(\"other.hrl\", 100).\na() -> {?FILE, ?LINE}.\n"},
     {"module.hrl", "m() -> {?MODULE, ?MODULE_STRING, ?FUNCTION_NAME}.\n"},
     {"sub/three.hrl", "-include(\"four.hrl\").\n"},
     {"sub/four.hrl", "four() -> ?FILE.\n"}].

%% Directives one by one, each behind others that it could spoil.
definitions() ->
    Bodies = ["-define(A, 1).", "-define(A, ).", "-define(A).", "-define(A", "-define.", "-define().", "-define(,1).",
              "-define(1, 2).", "-define(\"A\", 2).", "-define(A 1).", "-define(A, 1)", "-define(A, 1", "-define A, 1.",
              "-define(a, 1).", "-define('a b', 1).", "-define(A(), 1).", "-define(A(X), X).", "-define(A(X, Y), X + Y).",
              "-define(A(X, X), X).", "-define(A(x), 1).", "-define(A(X), ).", "-define(A(X)).", "-define(A(X) 1).",
              "-define(A(X, ), 1).", "-define(A(X Y), 1).", "-define(A(, X), 1).", "-define(A(X, 1).", "-define(A(_), 1).",
              "-define(A (X), X).", "-define(A, (1, 2)).", "-define(A, 1)).", "-define(A, -endif).", "-define(A, ?B).",
              "-define(A, ?B(1)).", "-define(A, ?B(,)).", "-define(A, ?B(1,)).", "-define(A, ?B(1).", "-define(A, ?).",
              "-define(A, ??).", "-define(A, ??X).", "-define(A(X), ??X).", "-define(A(X), ?? X).", "-define(A(X), ?X).",
              "-define(FILE, 1).", "-define(LINE, 1).", "-define(MODULE, 1).", "-define(MODULE_STRING, 1).",
              "-define(MACHINE, 1).", "-define('BEAM', 1).", "-define(BEAM, 1).", "-define(OTP_RELEASE, 1).", "-define(FUNCTION_NAME, 1).",
              "-define(FUNCTION_ARITY, 1).", "-define(FILE(X), 1).", "-define(LINE(X), X).", "-define(BASE_MODULE, 1).",
              "-define(FEATURE_ENABLED(X), 1).", "-define(FEATURE_ENABLED, 1).", "-define(FEATURE_AVAILABLE(X), 1).",
              "-undef(A).", "-undef(a).", "-undef().", "-undef(1).", "-undef A.", "-undef(A, B).", "-undef(A", "-undef(A))." , "-undef.",
              "-undef(LINE).", "-undef(FILE).", "-undef(MODULE).", "-undef(MACHINE)."],
    [[Before, Body, "\n", After]
     || Before <- ["", "-module(m).\n-define(A, 0).\n", "-define(A(X), {X}).\n"],
        Body <- Bodies,
        After <- ["f() -> {?A, ?LINE, ?MACHINE}.\n", "f() -> ?A(1).\n"]].

uses() ->
    Definitions = "-module(m).\n-define(N, n).\n-define(E, ).\n-define(Z(), z).\n-define(O(X), {X}).\n-define(O(X, Y), [X, Y]).\n"
        "-define(O, o).\n-define(a, atom).\n-define(S(X), ??X).\n-define(CALL, ?O(1)).\n-define(PART, ?O).\n"
        "-define(OPEN, ().\n-define(PAIR(X, Y), X, Y).\n-define(TWICE(X), ?O(X, X)).\n-define(LATE, ?EARLY).\n-define(EARLY, ?N).\n"
        "-define(ME, ?ME).\n-define(ME1(X), ?ME1(X)).\n-define(PING, ?PONG).\n-define(PONG, ?PING).\n-define(OVER, ?OVER(1)).\n-define(OVER(X), X).\n"
        "-define(MIX(X), ?MIX).\n-define(MIX, 1).\n-define(Q(X), X?).\n-define(NAME(F), F() -> ?FUNCTION_NAME).\n"
        "-define(LAST, ?).\n-define(LASTOF(X), X = ?).\n-define(NOPARAMETER(Y), ??X).\n-define(NOVAR(Y), ??y).\n-define(THREE(X, Y, Z), {X, Y, Z}).\n-define(NAMED(X), ?X).\n-define(BOTH(X), {??X, X}).\n-define(THROUGH(X), ?S(X)).\n",
    Uses = ["?N", "? N", "?n", "?E", "?Z", "?Z()", "?Z( )", "?Z(1)", "?O", "?O()", "?O(1)", "?O(1, 2)", "?O(1, 2, 3)", "?O(,)", "?O(,1)", "?O(1,)", "?O(1,,2)",
            "?O(1", "?O((1)", "?O", "?O (1)", "?O\n(1)", "?O(?N)", "?O(?O(1))", "?O(?O)", "?O(?O, 2)", "?a", "?'a'", "?b", "?B", "?B(1)", "?B(", "?1", "?\"s\"", "?(", "?", "??N", "???N", "??",
            "?CALL", "?PART", "?PART(1)", "?PART(1, 2)", "?PAIR(1, 2)", "?O(?PAIR(1, 2))", "f(?PAIR(1, 2))", "?TWICE(x)", "?TWICE(?N)", "?LATE",
            "?ME", "?ME1(1)", "?PING", "?OVER", "?OVER(1)", "?MIX(1)", "?MIX", "?O(begin 1, 2 end)", "?O(case a of b -> c, d end)", "?O(if a -> b, c end)",
            "?O(fun(A) -> A, 1 end)", "?O(fun F(A) -> A, 1 end)", "?O(fun f/1)", "?O(fun f/1, 2)", "?O(fun m:f/1, 2)", "?O(receive a -> b, c end)", "?O(try a, b catch c -> d end)",
            "?O([1, 2])", "?O({1, 2})", "?O(<<1, 2>>)", "?O(#{a => 1, b => 2})", "?O(f(1, 2))", "?O([1, 2)", "?O(])", "?O(end)", "?O((1, 2))", "?O(cond a -> b, c end)",
            "?O(maybe a, b end)", "?N(1)", "?N()", "?N(,)", "?N(1,)", "?N(1,,2)", "?N(", "?N:f(1)", "a:?N(1)", "?N#r{}", "#?N{}", "?N:?N", "[?N, ?N]", "?LINE", "{?LINE,\n?LINE}", "?LINE()", "?LINE(1)", "?FILE", "?FILE()",
            "?MODULE", "?MODULE:f()", "?MODULE()", "?MODULE_STRING", "?MACHINE", "?BEAM", "?'BEAM'", "?OTP_RELEASE", "?FUNCTION_NAME", "?FUNCTION_ARITY", "{?FUNCTION_NAME, ?FUNCTION_ARITY}",
            "?FUNCTION_NAME()", "?BASE_MODULE", "?S(1 + 2)", "?S(a,b)", "?Q(1)", "?O(?Q(1))", "?FEATURE_AVAILABLE(maybe_expr)", "?FEATURE_ENABLED(maybe_expr)", "?FEATURE_ENABLED",
            "?OPEN 1)", "?O(?OPEN 1))", "?O ?OPEN 1)", "?E ?E", "?O(?E)", "?O(?LINE)", "?S(?N)", "?S(?LINE)", "?S(?B)", "X = ?N, Y", "?NAME(f)",
            "?LAST", "?LAST N", "?LAST LAST N", "{?LAST N, 1}", "?O(?LAST N)", "?LASTOF(1)N", "?LASTOF(1)", "?LASTOF(?LASTOF(1))", "?LASTOF(1)O(1)", "?NOPARAMETER(1)", "?NOVAR(1)", "?O(??N)", "?O(?)", "[??]", "?THREE(1,,2)", "?THREE(,1,2)", "?THREE(1,2,)", "?THREE(,,)", "?THREE(1,?E,2)", "?B(1,,2)",
            "?NAMED(N)", "?NAMED('N')", "?NAMED(B)", "?NAMED(N(1))", "?NAMED(O(1))", "?NAMED(?N)", "?BOTH(?N)", "?BOTH(?E)", "?THROUGH(?N)", "?THROUGH(a, b)", "?THROUGH('\\x{3b1}')"],
    [[Definitions, Text] || Use <- Uses,
                            Text <- [["f(A, {B}) -> ", Use, ".\n"], ["-attr(", Use, ").\n"], ["f() -> g(", Use, ", h).\n"], [Use, "() -> ok.\n"],
                                     ["f(", Use, ") -> ok.\n"]]]
        ++ [[Definitions, T] || T <- ["?NAME(g).\n", "?FUNCTION_NAME() -> a.\n", "-?N(a).\n", "-ifdef(A).\n?nope.\n-endif.\n", "f() -> ?FUNCTION_NAME; f(X) -> ?FUNCTION_ARITY.\n",
                                      "f([]) -> ?FUNCTION_ARITY.\n", "f({}, <<>>) -> ?FUNCTION_ARITY.\n", "f(?PAIR(A, B)) -> ?FUNCTION_ARITY.\n", "?N(A) -> ?FUNCTION_NAME.\n",
                                      "f(A, -> ?FUNCTION_ARITY.\n", "f() -> ?B, ?FUNCTION_NAME.\n", "-a(?FUNCTION_NAME).\n", "f() -> ?FUNCTION_NAME ?N.\n"]].

conditionals() ->
    Parts = ["-ifdef(A).", "-ifdef(NO).", "-ifndef(A).", "-ifndef(NO).", "-if(true).", "-if(false).", "-elif(true).", "-elif(false).", "-else.", "-endif.", "f() -> ?LINE."],
    Bad = ["-ifdef.", "-ifdef().", "-ifdef(1).", "-ifdef(A", "-ifdef(A) 1.", "-ifdef A.", "-ifdef(A(1)).", "-ifdef(A, B).", "-ifndef.", "-ifndef(\"A\").", "-if.", "-if().", "-if(1", "-if a.", "-if(true, true).", "-if(X).", "-if(",
           "-elif.", "-elif a.", "-elif().", "-elif(X).", "-else(A).", "-else a.", "-else()", "-endif(A).", "-endif A.", "-endif true.", "-if(?NO).", "-if(+).", "-if(true)).", "-ifdef(?A)."],
    [lines(["-define(A, 1)." | L]) || A <- Parts, B <- Parts, L <- [[A, "a() -> 1.", B, "b() -> 1."]]]
        ++ [lines(["-define(A, 1).", A, "a() -> 1.", B, "b() -> 1.", C, "c() -> 1.", "-endif.", "d() -> 1."])
            || A <- ["-ifdef(A).", "-ifdef(NO).", "-if(true).", "-if(false)."], B <- Parts, C <- Parts]
        ++ [lines(["-define(A, 1).", A, "a() -> 1.", B, "b() -> 1.", C, "c() -> 1.", D, "d() -> 1.", "-endif.", "e() -> 1."])
            || A <- ["-if(true).", "-if(false)."], B <- ["-elif(true).", "-elif(false).", "-else."], C <- ["-elif(true).", "-elif(false).", "-else."],
               D <- ["-elif(true).", "-else.", "-endif."]]
        ++ [lines(["-define(A, 1).", A, "a() -> 1.", Bd, "b() -> 1.", "-endif.", "c() -> 1."]) || A <- ["x() -> 1.", "-ifdef(A).", "-ifdef(NO)."], Bd <- Bad]
        ++ [lines([A, "-if(false).", "b() -> 1.", B, "c() -> 1.", "-endif.", "d() -> 1.", "-else.", "e() -> 1.", "-endif."])
            || A <- ["-ifdef(NO).", "-ifndef(NO)."], B <- Parts]
        ++ [lines(["-ifdef(NO).", Junk, "-endif.", "f() -> 1."]) || Junk <- ["f() -> ).", "?nope.", "1 2 3.", "-include(\"nope\").", "-define(A", "-error(a).", "f() -> 2#3."]].

lines(Lines) -> [[L, "\n"] || L <- Lines].

conditions() ->
    Values = ["true", "false", "1", "2", "2.0", "1.5", "a", "{a}", "[]", "[1]", "\"s\"", "<<1>>", "#{}", "#{a => 1}", "$c", "X", "f()", "-1", "12345678901234567890123"],
    Binary = ["==", "/=", "=<", "<", ">=", ">", "=:=", "=/=", "+", "-", "*", "/", "div", "rem", "band", "bor", "bxor", "bsl", "bsr", "and", "or", "xor", "andalso", "orelse", "++", "--", "!", "="],
    Conditions =
        [[A, " ", Op, " ", B, " == ", C] || Op <- ["+", "-", "*", "/", "div", "rem", "band", "bor", "bxor", "bsl", "bsr"],
                                            A <- ["7", "-7", "7.0", "a"], B <- ["2", "0", "-2", "2.0"], C <- ["9", "5", "14", "3.5", "3", "1", "7", "28", "-3", "-1", "9.0"]]
        ++ [[A, " ", Op, " ", B] || Op <- Binary, A <- Values, B <- Values]
        ++ [[U, " ", A] || U <- ["not", "-", "+", "bnot", "catch"], A <- Values]
        ++ [[U, " ", A, " == ", B] || U <- ["-", "+", "bnot"], A <- ["1", "-1", "1.5", "12345678901234567890123"], B <- ["1", "-1", "-2", "0", "-1.5", "-12345678901234567890123", "-12345678901234567890124"]]
        ++ [["defined(", X, ")"] || X <- ["A", "NO", "a", "'A'", "1", "A, B", "", "LINE", "FILE", "MODULE", "MODULE_STRING", "FUNCTION_NAME", "FUNCTION_ARITY", "MACHINE", "OTP_RELEASE", "BASE_MODULE",
                                          "BASE_MODULE_STRING", "'BEAM'", "FEATURE_ENABLED", "FEATURE_AVAILABLE", "?A", "ME"]]
        ++ [[F, "(", V, ")"] || F <- ["is_atom", "is_integer", "is_float", "is_number", "is_list", "is_tuple", "is_binary", "is_bitstring", "is_boolean", "is_map", "is_pid", "is_reference", "is_port", "is_function", "nope", "self"], V <- Values]
        ++ [[F, "(", A, ") == ", R] || F <- ["abs", "length", "size", "tuple_size", "hd", "tl", "byte_size", "bit_size", "round", "trunc", "float", "map_size", "ceil", "floor", "node"],
                                       A <- ["-1", "-1.5", "1.5", "[1]", "[1, 2]", "{a}", "<<1>>", "<<1:3>>", "#{}", "#{a => b}", "[]", "\"ab\"", "2"], R <- ["1", "1.5", "2", "0", "3", "8", "[]", "[2]", "-1", "-2", "2.0"]]
        ++ [[F, "(", A, ", ", B, ") == ", R] || F <- ["element", "is_function", "is_record", "map_get", "is_map_key", "binary_part"], A <- ["1", "2", "a"], B <- ["{a, b}", "#{a => 1}", "2", "<<1>>"], R <- ["a", "b", "1", "2", "true"]]
        ++ ["true andalso defined(A)", "false andalso defined(A)", "false andalso X", "true orelse X", "false andalso nope()", "1 andalso true", "true andalso 1", "true andalso 1 == 1", "?A == 1", "?NO == 1", "?OTP_RELEASE >= 21", "?OTP_RELEASE < 21",
            "?FUNCTION_NAME == a", "?LINE == 3", "?FILE == \"x\"", "?MODULE == m", "is_list(?FILE)", "?MACHINE == 'BEAM'", "?FEATURE_ENABLED(maybe_expr)", "?FEATURE_AVAILABLE(maybe_expr)", "?FEATURE_AVAILABLE(nope)",
            "erlang:is_atom(a)", "m:f()", "#r{}", "#{a := 1}", "fun f/1", "fun() -> 1 end", "[X || X <- [1]]", "begin true end", "case 1 of 1 -> true end", "<<1:8, 2:16>> == <<1,0,2>>", "<<\"ab\">> == <<97, 98>>",
            "{1, a, [b | c]} == {1, a, [b | c]}", "#{a => 1} == #{a => 1.0}", "#{a => 1} =:= #{a => 1.0}", "1 == 1.0", "1 =:= 1.0", "\"ab\" == [97, 98]", "a < \"a\"", "1 < a", "{} < []", "[] < <<>>", "(true)", "((1 + 1) == 2)", "true, false", "true; false", "",
            "is_record({r, 1}, r)", "is_record({r, 1}, r, 2)", "1 bsl 70 == 1180591620717411303424", "1180591620717411303424 bsr 70 == 1", "1 bsl -1 == 0", "2 bsr -1 == 4", "12345678901234567890123 > 5", "12345678901234567890123 + 1 == 12345678901234567890124", "12345678901234567890123 rem 10 == 3"],
    [lines(["-module(m).", "-define(A, 1).", ["-if(", C, ")."], "yes() -> 1.", "-else.", "no() -> 1.", "-endif."]) || C <- Conditions].

includes() ->
    Words = ["-include(\"one.hrl\").", "-include(\"two.hrl\").", "-include(\"open.hrl\").", "-include(\"bad.hrl\").", "-include(\"endif.hrl\").", "-include(\"nodot.hrl\").", "-include(\"shift.hrl\").", "-include(\"module.hrl\").",
             "-include(\"nope.hrl\").", "-include(\"sub/three.hrl\").", "-include(\"sub/../one.hrl\").", "-include(\"./one.hrl\").", "-include(\"one\" \".hrl\").", "-include(\"$FATHOM_TEST_DIR/four.hrl\").", "-include(\"$FATHOM_TEST_NOPE/four.hrl\").", "-include(\"$FATHOM_TEST_DIR\").",
             "-include(\"\").", "-include(\"sub\").", "-include(one).", "-include(\"one.hrl\"", "-include \"one.hrl\".", "-include(\"one.hrl\", 1).", "-include().", "-include.", "-include(?ONE).", "-include(\"one.hrl\") a.",
             "-include_lib(\"one.hrl\").", "-include_lib(\"stdlib/include/assert.hrl\").", "-include_lib(\"nope/include/x.hrl\").", "-include_lib(\"stdlib/include/nope.hrl\").", "-include_lib(\"kernel/include/file.hrl\").", "-include_lib(\"stdlib\").", "-include_lib(1).",
             "-include_lib(\"stdlib/../stdlib/include/assert.hrl\").", "-include_lib(\"$FATHOM_TEST_DIR/four.hrl\")."],
    [lines(["-module(m).", "-ifndef(X).", W, "-endif.", "f() -> {?LINE, ?FILE, ?MODULE}."]) || W <- Words]
        ++ [[W, "\n\nf() -> {?LINE,\n ?FILE}.\n"] || W <- Words]
        ++ [["a() -> 1. ", W, " b() -> ?LINE.\n"] || W <- Words]
        ++ [lines(["-file(\"x.y\", 50).", W, "f() -> {?LINE, ?FILE}.", "-file(\"z\", 7).", W, "g() -> {?LINE, ?FILE}."]) || W <- Words]
        ++ [lines([W, V, "f() -> {?LINE, ?FILE}."]) || W <- lists:sublist(Words, 12), V <- lists:sublist(Words, 12)].

files() ->
    Words = ["-file(\"a.y\", 10).", "-file(\"a.y\", 1).", "-file(\"a.y\", 0).", "-file(\"a\" \".y\", 10).", "-file(\"a.y\", 10", "-file(\"a.y\").", "-file(a, 1).", "-file(\"a.y\", a).", "-file(\"a.y\", -1).", "-file(?FILE, ?LINE).", "-file(?FILE, 5).", "-file(\"a.y\", ?NO).", "-file \"a.y\", 10.", "-file(\"a.y\", 10) a.",
             "-file(\"a.y\", 10, 11).", "-file().", "-file.", "-file(\"\", 3).", "-file(\"a.y\",\n 10).", "\n-file(\"a.y\", 10)."],
    [[W, "\nf() -> {?LINE, ?FILE}.\n"] || W <- Words]
        ++ [[W, " f() -> {?LINE, ?FILE}.\n g() -> ).\n"] || W <- Words]
        ++ [["a() -> 1.\n\n", W, "\nf() ->\n  {?LINE,\n ?FILE}.\n", V, "\n\ng() -> {?LINE, ?FILE}.\n-include(\"two.hrl\").\nh() -> {?LINE, ?FILE}.\n"] || W <- Words, V <- Words].

features() ->
    Words = ["-feature(maybe_expr, enable).", "-feature(maybe_expr, disable).", "-feature(nope, enable).", "-feature(maybe_expr, on).", "-feature(maybe_expr).", "-feature.", "-feature(maybe_expr, enable", "-feature maybe_expr, enable.", "-feature(\"x\", enable).", "-feature(maybe_expr, enable, 1).", "-feature(X, enable)."],
    Before = ["", "-module(m).\n", "-module(m).\n-export([]).\n", "-define(A, 1).\n", "-record(r, {}).\n", "f() -> 1.\n", "-undef(A).\n", "-ifdef(A).\n-endif.\n", "-include(\"one.hrl\").\n", "-file(\"a\", 1).\n", "-warning(a).\n", "-module(m).\n-define(A, maybe).\n", "-include(\"bad.hrl\").\n", "f() -> ).\n", "-if(true).\n-endif.\n"],
    After = ["f() -> maybe.\n", "f() -> maybe 1 end.\n", "f() -> maybe 1 ?= 2, 3 else 4 -> 5 end.\n", "f() -> {maybe, else}.\n", "f() -> {'maybe', 'else'}.\n", "maybe() -> 1.\n", "else() -> 1.\n", "-ifdef(A).\na() -> 1.\n-else.\nb() -> 1.\n-endif.\n", "-ifdef(B).\na() -> 1.\n-else.\nb() -> 1.\n-endif.\n", "-define(M(X), X).\nf() -> ?M(maybe 1 end).\n",
             "-define(M(X), X).\nf() -> ?M(maybe 1, 2 end).\n", "-define(B, maybe 1 end).\nf() -> ?B.\n", "f() -> ?A.\n", "f() -> ?FEATURE_ENABLED(maybe_expr).\n", "-feature(maybe_expr, disable).\nf() -> maybe.\n", "f() -> #maybe{else = 1}.\n", "f() -> fun maybe/1.\n", "f() -> X ?= 1.\n", "f() -> begin X ?= 1 end.\n", "-maybe(else).\n", "-a('maybe').\n-b(maybe).\n", "-type t() :: maybe.\n"],
    [[B, W, "\n", A] || B <- Before, W <- Words, A <- ["f() -> maybe 1 end.\n"]]
        ++ [[W, "\n", A] || W <- ["", "-feature(maybe_expr, enable).", "-feature(maybe_expr, disable)."], A <- After].

messages() ->
    [lines(["-module(m).", "-define(A, 1).", [W, V], "f() -> ?LINE."])
     || W <- ["-error", "-warning"],
        V <- ["(a).", "(\"text\").", "({a, [1, 2.0]}).", "(?A).", "(?NO).", "(a, b).", "(X).", "().", ".", "(a", " a.", "(a) b.", "(\n  \"two\n lines\").", "(f(X)).", "(<<1>>).", "(#{a => 1}).", "(?LINE)."]].

%% Where OTP puts what came out of macros.
places() ->
    Definitions = "-define(N, n).\n-define(T(X), {X, y}).\n-define(F(X, Y), Y(X)).\n-define(OP(X, Y), X + Y * 2).\n-define(M(X), X =\n 1).\n-define(L(X), [X | X]).\n-define(C(X), case X of a -> X; X -> b end).\n"
        "-define(S(X), ??X).\n-define(B(X), <<X:8/integer, 1>>).\n-define(R(X), X#r{a = X}).\n-define(MAP(X), #{X => X, b := X}).\n-define(TRY(X), try X catch X -> X end).\n-define(FUN(X), fun(X) -> X end).\n-define(LC(X), [X || X <- X, X]).\n-define(NEG(X), -X).\n-define(CALL(X), X:X(X)).\n-define(IF(X), if X -> X end).\n-define(NEST(X), ?T(?T(X))).\n-define(TY(X), {X, X | b}).\n",
    Arguments = ["a", "?N", "a\n", "f(1)", "1 + 2", "{\na,\nb}", "?T(a)", "?OP(1, 2)", "[a]", "(a)", "-1", "X#r.f"],
    [[Definitions, "f() ->\n  ", U, "(", A, ")", ".\n"] || U <- ["?T", "?M", "?L", "?C", "?S", "?B", "?R", "?MAP", "?TRY", "?FUN", "?LC", "?NEG", "?CALL", "?IF", "?NEST"], A <- Arguments]
        ++ [[Definitions, "f() ->\n  ", U, "(", A, ", ", B, ")", ".\n"] || U <- ["?F", "?OP"], A <- Arguments, B <- Arguments]
        ++ [[Definitions, "f(", U, "(", A, "), Y) -> Y.\n"] || U <- ["?T", "?L", "?M", "?NEG", "?MAP"], A <- ["a", "?N", "X", "{a}"]]
        ++ [[Definitions, "-type t() :: ", U, "(", A, ").\n"] || U <- ["?T", "?TY", "?NEG"], A <- ["a", "?N", "b()", "1 .. 2", "a | b"]]
        ++ [[Definitions, "f() -> ", U, "(", A, ") ).\n"] || U <- ["?T", "?L", "?C"], A <- ["a", "?N", "a)", "a b", "?T(b c)"]].

stringified() ->
    Arguments = ["a", "A", "'a b'", "''", "1", "1_000", "16#ff", "1.5", "1.0e10", "1.0e22", "1.0e23", "123456789012345678901234567890", "0.1", "$a", "$ ", "$\\s", "$\\n", "$\\\\", "$\"", "$'", "$\\x{3b1}", "$\\x{1}", "$\xe9", "$\\x{80}", "$\\d", "\"s\"", "\"a\\nb\"", "\"\\\"\"", "\"\xe9\\x{3b1}\"", "\"\\x{1}\"", "\"\" \"a\"", "\"a\n b\"",
                 "a+b", "a + b", "f(x,y)", "[1,2|T]", "{a,b}", "<<1:8/integer>>", "#{a=>1}", "#r{a=1}", "X#r.f", "fun()->1 end", "case a of b->c end", "begin 1,2 end", "not a", "a andalso b", "a:b", "a::b", "->", "?N", "?LINE", "?T(1)", "'case'", "'maybe'", "maybe", "else", "@", "A@b", "\xe9", "\xc9", "'\\x{3b1}'", "'A'", "'a.b'", "a.b", "...", "a . b", "<-", "||", "<=", "1.", "a =:= b",
                 "'\\n'", "'\\''", "'\"'", "=>", ":=", "?=", "!", "a, b", "(a, b)", "%c\n a", "$\\^a", "$\\177", "_", "'_'", "'@'", "'1a'", "'div'"],
    [["-define(N, n).\n-define(T(X), {X}).\n-define(S(X), {??X, X}).\n-define(S(X, Y), ??X ??Y).\nf() -> ?S(", A, ").\n"] || A <- Arguments].

%% --- random

%% Macros whose bodies are expressions; each uses the ones before it.
random_expansions() ->
    Macros = [{"M" ++ integer_to_list(I), pick([none, 0, 1, 2])} || I <- lists:seq(1, 5)],
    Definitions = [["-define(", Name, parameters(lists:sublist(["X", "Y"], max(0, arity(Arity)))), ", ",
                    expression(3, lists:sublist(Macros, I - 1), arity(Arity)), ").\n"]
                   || {I, {Name, Arity}} <- lists:zip(lists:seq(1, 5), Macros)],
    ["-module(m).\n", without_empty_parentheses(lists:zip(Macros, Definitions)),
     [["f(", pick(["", "A", "A, {B}"]), ") ->\n  ", expression(4, Macros, 0), ".\n"] || _ <- [1, 2, 3]]].

arity(none) -> -1;
arity(N) -> N.

%% ?M is written without parentheses, ?M() with them.
without_empty_parentheses(Pairs) ->
    [case Arity of
         none -> string:replace(lists:flatten(Text), "()", "");
         _ -> Text
     end || {{_, Arity}, Text} <- Pairs].

expression(D, Macros, Parameters) when D =< 0; Macros =:= [] ->
    pick(["a", "1", "\"s\"", "V", "?LINE", "?MODULE", "?FILE"] ++ lists:append([["X", "??X"] || Parameters >= 1]) ++ [["Y"] || Parameters >= 2]);
expression(D, Macros, Parameters) ->
    E = fun() -> expression(D - 1, Macros, Parameters) end,
    case rand:uniform(12) of
        N when N =< 5 ->
            {Name, Arity} = pick(Macros),
            case Arity of
                none -> ["?", Name];
                0 -> ["?", Name, "()"];
                1 -> ["?", Name, "(", E(), ")"];
                2 -> ["?", Name, "(", E(), ", ", pick(["", "\n    "]), E(), ")"]
            end;
        6 -> ["{", E(), ", ", E(), "}"];
        7 -> ["g(", E(), ")"];
        8 -> [E(), " + ", E()];
        9 -> ["case ", E(), " of ", E(), " -> ", E(), ", b end"];
        10 -> ["fun(A) -> ", E(), ", ", E(), " end"];
        11 -> ["[", E(), " | ", E(), "]"];
        12 -> ["<<(", E(), "):8, 1>>"]
    end.

random_macros() ->
    Names = ["A", "B", "C", "d"],
    Definition = fun() ->
                         Parameters = pick([none, [], ["X"], ["X", "Y"]]),
                         ["-define(", pick(Names), parameters(Parameters), ", ", body(Parameters, Names), ").\n"]
                 end,
    Other = fun() -> [pick(["-undef(A).", "-ifdef(A).", "-ifndef(B).", "-else.", "-endif.", "-file(\"q\", 9)."]), "\n"] end,
    Use = fun() -> ["f", pick(["()", "(X)", "(X, [])"]), " -> ", body(none, Names), ".\n"] end,
    ["-module(m).\n", [(pick([Definition, Definition, Definition, Other, Use, Use]))() || _ <- lists:seq(1, 4 + rand:uniform(8))]].

parameters(none) -> "";
parameters(Ps) -> ["(", lists:join(", ", Ps), ")"].

body(Parameters, Names) -> [[piece(Parameters, Names), pick([" ", "", "\n "])] || _ <- lists:seq(1, rand:uniform(5))].

piece(Parameters, Names) ->
    case rand:uniform(14) of
        N when N =< 5 -> ["?", pick(Names), pick(["", "", "()", "(1)", "(x, y)", "(?A)", "(?B, ?C(1))", "({1, 2}, [3, 4])", "(,)", "(", "(begin 1, 2 end)"])];
        N when N =< 8, is_list(Parameters), Parameters =/= [] -> pick([" X", " X", " Y", " ??X"]);
        9 -> pick(["?LINE", "?FILE", "?MODULE", "?FUNCTION_NAME", "?FUNCTION_ARITY"]);
        10 -> pick(["{", "}", "(", ")", "[", "]", ",", "+", "?"]);
        _ -> pick([" a", " 1", ", ", " + ", "f(1)", "\"s\"", " X", "{a, b}", " fun() -> 1, 2 end"])
    end.

random_conditionals() ->
    Line = fun() -> pick(["-ifdef(A).", "-ifdef(NO).", "-ifndef(A).", "-if(true).", "-if(?A == 1).", "-if(?A == 2).", "-if(X).", "-elif(true).", "-elif(false).", "-else.", "-endif.", "-endif.", "-endif.", "f() -> ?LINE.", "f() -> ?LINE.", "-define(A, 1).", "-undef(A).", "-include(\"one.hrl\")."]) end,
    lines(["-define(A, 1)." | [Line() || _ <- lists:seq(1, 4 + rand:uniform(12))]]).
