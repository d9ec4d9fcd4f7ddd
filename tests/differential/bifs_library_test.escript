#!/usr/bin/env escript
%%! +S 2
%% Library functions on Fathom's machine and in OTP: what OTP writes in C (lists, maps,
%% binary, unicode, string, math, re, os, persistent_term, atomics, counters), and
%% OTP's own Erlang modules on top of it. Each expression must give the same value, or
%% the same class and reason.
%%
%%   bifs_library_test.escript [FAMILY...]
-mode(compile).
-include("fathom_port.hrl").
-include("batches.hrl").

main(Wanted) ->
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_bifs_library." ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    Families = [F || {Name, _} = F <- families(),
                     Wanted =:= [] orelse lists:member(atom_to_list(Name), Wanted)],
    Counts = [check_family(Dir, Name, lists:usort(Texts())) || {Name, Texts} <- Families],
    _ = [file:delete(F) || F <- filelib:wildcard(filename:join(Dir, "*"))],
    file:del_dir(Dir),
    {Passed, Failed} = lists:unzip(Counts),
    summary(lists:sum(Passed), lists:sum(Failed)).

families() ->
    [{list_natives, fun list_natives/0},
     {map_natives, fun map_natives/0},
     {unicode_natives, fun unicode_natives/0},
     {unicode_random, fun unicode_random/0},
     {binary_natives, fun binary_natives/0},
     {binary_search, fun binary_search/0},
     {math_natives, fun math_natives/0},
     {string_numbers, fun string_numbers/0},
     {re_compile, fun re_compile/0},
     {re_run, fun re_run/0},
     {re_module, fun re_module/0},
     {os_natives, fun os_natives/0},
     {shared_state, fun shared_state/0},
     {facts, fun facts/0},
     {zlib_streams, fun zlib_streams/0},
     {lists_module, fun lists_module/0},
     {maps_module, fun maps_module/0},
     {string_module, fun string_module/0},
     {binary_module, fun binary_module/0},
     {containers, fun containers/0},
     {text_modules, fun text_modules/0},
     {io_lib_format, fun io_lib_format/0},
     {big_inputs, fun big_inputs/0}].

%% --- comparing

check_family(Dir, Name, AllTexts) ->
    Module = lists:concat(["batch_", Name]),
    check_texts(Dir, Name, [T || Batch <- chunks(AllTexts), T <- modelled(Dir, Name, Module, Batch)]).

%% A bad format makes io_lib ask the code server, and that needs more than one process.
modelled(Dir, io_lib_format, Module, Texts) ->
    [T || {T, E} <- lists:zip(Texts, expected(write_module(Dir, Module, Texts))), E =/= {error, badarg}];
modelled(_, _, _, Texts) -> Texts.

%% What expressions may call.
helpers() ->
    "s(L) -> lists:sort(L).\n"
    "m({ok, {re_pattern, A, B, C, _}}) -> {ok, A, B, C};\nm(X) -> X.\n"
    "e({error, {S, _}}) -> {error, S};\ne(X) -> m(X).\n"
    "w(L) -> M = maps:from_list([{K, K * K} || K <- L]), M.\n"
    "f(F, A) -> lists:flatten(io_lib:format(F, A)).\n"
    "t(X) -> try {value, X()} catch C:R -> {C, R} end.\n"
    "rnd_bytes(N) -> << <<X>> || X <- rnd(N, 11) >>.\n"
    "rnd(N, S) -> rnd(N, S, []).\n"
    "rnd(0, _, A) -> A;\n"
    "rnd(N, S, A) -> S1 = (S * 1103515245 + 12345) rem 2147483648, rnd(N - 1, S1, [S1 rem 1000 | A]).\n".

%% --- making expressions

%% Calls with all combinations of the arguments' texts.
calls(Function, ArgumentSets) ->
    [lists:append([Function, "(", lists:append(lists:join(", ", Arguments)), ")"])
     || Arguments <- product(ArgumentSets)].

product([]) -> [[]];
product([Set | Sets]) -> [[X | Rest] || X <- Set, Rest <- product(Sets)].

wrapped(Before, Texts, After) -> [Before ++ T ++ After || T <- Texts].

odd_terms() ->
    ["a", "1", "-1", "1.5", "1 bsl 70", "[]", "{}", "#{}", "<<>>", "<<1:3>>", "\"ab\"", "[a|b]",
     "[1, 2, 3]", "{1, a}", "#{a => 1}", "<<\"abc\">>"].

%% --- what OTP writes in C

list_natives() ->
    Lists = ["[]", "[1, 2, 3]", "[a|b]", "foo", "[1.0, 1, {1}]", "[{a, 1}, b, {1, 2}, {1.0, x}, {b}]",
             "[{a, 1}|{a, 2}]", "lists:seq(1, 200)", "\"abc\"", "<<1>>"],
    Keys = ["a", "1", "1.0", "{1}", "b", "1 bsl 70", "[]", "150"],
    calls("lists:reverse", [Lists, ["[]", "tail", "[x]"]]) ++
        calls("lists:member", [Keys, Lists]) ++
        [C || F <- ["keyfind", "keymember", "keysearch"],
              C <- calls("lists:" ++ F, [Keys, ["1", "2", "0", "-1", "a", "1 bsl 70"], Lists])].

map_natives() ->
    Maps = ["#{}", "#{a => 1}", "#{1 => a, 1.0 => b, [] => c, \"k\" => d}", "w(lists:seq(1, 32))",
            "w(lists:seq(1, 33))", "w(lists:seq(1, 300))", "a", "[]"],
    Keys = ["a", "1", "1.0", "[]", "\"k\"", "33", "zz"],
    calls("maps:find", [Keys, Maps]) ++ calls("maps:get", [Keys, Maps]) ++
        calls("maps:is_key", [Keys, Maps]) ++ calls("maps:remove", [Keys, Maps]) ++
        calls("maps:take", [Keys, Maps]) ++ calls("maps:put", [Keys, ["v"], Maps]) ++
        calls("maps:update", [Keys, ["v"], Maps]) ++
        calls("maps:merge", [Maps, Maps]) ++
        wrapped("s(maps:keys(", Maps, "))") ++ wrapped("s(maps:values(", Maps, "))") ++
        wrapped("maps:from_list(", ["[]", "[{a, 1}, {a, 2}]", "[{a, 1}|b]", "[{a}]", "a", "[a]",
                                    "[{1, a}, {1.0, b}, {2, c}]", "[{K, V} || K <- lists:seq(1, 50), V <- [a, K]]",
                                    "[{K rem 40, K} || K <- lists:seq(1, 1000)]"], ")") ++
        calls("maps:from_keys", [["[]", "[a, b, a]", "[a|b]", "foo", "lists:seq(1, 100)"], ["v", "[]"]]) ++
        calls("erts_internal:map_to_tuple_keys", [Maps]) ++
        calls("erts_internal:map_next", [["0", "a", "-1"], ["#{}", "#{a => 1, b => 2}", "x"],
                                         ["iterator", "[]", "[x]", "foo"]]) ++
        wrapped("begin M = ", Maps, ", s(maps:to_list(M)) end") ++
        wrapped("maps:fold(fun(K, V, A) -> [{K, V} | A] end, [], ", Maps, ") =:= [] orelse ok").

unicode_data() ->
    ["\"abc\"", "[255]", "[256]", "[16#D800]", "[16#DFFF]", "[16#110000]", "[-1]", "[a]", "[1.0]", "foo",
     "<<\"a\", 255>>", "<<\"a\", 195>>", "[<<\"a\", 195>>, \"b\"]", "[<<\"a\", 195>>, <<165>>]",
     "[[\"x\", <<\"a\", 195>>], \"b\"]", "[[\"x\", <<\"a\", 255, \"zz\">>, \"y\"], \"b\"|<<\"t\">>]",
     "[\"a\", 16#D800, \"b\"]", "[[\"a\", 16#D800], \"c\"|<<\"d\">>]", "[[\"a\"|<<\"b\", 255>>]|<<\"c\">>]",
     "[[\"a\"|<<\"b\", 195>>]|<<\"c\">>]", "[\"a\"|b]", "<<1:3>>", "[\"a\", <<1:3>>]",
     "[<<\"a\", 195>>|<<165>>]", "[<<\"a\", 195>>, <<>>, <<165>>]", "[<<\"a\", 226>>, <<130>>, <<172>>]",
     "[<<\"a\", 226>>, <<130>>, \"x\"]", "[<<\"a\", 226>>, <<255>>, \"x\"]", "[<<\"a\", 226>>, <<255, 1>>, \"x\"]",
     "[[[<<\"a\", 195>>], \"x\"], \"y\"]", "[]", "<<>>", "<<237, 160, 128>>", "<<240, 128, 128, 128>>",
     "<<244, 144, 128, 128>>", "<<192, 128>>", "<<224, 128>>", "<<237, 160>>", "<<248>>", "<<245>>",
     "[16#FFFE]", "[1 bsl 70]", "[16#D800, a]", "[<<255>>, a]", "[<<195>>, a]",
     "lists:duplicate(1000, 8364)", "binary:copy(<<226, 130, 172>>, 500)", "[1024, <<208, 159>>, $a]"].

unicode_natives() ->
    Encodings = ["utf8", "latin1", "unicode", "utf16", "{utf16, little}", "utf32", "{utf32, little}", "foo", "1"],
    calls("unicode:characters_to_binary", [unicode_data(), Encodings]) ++
        calls("unicode:characters_to_list", [unicode_data(), Encodings]) ++
        calls("unicode:characters_to_binary", [unicode_data(), ["utf8", "latin1"], ["utf16", "latin1", "utf8"]]) ++
        calls("unicode:characters_to_binary", [unicode_data()]) ++
        calls("unicode:bin_is_7bit", [odd_terms() ++ ["<<\"a\", 200>>"]]) ++
        [C || F <- ["nfd_list", "nfc_list", "nfkd_binary", "nfkc_binary", "nfc_binary"],
              C <- calls("unicode:characters_to_" ++ F, [["\"abc\"", "[229, $a, 778]", "<<\"a\", 255>>", "[64257]"]])].

%% Nested lists of good and bad pieces.
unicode_random() ->
    rand:seed(exsss, 17),
    [lists:append(["unicode:", F, "(", io_lib_text(random_data(4)), ", ", E, ")"])
     || _ <- lists:seq(1, 300), F <- ["characters_to_binary", "characters_to_list"], E <- ["utf8", "latin1"]].

io_lib_text(Term) -> lists:flatten(io_lib:format("~w", [Term])).

random_data(Depth) ->
    case rand:uniform(7) of
        1 -> random_binary();
        _ -> [random_item(Depth - 1) || _ <- lists:seq(1, rand:uniform(4))] ++
                 case rand:uniform(5) of 1 -> random_binary(); _ -> [] end
    end.

random_item(0) -> $a;
random_item(Depth) ->
    case rand:uniform(8) of
        1 -> 16#D800;
        2 -> 8364;
        3 -> 200;
        4 -> random_data(Depth);
        5 -> [];
        _ -> random_binary()
    end.

random_binary() ->
    lists:nth(rand:uniform(9), [<<"ab">>, <<226, 130, 172>>, <<226>>, <<130, 172>>, <<226, 130>>, <<172, "x">>,
                                <<255>>, <<240, 159>>, <<>>]).

binary_natives() ->
    Unary = [F || F <- ["copy", "first", "last", "decode_unsigned", "encode_unsigned", "longest_common_prefix",
                        "longest_common_suffix", "list_to_bin", "bin_to_list"]],
    Values = odd_terms() ++
        ["0", "255", "256", "65535", "[<<\"abc\">>, <<\"abx\">>]", "[<<\"abc\">>, <<\"xbc\">>, <<\"c\">>]", "[<<>>]",
         "[<<\"a\">>|b]", "[<<\"a\">>, a]", "[1, [2|<<3>>]]", "[256]", "[<<1:3>>]",
         "<<1, 2, 3, 4, 5, 6, 7, 8, 9, 10>>", "begin <<_:3, B:16/bitstring, _/bits>> = <<1, 2, 3, 4>>, B end"],
    [C || F <- Unary, C <- calls("binary:" ++ F, [Values])] ++
        calls("binary:copy", [["<<>>", "<<\"abc\">>", "a", "<<1:3>>"], ["0", "1", "3", "-1", "a", "100"]]) ++
        calls("binary:at", [["<<>>", "<<\"abc\">>", "<<1:9>>", "a"], ["0", "2", "3", "-1", "a", "1 bsl 70"]]) ++
        calls("binary:decode_unsigned", [["<<>>", "<<1, 2>>", "<<1:9>>", "a", "<<0:800, 1>>", "<<255:8, 0:100/unit:8>>"],
                                         ["big", "little", "foo"]]) ++
        calls("binary:encode_unsigned", [["0", "258", "-1", "a", "1.0", "1 bsl 200", "(1 bsl 64) - 1"],
                                         ["big", "little", "foo"]]) ++
        calls("binary:part", [["<<\"abc\">>", "<<1:9>>", "a"],
                              ["{0, 2}", "{3, -2}", "{3, 1}", "{3, 0}", "{0, -1}", "{a, 1}", "x", "{1 bsl 70, 0}"]]) ++
        calls("binary:part", [["<<\"abc\">>"], ["0", "1", "3", "-1", "a"], ["0", "1", "3", "-1", "-3", "b"]]) ++
        calls("binary:bin_to_list", [["<<\"abc\">>", "<<1:9>>", "a"], ["{0, 2}", "{3, -2}", "{3, 1}", "x"]]).

binary_search() ->
    Subjects = ["<<>>", "<<\"abcabc\">>", "<<\",a,,b,\">>", "<<1:3>>", "a", "binary:copy(<<\"xyz,\">>, 40)",
                "begin <<_:3, B:48/bitstring, _/bits>> = <<1, 2, 3, 4, 5, 6, 7, 8>>, B end"],
    Patterns = ["<<\"b\">>", "<<\",\">>", "[<<\"bc\">>, <<\"b\">>, <<\"ca\">>]", "[<<\",\">>, <<\",,\">>]", "<<>>", "[]", "foo",
                "[<<\"a\">>, b]", "[<<\"a\">>|b]", "binary:compile_pattern(<<\"bc\">>)",
                "binary:compile_pattern([<<\"b\">>, <<\"bca\">>])", "{bm, x}", "<<1:3>>", "[<<\"a\">>]"],
    Scopes = ["[]", "[{scope, {0, 2}}]", "[{scope, {2, 3}}]", "[{scope, {6, -3}}]", "[{scope, {0, 0}}]",
              "[{scope, {0, 100}}]", "[{scope, x}]", "foo", "[foo]"],
    calls("binary:match", [Subjects, Patterns]) ++ calls("binary:matches", [Subjects, Patterns]) ++
        calls("binary:split", [Subjects, Patterns]) ++
        calls("binary:match", [Subjects, Patterns, Scopes]) ++ calls("binary:matches", [Subjects, Patterns, Scopes]) ++
        calls("binary:split", [Subjects, Patterns,
                               ["[global]", "[global, trim]", "[global, trim_all]", "[trim]", "[trim_all]",
                                "[{scope, {2, 3}}, global]", "[global|x]", "[foo]", "x"]]) ++
        wrapped("element(1, binary:compile_pattern(", Patterns, "))").

math_natives() ->
    Numbers = ["0", "1", "-1", "0.5", "-0.5", "2", "10", "1.0e308", "-1.0e308", "1.0e-300", "0.0", "-0.0", "1 bsl 60",
               "1 bsl 70", "1 bsl 2000", "a", "\"a\"", "3.7", "-3.7", "710"],
    [C || F <- ["acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "erf", "erfc", "exp", "floor",
                "log", "log10", "log2", "sin", "sinh", "sqrt", "tan", "tanh"],
          C <- calls("math:" ++ F, [Numbers])] ++
        [C || F <- ["atan2", "fmod", "pow"], C <- calls("math:" ++ F, [Numbers, ["0", "1", "-1", "0.5", "3", "2000", "a", "1 bsl 2000"]])] ++
        ["math:pi()"].

string_numbers() ->
    Texts = ["\"12\"", "\"12a\"", "[$1, a]", "[$1|foo]", "\"+12\"", "\"-12\"", "\"-\"", "\"\"", "a", "<<\"1\">>", "\"--1\"",
             "\"123456789012345678901234567890x\"", "[256]", "[$1, 1.5]", "\" 1\"", "\"-0\"", "\"1.2\"", "\"1.2a\"", "\"1.\"",
             "\"1.e5\"", "\"1.0e\"", "\"1.0e5\"", "\"1.0e+\"", "\"1.0e-5x\"", "\"1.0e400\"", "\"1,5\"", "\".5\"", "\"1.0E5\"", "\"-0.0\"",
             "\"1.0e-400\"", "\"1.2.3\"", "[$1, $., $5|foo]", "<<\"1.5x\">>", "<<\"12x\">>", "[\"1\", <<\"2\">>, \"x\"]"],
    [C || F <- ["list_to_integer", "list_to_float", "to_integer", "to_float"], C <- calls("string:" ++ F, [Texts])].

%% --- re

patterns() ->
    ["\"a\"", "\"(a)(b)?(c)\"", "\"(?<x>a)(?<y>b)\"", "\"^a.*c$\"", "\"[[:alpha:]]+\"", "\"\\\\w+\"", "\"\\\\d{2,3}\"", "\"(a|b)*c\"",
     "\"a(?=b)\"", "\"(?<!a)b\"", "\"(?i)ABC\"", "\"x*\"", "\"\"", "\"\\\\bfoo\\\\b\"", "\"(?:a)(b)\"", "\"(.)\\\\1\"", "\"a++b\"", "\"\\\\x41\"",
     "\"[^a-c]\"", "\"\\\\R\"", "\"(?<n>a)|(?<m>b)\"", "\"a{,2}\"", "\"\\\\j\"", "\"(?|(a)|(b))c\"", "\"\\\\Qa.b\\\\E\"", "\"\\\\h\\\\v\"",
     "\"(?>a+)b\"", "\"[]a]\"", "\"(a)?b\"", "\"(?#c)a\"", "\"\\\\N\"", "\"(*ANYCRLF)^b$\""].

bad_patterns() ->
    ["\"\\\\\"", "\"[\"", "\"(\"", "\"a**\"", "\"a{2,1}\"", "\"*\"", "\"(?\"", "\"(?z)\"", "\"[[:foo:]]\"", "\"[:alpha:]\"", "\"(?<a\"", "\"(?<1>a)\"",
     "\"(?<a>x)(?<a>y)\"", "\"\\\\1\"", "\"(?1)\"", "\"(?R\"", "\"a)\"", "\"[b-a]\"", "\"\\\\x{zz}\"", "\"\\\\p{Foo}\"", "\"\\\\p\"",
     "\"(?<=a*)b\"", "\"\\\\k\"", "\"(*FOO)\"", "\"\\\\c\"", "\"\\\\L\"", "\"x{99999}\"", "\"(?#\"", "\"(?P<a\"", "\"(?P=x)\"", "\"\\\\o{8}\"", "\"\\\\o\"",
     "\"(?C256)\"", "\"(?C1\"", "\"[[.a.]]\"", "\"a(b\"", "\"(a))\"", "\"ab[cd\"", "\"abc+*\"", "\"abc{3,2}x\"", "\"(?<name\"", "\"abc\\\\\"",
     "\"x(?<=a+)b\"", "\"(a)\\\\2\"", "\"+a\"", "\"?a\"", "\"(*)\"", "\"(?:a\"", "\"((a)\"", "\"a|*\"", "\"[z-a]b\"", "\"(+)\""].

re_compile() ->
    Options = ["[]", "[unicode]", "[caseless]", "[{newline, crlf}]", "[{newline, any}]", "[anchored, dotall, extended]",
               "[ungreedy, dupnames, firstline]", "[global]", "[notempty]", "foo", "[foo]", "[caseless|x]",
               "[no_auto_capture]", "[bsr_anycrlf, ucp]", "[{newline, foo}]"],
    wrapped("m(", calls("re:compile", [patterns(), Options]), ")") ++
        wrapped("m(", calls("re:compile", [bad_patterns()]), ")") ++
        wrapped("m(", calls("re:compile", [["a", "<<1:3>>", "[256]", "[a]", "<<255>>", "<<\"a\">>"], ["[]", "[unicode]"]]), ")") ++
        ["re:version()", "m(re:compile(\"a\", [never_utf, unicode]))", "m(re:compile(\"(*UTF8)a\"))",
         "re:inspect(element(2, re:compile(\"(?<b>x)(?<a>y)\")), namelist)", "re:inspect(element(2, re:compile(\"x\")), namelist)",
         "re:inspect(element(2, re:compile(\"x\")), foo)", "re:inspect(foo, namelist)"].

re_run() ->
    Subjects = ["\"\"", "\"abc\"", "\"xabcabc foo 12345\"", "<<\"aabbcc\">>", "\"a\\r\\nb\\n\"", "[<<\"ab\">>, $c]", "a", "[229, 228, $A]"],
    Options = ["[]", "[{capture, none}]", "[{capture, all, list}]", "[{capture, all_but_first, binary}]", "[{capture, first}]",
               "[{capture, [1, 2, 9], list}]", "[{capture, [x, \"y\", <<\"n\">>], binary}]", "[{capture, all_names, list}]", "[global]",
               "[global, {capture, all, binary}]", "[caseless]", "[multiline, {newline, crlf}]", "[{offset, 1}]", "[anchored]",
               "[notempty]", "[notbol, noteol]", "[unicode]", "[unicode, {capture, all, list}]", "[unicode, global, {capture, all, list}]",
               "[dotall]", "[notempty_atstart]", "[{newline, any}, multiline]", "[ungreedy]"],
    calls("re:run", [Subjects -- ["\"\""], patterns(), Options]) ++
        calls("re:run", [["\"\"", "\"abc\""], patterns()]) ++
        calls("re:run", [["\"abc\""], ["\"(a)(x)?(b)(y)?\""],
                         ["[{capture, [4, 3, 2, 1, 0, 9]}]", "[{capture, [-1], list}]", "[{capture, [1.0]}]", "[{capture, foo}]",
                          "[{capture, all, foo}]", "[{capture, []}]", "[{capture, [], list}]", "[{capture, [1|2]}]",
                          "[{offset, -1}]", "[{offset, a}]", "[{match_limit, -1}]", "[report_errors]", "[global, {capture, [1, 3], list}]"]]) ++
        calls("re:run", [["\"aaaaaaaaaaaaaaaaaaaaaaaaaaab\""], ["\"(a+)+$\""],
                         ["[{match_limit, 3}, report_errors]", "[{match_limit, 3}]", "[{match_limit_recursion, 2}, report_errors]"]]) ++
        calls("re:run", [["\"abc\"", "<<255>>", "[255]", "foo"], ["\"(\"", "foo", "<<255>>", "[255]", "<<\"b\">>", "{re_pattern, 1, 2, 3, 4}"],
                         ["[]", "[unicode]", "[report_errors]", "foo", "[foo]", "[caseless|x]"]]) ++
        [lists:append(["begin {ok, P} = re:compile(", P, ", ", C, "), re:run(", S, ", P, ", R, ") end"])
         || P <- ["\"(a)(?<n>B)\"", "\"^b$\"", "\"\\\\w+\""], C <- ["[caseless]", "[unicode]", "[multiline]"],
            S <- ["\"xaBab\"", "\"a\\r\\nb\\r\\nc\"", "<<\"ab \", 195, 165>>"],
            R <- ["[]", "[global]", "[caseless]", "[anchored]", "[{newline, crlf}]", "[{newline, anycrlf}, global]", "[{capture, [n], list}]",
                  "[global, {capture, first, binary}]", "[{capture, all, list}]"]] ++
        [lists:append(["[X || X <- lists:seq(0, 255), match =:= re:run(<<X>>, \"", P, "\", [{capture, none}])]"])
         || P <- ["[[:upper:]]", "[[:lower:]]", "[[:alpha:]]", "\\\\w", "\\\\s", "[[:punct:]]", "[[:cntrl:]]", "[[:graph:]]", "[[:print:]]",
                  "\\\\d", "[[:space:]]", "[[:blank:]]", "[[:alnum:]]", "(?i)\\xe5"]].

re_module() ->
    Subjects = ["\"a,b,,c\"", "<<\"abcabc\">>", "\"\"", "\"hello world\"", "[1072, $a, 1073]"],
    Patterns = ["\",\"", "\"b\"", "\"(b)(c)\"", "\"\"", "\"o|l\"", "\"x*\"", "\"(?<n>[a-c])\""],
    calls("re:split", [Subjects, Patterns, ["[]", "[{return, list}]", "[trim]", "[{parts, 2}, {return, binary}]", "[group]", "[unicode, {return, list}]",
                                            "[foo]"]]) ++
        calls("re:replace", [Subjects, Patterns, ["\"X\"", "\"[&]\"", "\"\\\\\\\\1-\\\\\\\\g{2}\"", "<<\"q\">>"],
                             ["[{return, list}]", "[global, {return, binary}]", "[]", "[unicode, global, {return, list}]"]]).

%% --- the rest

os_natives() ->
    Names = ["\"FATHOM_NO\"", "\"\"", "a", "[0]", "<<\"HOME\">>", "[256]", "[16#D800]", "\"a=b\"", "[-1]", "[\"FATHOM\", [\"_NO\"]]", "[a]", "[$a|b]"],
    calls("os:getenv", [Names -- ["\"\""]]) ++ calls("os:getenv", [Names, ["x"]]) ++
        calls("os:unsetenv", [Names]) ++
        [lists:append(["{os:putenv(", N, ", ", V, "), os:getenv(", N, "), os:unsetenv(", N, "), os:getenv(", N, ")}"])
         || N <- ["\"FATHOM_V\"", "\"F=X\"", "\"=FX\"", "a", "[1024]"], V <- ["\"v\"", "\"\"", "[0]", "[1024]", "a", "[\"a\", [\"b\"]]", "<<\"q\">>", "\"a=b\""]] ++
        calls("os:set_signal", [["sigusr1", "sighup", "foo", "1"], ["ignore", "default", "foo"]]) ++
        ["is_list(os:getpid())", "is_integer(os:system_time())", "is_integer(os:system_time(second))", "os:system_time(foo)", "os:type()",
         "is_integer(os:perf_counter())", "tuple_size(os:timestamp())", "lists:all(fun({K, V}) -> is_list(K) andalso is_list(V) end, os:env())",
         "is_list(os:getenv())", "os:getenv(\"HOME\")", "is_integer(os:perf_counter(second))"].

shared_state() ->
    Values = ["-1", "1", "1 bsl 63", "1 bsl 64", "-(1 bsl 63)", "-(1 bsl 63) - 1", "(1 bsl 63) - 1", "a", "1.0"],
    [lists:append(["begin A = atomics:new(2, [{signed, ", S, "}]), {t(fun() -> atomics:put(A, 1, ", V, ") end), atomics:get(A, 1), t(fun() -> atomics:",
                   Op, " end), atomics:get(A, 1), atomics:get(A, 2)} end"])
     || S <- ["true", "false"], V <- Values,
        Op <- ["add(A, 1, 1)", "add_get(A, 1, 5)", "sub(A, 1, 1)", "sub_get(A, 1, 7)", "exchange(A, 1, 3)", "compare_exchange(A, 1, " ++ V ++ ", 9)",
               "compare_exchange(A, 1, 4, 9)", "add(A, 3, 1)", "get(A, 0)", "info(A)", "add_get(A, 1, " ++ V ++ ")"]] ++
        [lists:append(["begin A = counters:new(2, ", S, "), {t(fun() -> counters:put(A, 1, ", V, ") end), counters:get(A, 1), t(fun() -> counters:",
                       Op, " end), counters:get(A, 1)} end"])
         || S <- ["[]", "[atomics]", "[write_concurrency]"], V <- Values,
            Op <- ["add(A, 1, 1)", "sub(A, 1, 1)", "add(A, 3, 1)", "add(A, 1, " ++ V ++ ")", "sub(A, 1, " ++ V ++ ")", "get(A, 0)"]] ++
        calls("is_reference(atomics:new", [["1", "0", "-1", "a", "1 bsl 70"], ["[])", "[{signed, true}])", "[x])", "x)"]]) ++
        calls("tuple_size(counters:new", [["1", "0", "-1", "a"], ["[])", "[write_concurrency])", "[x])", "x)"]]) ++
        ["atomics:get(x, 1)", "counters:get(x, 1)", "counters:info(x)", "atomics:info(x)",
         "counters:get({write_concurrency, make_ref()}, 1)", "counters:get({atomics, make_ref()}, 1)",
         "begin ok = persistent_term:put({fathom, k}, [1, 2]), {persistent_term:get({fathom, k}), persistent_term:get({fathom, k}, d), "
         "lists:member({{fathom, k}, [1, 2]}, persistent_term:get()), persistent_term:put({fathom, k}, x), persistent_term:get({fathom, k}), "
         "persistent_term:erase({fathom, k}), persistent_term:erase({fathom, k}), persistent_term:get({fathom, k}, d)} end",
         "persistent_term:get(fathom_none)", "persistent_term:get(fathom_none, 1)"].

facts() ->
    calls("erts_debug:flat_size", [odd_terms() -- ["<<1:3>>", "<<>>", "<<\"abc\">>"]]) ++
        calls("erts_internal:cmp_term", [odd_terms(), ["1", "1.0", "a", "[1.0]", "{1, a}", "#{a => 1.0}"]]) ++
        calls("erts_internal:term_type", [odd_terms() ++ ["make_ref()", "fun lists:map/2", "self()", "w(lists:seq(1, 40))"]]) ++
        ["io:printable_range()", "error_logger:warning_map()", "file:native_name_encoding()", "net_kernel:dflag_unicode_io(self())",
         "net_kernel:dflag_unicode_io(x)", "begin X = [1, 2], erts_debug:same(X, X) end", "erts_debug:size([{1, 2}, 3.0])"].

zlib_streams() ->
    Data = ["[]", "\"abc\"", "<<\"some text, some more text\">>", "binary:copy(<<\"0123456789\">>, 5000)", "rnd_bytes(40000)", "[1, [2], <<3>>]", "x"],
    Packed = ["<<>>", "<<1, 2, 3>>", "zlib:compress(\"abc\")", "zlib:gzip(\"abc\")", "zlib:zip(\"abc\")", "[zlib:gzip(\"a\"), zlib:gzip(\"b\")]",
              "<<(zlib:compress(\"abc\"))/binary, \"more\">>", "binary:part(zlib:compress(\"abcdef\"), 0, 6)", "x"],
    Streams = fun(Init, Steps, End) -> lists:append(["begin Z = zlib:open(), ", Init, ", Out = [", Steps, "], {iolist_to_binary(Out), ", End, ", zlib:close(Z)} end"]) end,
    [C || F <- ["compress", "gzip", "zip"], C <- calls("zlib:" ++ F, [Data])] ++
        [C || F <- ["uncompress", "gunzip", "unzip"], C <- calls("zlib:" ++ F, [Packed])] ++
        [Streams(lists:append(["zlib:deflateInit(Z, ", Level, ")"]), Steps, End)
         || Level <- ["default", "none", "best_speed", "best_compression", "0", "6", "10", "x", "default, deflated, -15, 8, rle", "default, deflated, 31, 9, huffman_only"],
            Steps <- ["zlib:deflate(Z, \"abc\"), zlib:deflate(Z, \"def\", finish)", "zlib:deflate(Z, rnd_bytes(30000), sync), zlib:deflate(Z, \"x\", full), zlib:deflate(Z, [], finish)",
                      "zlib:deflate(Z, \"abc\")", "zlib:deflate(Z, x)", "zlib:deflate(Z, [], x)"],
            End <- ["zlib:deflateEnd(Z)", "begin zlib:deflateReset(Z), zlib:deflate(Z, \"again\", finish) end", "apply(zlib, crc32, [Z])", "zlib:inflateEnd(Z)"]] ++
        [Streams(lists:append(["zlib:inflateInit(Z, ", Bits, ")"]), Steps, End)
         || Bits <- ["15", "-15", "31", "47", "15, reset", "15, error", "7", "x"],
            Steps <- ["zlib:inflate(Z, zlib:compress(\"abc\"))", "zlib:inflate(Z, [zlib:compress(\"abc\"), zlib:compress(\"abc\")])", "zlib:inflate(Z, zlib:gzip(rnd_bytes(70000)))",
                      "zlib:inflate(Z, <<120>>), zlib:inflate(Z, <<1>>)", "zlib:inflate(Z, <<>>)"],
            End <- ["zlib:inflateEnd(Z)", "begin zlib:inflateReset(Z), zlib:inflate(Z, zlib:compress(\"again\")) end", "apply(zlib, crc32, [Z])"]] ++
        ["begin Z = zlib:open(), zlib:deflateInit(Z), A = zlib:deflateSetDictionary(Z, \"abcdef\"), D = zlib:deflate(Z, \"abcdefabc\", finish), Y = zlib:open(), zlib:inflateInit(Y), "
         "{A, D, zlib:inflate(Y, D, [{exception_on_need_dict, false}]), zlib:inflateSetDictionary(Y, \"abcdef\"), zlib:inflate(Y, [])} end",
         "zlib:close(x)", "begin Z = zlib:open(), zlib:close(Z), zlib:close(Z) end", "begin Z = zlib:open(), zlib:deflateInit(Z), zlib:inflateInit(Z) end",
         "begin Z = zlib:open(), {apply(zlib, getBufSize, [Z]), apply(zlib, setBufSize, [Z, 100]), apply(zlib, getBufSize, [Z])} end"].

%% --- OTP's own modules, in Erlang

lists_module() ->
    Lists = ["[]", "[3, 1, 2]", "[1, 1.0, a, {}, [], #{}, <<>>, \"x\"]", "[a|b]", "x", "rnd(60, 7)", "[[1], [2, 3], []]",
             "[{b, 2}, {a, 1}, {b, 1}, {1, x}, {1.0, y}]", "[1, [2, [3|[]]], []]"],
    Unary = ["append", "concat", "droplast", "flatlength", "flatten", "last", "max", "min", "reverse", "sort", "sum", "unzip", "unzip3", "usort",
             "enumerate", "merge", "umerge"],
    WithNumber = ["nth", "nthtail", "split", "duplicate"],
    Funs = ["fun(X) -> X =:= 1 end", "fun(X) -> X end", "fun(X) -> [X, X] end", "fun(X, Y) -> X end", "x",
            "fun(X) when is_integer(X) -> X > 1; (_) -> false end"],
    WithFun = ["all", "any", "dropwhile", "filter", "filtermap", "flatmap", "foreach", "map", "partition", "search", "splitwith", "takewhile"],
    Pairs = ["append", "subtract", "prefix", "suffix", "merge", "umerge", "zip", "delete", "member"],
    [C || F <- Unary, C <- calls("lists:" ++ F, [Lists])] ++
        [C || F <- WithNumber, C <- calls("lists:" ++ F, [["0", "1", "2", "5", "-1", "a"], Lists])] ++
        [C || F <- WithFun, C <- calls("lists:" ++ F, [Funs, Lists])] ++
        [C || F <- Pairs, C <- calls("lists:" ++ F, [Lists, Lists])] ++
        [C || F <- ["keysort", "ukeysort"], C <- calls("lists:" ++ F, [["1", "2", "0", "a"], Lists])] ++
        calls("lists:keydelete", [["a", "1"], ["1", "2", "0"], Lists]) ++
        calls("lists:keytake", [["a", "1"], ["1", "2", "0"], Lists]) ++
        calls("lists:keystore", [["a", "1"], ["1", "2", "0"], Lists, ["{new, 1}", "x"]]) ++
        calls("lists:keyreplace", [["a", "1"], ["1", "2", "0"], Lists, ["{new, 1}", "x"]]) ++
        calls("lists:keymap", [["fun(X) -> {X} end"], ["1", "2"], Lists]) ++
        calls("lists:keymerge", [["1"], ["[]", "[{a, 1}, {c, 2}]"], ["[{b, 1}]", "[]", "x"]]) ++
        calls("lists:foldl", [["fun(X, A) -> [X | A] end", "fun erlang:'+'/2", "x"], ["[]", "0"], Lists]) ++
        calls("lists:foldr", [["fun(X, A) -> [X | A] end", "fun erlang:'+'/2", "x"], ["[]", "0"], Lists]) ++
        calls("lists:mapfoldl", [["fun(X, A) -> {X, [X | A]} end", "x"], ["[]"], Lists]) ++
        calls("lists:mapfoldr", [["fun(X, A) -> {X, [X | A]} end", "x"], ["[]"], Lists]) ++
        calls("lists:seq", [["1", "5", "a"], ["0", "1", "3", "9"]]) ++
        calls("lists:seq", [["1", "5"], ["0", "1", "9"], ["0", "1", "2", "-1", "-2"]]) ++
        calls("lists:sublist", [Lists, ["0", "1", "3", "-1", "a"]]) ++
        calls("lists:sublist", [Lists, ["0", "1", "3"], ["0", "2", "-1"]]) ++
        calls("lists:join", [["x", "[]"], Lists]) ++
        calls("lists:sort", [["fun(A, B) -> A >= B end", "fun(A, B) -> A =< B end", "x"], Lists]) ++
        calls("lists:usort", [["fun(A, B) -> A >= B end", "fun(A, B) -> A =< B end"], Lists]) ++
        calls("lists:merge", [["fun(A, B) -> A =< B end"], ["[1, 3]", "[]"], ["[2, 4]", "x"]]) ++
        calls("lists:merge3", [["[1]"], ["[2, 9]", "[]"], ["[3]"]]) ++ calls("lists:umerge3", [["[1]"], ["[1, 9]", "[]"], ["[3]"]]) ++
        calls("lists:zip3", [["[1, 2]", "[]"], ["[a, b]"], ["[x, y]", "[x]"]]) ++
        calls("lists:zipwith", [["fun(A, B) -> {A, B} end"], ["[1, 2]", "[]"], ["[a, b]", "[]"]]) ++
        calls("lists:zipwith3", [["fun(A, B, D) -> {A, B, D} end"], ["[1, 2]"], ["[a, b]"], ["[x, y]", "[]"]]) ++
        calls("lists:uniq", [Lists]) ++ calls("lists:uniq", [["fun(X) -> is_list(X) end"], Lists]) ++
        calls("lists:rkeymerge", [["1"], ["[{c, 1}]"], ["[{b, 1}]"]]) ++ calls("lists:nthtail", [["1"], ["[1, 2]"]]) ++
        calls("lists:enumerate", [["5", "a"], Lists]) ++ calls("lists:zf", [["fun(X) -> {true, X} end"], Lists]).

maps_module() ->
    Maps = ["#{}", "#{a => 1, b => 2}", "w(lists:seq(1, 100))", "x", "maps:iterator(#{a => 1})"],
    Funs = ["fun(_, V) -> V > 1 end", "fun(K, V) -> {true, {K, V}} end", "fun(_, _) -> false end", "x"],
    %% In which order a large map is walked is not defined: no function may fail in it.
    [C || F <- ["filter", "filtermap", "map", "foreach"], C <- calls("maps:" ++ F, [Funs, Maps]),
          C =/= "maps:filter(fun(K, V) -> {true, {K, V}} end, w(lists:seq(1, 100)))"] ++
        [lists:append(["s(maps:fold(fun(K, V, A) -> [{K, V} | A] end, [], ", M, "))"]) || M <- Maps] ++
        calls("maps:get", [["a", "50", "zz"], Maps, ["d"]]) ++ calls("maps:size", [Maps]) ++
        calls("maps:with", [["[a, 50, zz]", "[]", "x"], Maps]) ++ calls("maps:without", [["[a, 50, zz]", "[]", "x"], Maps]) ++
        calls("maps:update_with", [["a", "50", "zz"], ["fun(V) -> V + 1 end", "x"], Maps]) ++
        calls("maps:update_with", [["a", "50", "zz"], ["fun(V) -> V + 1 end", "x"], ["0"], Maps]) ++
        calls("maps:intersect", [Maps, Maps]) ++ calls("maps:merge_with", [["fun(K, A, B) -> {K, A, B} end"], Maps, Maps]) ++
        calls("maps:intersect_with", [["fun(K, A, B) -> {K, A, B} end"], Maps, Maps]) ++
        calls("maps:groups_from_list", [["fun(X) -> X rem 3 end", "x"], ["lists:seq(1, 50)", "[]", "x"]]) ++
        wrapped("s(maps:to_list(", Maps, "))") ++ wrapped("is_tuple(maps:next(maps:iterator(", Maps, ")))") ++
        ["maps:next(none)", "maps:next(x)", "maps:next(maps:iterator(#{a => 1}))",
         "begin F = fun F(none, A) -> s(A); F({K, V, I}, A) -> F(maps:next(I), [{K, V} | A]) end, F(maps:next(maps:iterator(w(lists:seq(1, 5000)))), []) end",
         "length(maps:to_list(w(lists:seq(1, 20000))))"].

string_module() ->
    Strings = ["\"\"", "\"abc\"", "\"Hello World\"", "<<\"Hello, World\">>", "[\"a\", <<\"b\">>, $c]", "[229, $a, 778, 8364]", "\" \\t trim me \\n\"",
               "a", "\"a,b,,c\"", "[128104, 8205, 128105]", "[$e, 769, $x]", "<<255>>", "[a]"],
    [C || F <- ["length", "to_graphemes", "reverse", "trim", "uppercase", "lowercase", "titlecase", "casefold", "is_empty", "next_codepoint",
                "next_grapheme", "to_integer", "to_float", "chomp", "len", "strip", "to_upper", "to_lower", "words"],
          C <- calls("string:" ++ F, [Strings])] ++
        [C || F <- ["equal", "prefix", "split", "lexemes", "find", "take", "concat", "str", "rstr", "tokens", "span", "cspan", "jaro_similarity"] --
                  ["jaro_similarity"],
              C <- calls("string:" ++ F, [Strings, ["\"a\"", "\", \"", "\"\"", "<<\"o\">>", "x"]])] ++
        calls("string:slice", [Strings, ["0", "1", "20", "-1"]]) ++ calls("string:slice", [Strings, ["0", "1"], ["0", "2", "infinity", "x"]]) ++
        calls("string:pad", [Strings, ["5"], ["leading", "trailing", "both"], ["$*"]]) ++ calls("string:pad", [Strings, ["2", "8", "x"]]) ++
        calls("string:trim", [Strings, ["leading", "trailing", "both", "x"], ["\" \"", "\"ab\""]]) ++
        calls("string:split", [Strings, ["\",\"", "\"o\""], ["leading", "trailing", "all", "x"]]) ++
        calls("string:find", [Strings, ["\"o\"", "\"b\""], ["leading", "trailing"]]) ++
        calls("string:replace", [Strings, ["\"o\"", "\",\""], ["\"X\""], ["all", "leading"]]) ++
        calls("string:equal", [Strings, ["\"ABC\"", "[229]", "[$a, 778]"], ["true"], ["none", "nfc"]]) ++
        calls("string:nth_lexeme", [Strings, ["1", "2"], ["\" ,\""]]) ++ calls("string:join", [["[\"a\", \"b\"]", "[]"], ["\", \""]]) ++
        calls("string:substr", [["\"hello\"", "x"], ["1", "3", "0"], ["2", "0"]]) ++ calls("string:copies", [["\"ab\""], ["0", "3"]]) ++
        calls("string:centre", [["\"ab\""], ["6", "1"]]) ++ calls("string:chars", [["$a"], ["3", "0"]]) ++
        calls("string:left", [["\"ab\""], ["6", "1"]]) ++ calls("string:right", [["\"ab\""], ["6", "1"]]) ++
        calls("string:chr", [["\"abca\""], ["$a", "$z"]]) ++ calls("string:rchr", [["\"abca\""], ["$a", "$z"]]).

binary_module() ->
    calls("binary:replace", [["<<\"a,b,c\">>", "<<>>", "x"], ["<<\",\">>", "[<<\"a\">>, <<\"c\">>]", "<<>>"], ["<<\"-\">>", "fun(B) -> <<\"[\", B/binary, \"]\">> end", "x"],
                             ["[]", "[global]", "[{insert_replaced, 0}]", "[global, {insert_replaced, 1}]", "[x]", "[{scope, {2, 3}}]"]]) ++
        calls("binary:bin_to_list", [["<<\"abcdef\">>", "x"], ["0", "2", "7"], ["0", "3", "-2"]]) ++
        calls("binary:encode_hex", [["<<\"abc\", 255>>", "<<>>", "x", "<<1:3>>"]]) ++ calls("binary:decode_hex", [["<<\"61fF\">>", "<<\"6\">>", "<<\"zz\">>", "x"]]) ++
        calls("binary:encode_hex", [["<<171, 205>>"], ["uppercase", "lowercase", "x"]]).

%% A container filled, asked and emptied.
containers() ->
    Steps = [{"orddict", ["orddict:from_list([{b, 2}, {a, 1}])", "orddict:store(c, 3, orddict:from_list([{b, 2}]))", "orddict:fetch(z, [])",
                          "orddict:update(a, fun(X) -> X + 1 end, [{a, 1}])", "orddict:append(k, v, [])", "orddict:merge(fun(_, A, B) -> A + B end, [{a, 1}], [{a, 2}, {b, 3}])",
                          "orddict:fold(fun(K, V, A) -> [{K, V} | A] end, [], [{a, 1}, {b, 2}])", "orddict:filter(fun(_, V) -> V > 1 end, [{a, 1}, {b, 2}])",
                          "orddict:take(a, [{a, 1}])", "orddict:erase(a, [{a, 1}])", "orddict:update_counter(a, 5, [])", "orddict:is_key(a, [{a, 1}])"]},
             {"dict", ["s(dict:to_list(dict:from_list([{K, K * 2} || K <- lists:seq(1, 200)])))", "dict:fetch(z, dict:new())",
                       "dict:size(dict:erase(3, dict:from_list([{K, K} || K <- lists:seq(1, 50)])))", "s(dict:fetch_keys(dict:from_list([{a, 1}, {b, 2}])))",
                       "s(dict:to_list(dict:map(fun(_, V) -> V + 1 end, dict:from_list([{a, 1}, {b, 2}]))))", "dict:find(a, dict:from_list([{a, 1}]))",
                       "s(dict:to_list(dict:merge(fun(_, A, B) -> {A, B} end, dict:from_list([{a, 1}]), dict:from_list([{a, 2}, {c, 3}]))))",
                       "dict:from_list([{K, K} || K <- lists:seq(1, 100)]) =:= dict:from_list([{K, K} || K <- lists:seq(1, 100)])", "dict:from_list([{a, 1}, {b, 2}])",
                       "dict:from_list([{K, {K}} || K <- lists:seq(1, 40)])", "dict:take(a, dict:from_list([{a, 1}]))", "dict:append(a, 1, dict:from_list([{a, x}]))"]},
             {"gb_trees", ["gb_trees:from_orddict([{K, K} || K <- lists:seq(1, 20)])", "gb_trees:to_list(gb_trees:insert(5, x, gb_trees:empty()))",
                           "gb_trees:insert(5, x, gb_trees:enter(5, y, gb_trees:empty()))", "gb_trees:get(1, gb_trees:empty())", "gb_trees:lookup(1, gb_trees:enter(1, a, gb_trees:empty()))",
                           "lists:foldl(fun(K, T) -> gb_trees:enter(K, K, T) end, gb_trees:empty(), rnd(300, 3))",
                           "gb_trees:balance(lists:foldl(fun(K, T) -> gb_trees:enter(K, K, T) end, gb_trees:empty(), rnd(300, 3)))",
                           "gb_trees:take_smallest(gb_trees:from_orddict([{1, a}, {2, b}]))", "gb_trees:take_largest(gb_trees:from_orddict([{1, a}, {2, b}]))",
                           "gb_trees:next(gb_trees:iterator(gb_trees:from_orddict([{1, a}, {2, b}])))", "gb_trees:delete(9, gb_trees:empty())",
                           "gb_trees:map(fun(K, V) -> {K, V} end, gb_trees:from_orddict([{1, a}]))", "gb_trees:keys(gb_trees:from_orddict([{1, a}, {2, b}]))"]},
             {"gb_sets", ["gb_sets:from_list(rnd(200, 5))", "gb_sets:to_list(gb_sets:union(gb_sets:from_list([1, 2]), gb_sets:from_list([2, 3])))",
                          "gb_sets:to_list(gb_sets:intersection([gb_sets:from_list([1, 2]), gb_sets:from_list([2, 3])]))", "gb_sets:is_subset(gb_sets:from_list([1]), gb_sets:from_list([1, 2]))",
                          "gb_sets:to_list(gb_sets:subtract(gb_sets:from_list(lists:seq(1, 50)), gb_sets:from_list(lists:seq(10, 40))))", "gb_sets:delete(1, gb_sets:empty())",
                          "gb_sets:smallest(gb_sets:empty())", "gb_sets:take_largest(gb_sets:from_list([3, 1, 2]))", "gb_sets:fold(fun erlang:'+'/2, 0, gb_sets:from_list([1, 2, 3]))",
                          "gb_sets:filter(fun(X) -> X rem 2 =:= 0 end, gb_sets:from_list(lists:seq(1, 20)))"]},
             {"sets", ["s(sets:to_list(sets:from_list(rnd(100, 9))))", "s(sets:to_list(sets:from_list(rnd(100, 9), [{version, 2}])))", "sets:size(sets:from_list(rnd(100, 9)))",
                       "sets:is_element(a, sets:from_list([a]))", "s(sets:to_list(sets:union([sets:from_list([1]), sets:from_list([2])])))",
                       "sets:from_list(lists:seq(1, 30))", "sets:from_list([a, b], [{version, 2}])", "s(sets:to_list(sets:subtract(sets:from_list([1, 2]), sets:from_list([2]))))",
                       "sets:is_disjoint(sets:from_list([1]), sets:from_list([2]))", "s(sets:to_list(sets:filter(fun(X) -> X > 1 end, sets:from_list([1, 2, 3]))))"]},
             {"ordsets", ["ordsets:from_list([3, 1, 2, 1])", "ordsets:union([[1, 2], [2, 3], [0]])", "ordsets:intersection([1, 2], [2])", "ordsets:subtract([1, 2], [2])",
                          "ordsets:add_element(2, [1, 3])", "ordsets:is_subset([1], [1, 2])", "ordsets:del_element(2, [1, 2])", "ordsets:is_disjoint([1], [2])"]},
             {"queue", ["queue:to_list(queue:in(3, queue:from_list([1, 2])))", "queue:out(queue:from_list([1, 2, 3, 4]))", "queue:out_r(queue:from_list([1, 2, 3]))", "queue:get(queue:new())",
                        "queue:split(2, queue:from_list([1, 2, 3]))", "queue:reverse(queue:from_list([1, 2, 3]))", "queue:peek(queue:new())", "queue:len(queue:from_list(lists:seq(1, 99)))",
                        "queue:filter(fun(X) -> X > 1 end, queue:from_list([1, 2, 3]))", "queue:join(queue:from_list([1]), queue:from_list([2]))", "queue:in(1, x)",
                        "queue:fold(fun erlang:'+'/2, 0, queue:from_list([1, 2, 3]))", "queue:delete(2, queue:from_list([1, 2, 3]))", "queue:member(2, queue:from_list([1, 2, 3]))"]},
             {"array", ["array:to_list(array:from_list(lists:seq(1, 50)))", "array:get(100, array:new())", "array:set(20, x, array:new())", "array:get(-1, array:new())",
                        "array:size(array:set(99, x, array:new()))", "array:sparse_to_orddict(array:set(99, x, array:new()))", "array:new(5, fixed)", "array:set(9, a, array:new(5, fixed))",
                        "array:map(fun(I, V) -> {I, V} end, array:from_list([a, b]))", "array:foldl(fun(I, V, A) -> [{I, V} | A] end, [], array:from_list([a, b]))",
                        "array:resize(3, array:from_list([1, 2, 3, 4, 5]))", "array:reset(1, array:from_list([1, 2, 3]))", "array:from_orddict([{1, a}, {7, b}])", "array:new(x)"]},
             {"proplists", ["proplists:get_value(a, [a, {b, 2}])", "proplists:get_value(b, [a, {b, 2}])", "proplists:get_value(z, [], d)", "proplists:get_all_values(a, [{a, 1}, a, {a, 2}])",
                            "proplists:get_bool(a, [{a, true}])", "proplists:lookup(a, [{a, 1, 2}])", "proplists:delete(a, [a, {a, 1}, b])", "proplists:compact([{a, true}, {b, 1}])",
                            "proplists:unfold([a, {b, 1}])", "proplists:normalize([a, {no_b, true}], [{negations, [{no_b, b}]}])", "proplists:split([a, {b, 1}, c], [a, b])",
                            "proplists:to_map([a, {b, 1}, {b, 2}])", "proplists:get_value(a, x)", "proplists:expand([{foo, [bar]}], [foo, baz])", "proplists:get_keys([a, {a, 1}, {b, 2}])"]},
             {"sofs", ["sofs:to_external(sofs:family_union(sofs:family([{a, [[1], [2]]}])))", "sofs:to_external(sofs:relation([{1, a}, {2, b}]))", "sofs:to_external(sofs:converse(sofs:relation([{1, a}, {2, b}])))",
                       "sofs:to_external(sofs:union(sofs:set([1, 2]), sofs:set([2, 3])))", "sofs:to_external(sofs:relation_to_family(sofs:relation([{a, 1}, {a, 2}, {b, 3}])))",
                       "sofs:to_external(sofs:powerset(sofs:set([1, 2, 3])))", "sofs:set(x)", "sofs:to_external(sofs:product(sofs:set([1, 2]), sofs:set([a])))",
                       "sofs:to_external(sofs:restriction(sofs:relation([{1, a}, {2, b}]), sofs:set([1])))", "sofs:type(sofs:set([a]))", "sofs:to_external(sofs:partition([sofs:set([a, b]), sofs:set([b, c])]))"]}],
    lists:append([Texts || {_, Texts} <- Steps]).

text_modules() ->
    calls("base64:encode", [["<<>>", "<<\"a\">>", "\"ab\"", "<<\"abc\", 255, 254>>", "x", "[256]"]]) ++
        calls("base64:decode", [["<<>>", "<<\"YQ==\">>", "\"YWI=\"", "<<\"YWJj//4=\">>", "<<\"!\">>", "\" Y Q = = \"", "<<\"Y\">>", "x"]]) ++
        calls("base64:mime_decode", [["<<\"Y!W J j\">>", "\"YQ\"", "<<\"YQ===\">>"]]) ++ calls("base64:encode_to_string", [["\"hello\"", "<<1, 2, 3>>"]]) ++
        calls("base64:decode_to_string", [["\"aGVsbG8=\"", "\"?\""]]) ++
        calls("calendar:date_to_gregorian_days", [["{2024, 2, 29}", "{2023, 2, 29}", "{0, 1, 1}", "{1970, 1, 1}", "x"]]) ++
        calls("calendar:day_of_the_week", [["{2024, 2, 29}", "{1999, 12, 31}", "{1999, 13, 31}"]]) ++ calls("calendar:is_leap_year", [["1900", "2000", "2024", "-1"]]) ++
        calls("calendar:gregorian_days_to_date", [["0", "738000", "-1"]]) ++ calls("calendar:gregorian_seconds_to_datetime", [["0", "63000000000"]]) ++
        calls("calendar:datetime_to_gregorian_seconds", [["{{2024, 1, 2}, {3, 4, 5}}", "{{2024, 1, 32}, {3, 4, 5}}"]]) ++ calls("calendar:iso_week_number", [["{2021, 1, 3}", "{2020, 12, 31}"]]) ++
        calls("calendar:valid_date", [["{2023, 2, 28}", "{2023, 2, 29}", "{2023, a, 1}"]]) ++ calls("calendar:last_day_of_the_month", [["2024", "2023"], ["2", "12", "13"]]) ++
        calls("calendar:rfc3339_to_system_time", [["\"2018-02-01T16:17:58+01:00\"", "\"2018-02-01 15:18:02Z\"", "\"x\""]]) ++
        calls("calendar:system_time_to_rfc3339", [["0", "1517498278"], ["[{offset, \"+02:00\"}]", "[{offset, \"Z\"}, {time_designator, 32}]"]]) ++
        calls("calendar:seconds_to_time", [["0", "86399", "86400"]]) ++ calls("calendar:seconds_to_daystime", [["100000", "-1"]]) ++ calls("calendar:time_to_seconds", [["{1, 2, 3}", "{24, 0, 0}"]]) ++
        calls("calendar:time_difference", [["{{2020, 1, 1}, {0, 0, 0}}"], ["{{2020, 1, 2}, {1, 0, 0}}"]]) ++
        calls("uri_string:parse", [["\"foo://user@host:80/p/a?q=1#f\"", "<<\"foo://ex.com:8042/over/there\">>", "\"%zz\"", "\"mailto:a@b\"", "\"//h/p\"", "\"\"", "\"foo://[::1]/\"", "\"foo://h:x/\""]]) ++
        calls("uri_string:normalize", [["\"/a/b/c/./../../g\"", "\"HTTP://EX.example.com:80/%7Ea\"", "<<\"foo://example.com/a/../b\">>"]]) ++
        calls("uri_string:resolve", [["\"../g\"", "\"?y\"", "\"g;x=1/../y\""], ["\"foo://a/b/c/d;p?q\""]]) ++
        calls("uri_string:recompose", [["#{host => \"h\", path => \"/p\", scheme => \"s\"}", "#{path => \"x y\"}", "x"]]) ++
        calls("uri_string:compose_query", [["[{\"a\", \"1\"}, {\"b c\", \"&\"}]", "[{<<\"a\">>, true}]", "[]"]]) ++ calls("uri_string:dissect_query", [["\"a=1&b+c=%26\"", "\"\"", "<<\"a=%zz\">>"]]) ++
        calls("uri_string:quote", [["\"a b/c\"", "<<\"ä\">>"]]) ++ calls("uri_string:unquote", [["\"a%20b\"", "<<\"%C3%A4\">>"]]) ++ calls("uri_string:transcode", [["<<\"foo%20bar\">>"], ["[{in_encoding, utf8}, {out_encoding, utf32}]"]]) ++
        calls("filename:join", [["\"a\"", "\"/a/\"", "<<\"x\">>"], ["\"b\"", "\"/b\"", "\"../c\""]]) ++ calls("filename:basename", [["\"/a/b.erl\"", "\"a/\"", "<<\"x/y\">>"]]) ++
        calls("filename:extension", [["\"/a/b.erl\"", "\"b\"", "\"a.b/c\""]]) ++ calls("filename:dirname", [["\"/a/b.erl\"", "\"b\"", "\"/\""]]) ++ calls("filename:split", [["\"/a/b\"", "\"a//b\"", "<<\"a/b\">>"]]) ++
        calls("erl_scan:string", [["\"foo(X) -> X + 1.\"", "\"'a\"", "\"1.5e3 16#ff $a \\\"s\\\" % c\\n\""]]) ++
        calls("erl_anno:new", [["1", "{1, 2}"]]) ++
        ["begin {ok, T, _} = erl_scan:string(\"{a, [1, 2.5], <<1:3>>, \\\"s\\\", #{k => v}}.\"), erl_parse:parse_term(T) end",
         "begin {ok, T, _} = erl_scan:string(\"f(X) when X > 1 -> [Y || Y <- X]; f(_) -> ok.\"), erl_parse:parse_form(T) end",
         "begin {ok, T, _} = erl_scan:string(\"A + B * 2.\"), {ok, E} = erl_parse:parse_exprs(T), {value, V, _} = erl_eval:exprs(E, [{'A', 1}, {'B', 5}]), V end",
         "begin {ok, T, _} = erl_scan:string(\"lists:map(fun(X) -> X * 2 end, [1,2,3]).\"), {ok, E} = erl_parse:parse_exprs(T), {value, V, _} = erl_eval:exprs(E, []), V end",
         "begin S = rand:seed_s(exsss, {1, 2, 3}), {V, _} = rand:uniform_s(1000000, S), V end",
         "begin S = rand:seed_s(exrop, 42), {L, _} = lists:mapfoldl(fun(_, A) -> rand:uniform_s(100, A) end, S, lists:seq(1, 20)), L end",
         "begin S = rand:seed_s(exro928ss, 42), {L, _} = lists:mapfoldl(fun(_, A) -> rand:uniform_s(A) end, S, lists:seq(1, 20)), L end",
         "begin S = rand:seed_s(mwc59, 42), {L, _} = lists:mapfoldl(fun(_, A) -> rand:normal_s(A) end, rand:seed_s(exsp, 7), lists:seq(1, 20)), L end",
         "erl_pp:expr({op, 1, '+', {integer, 1, 1}, {var, 1, 'X'}})", "erl_parse:abstract({a, [1, 2], \"s\", <<1>>})",
         "random:seed0()", "string:jaro_similarity(\"a\", \"b\")"].

io_lib_format() ->
    Terms = ["1", "-17", "1.5", "1.0e100", "1.0e-10", "0.1", "a", "'hello world'", "\"str\"", "[1, 2, 3]", "[a|b]", "{a, {b, \"c\"}}", "#{a => 1}", "<<1, 2, 3>>",
             "<<\"bin\">>", "<<5:3>>", "[1072, 1073]", "<<208, 176>>", "lists:seq(1, 60)", "[]", "{}", "1 bsl 100", "[{k, lists:seq(1, 20)}, {l, \"text\"}]", "'A'", "[0, 1, 200]", "$a",
             "#{[1] => {x}, b => #{}}", "list_to_tuple(lists:seq(1, 40))", "[[[[[a]]]]]", "\"\\n\\t\""],
    Formats = ["~p", "~w", "~tp", "~tw", "~P", "~W", "~30p", "~0p", "~s", "~ts", "~20s", "~-20s|", "~.3s", "~c", "~b", "~B", "~.16b", "~.16#", "~x", "~f", "~.2f", "~10.3f", "~e", "~.3e", "~g",
               "~i~p", "~10w", "~-10w|", "~10.5.*w", "~5c", "~lp", "~tc", "~.36B", "~+b", "~q", "~"],
    [lists:append(["f(\"", F, "\", [", T, E, "])"]) || T <- Terms, F <- Formats, E <- extra_arguments(F)] ++
        calls("io_lib:write", [Terms]) ++ calls("io_lib:print", [Terms]) ++ calls("io_lib:print", [Terms, ["1"], ["20"], ["5"]]) ++ calls("io_lib:write_atom", [["a", "'B c'", "''", "1"]]) ++
        calls("io_lib:fread", [["\"~d ~s\"", "\"~f\"", "\"~x\"", "\"~a~c\""], ["\"12 abc\"", "\"1.5\"", "\"\"", "\"xyz\""]]) ++ calls("io_lib:printable_list", [Terms]) ++ calls("io_lib:char_list", [Terms]) ++
        calls("io_lib:printable_unicode_list", [Terms]) ++ calls("io_lib:deep_char_list", [Terms]) ++ calls("io_lib:quote_atom", [["a"], ["\"a\"", "\"A\""]]) ++
        ["f(\"a~nb~~\", [])", "f(\"~p\", [])", "f(\"~p~p\", [1])", "f(\"abc\", [1])", "f(a, [])", "f(\"~*c\", [3, $x])", "f(\"~*.*f\", [10, 2, 3.14159])", "f(\"~s ~w ~p\", [\"a\", b, {c}])", "f(<<\"~p\">>, [1])",
         "io_lib:format(\"~p\", [#{1 => 2, a => [b]}])", "f(\"~kp\", [#{b => 1, a => 2}])", "f(\"~80p\", [lists:duplicate(30, some_atom)])", "io_lib:format_prompt(x)", "io_lib:nl()", "io_lib:indentation(\"ab\\tc\", 0)"].

extra_arguments("~P") -> [", 3", ", 20"];
extra_arguments("~W") -> [", 3", ", 20"];
extra_arguments("~x") -> [", \"pre\""];
extra_arguments("~i~p") -> [", z"];
extra_arguments("~10.5.*w") -> [""];
extra_arguments(_) -> [""].

big_inputs() ->
    ["lists:sort(rnd(20000, 1))", "lists:usort(rnd(20000, 2))", "lists:keysort(1, [{X, Y} || X <- rnd(2000, 3), Y <- [1, 2]])", "lists:sort(fun(A, B) -> A > B end, rnd(5000, 4))",
     "lists:foldl(fun(X, A) -> X + A end, 0, lists:seq(1, 200000))", "length(lists:flatten(lists:duplicate(300, lists:duplicate(100, [a, [b]]))))", "erlang:phash2(lists:sort(rnd(50000, 9)))",
     "byte_size(unicode:characters_to_binary(lists:duplicate(100000, 8364)))", "length(binary:matches(binary:copy(<<\"ab,\">>, 50000), <<\",\">>))",
     "length(binary:split(binary:copy(<<\"ab,\">>, 20000), <<\",\">>, [global]))", "maps:size(w(rnd(20000, 5)))", "gb_sets:size(gb_sets:from_list(rnd(20000, 6)))",
     "length(string:lexemes(binary_to_list(binary:copy(<<\"ab cd\">>, 3000)), \" \"))", "length(re:split(binary:copy(<<\"ab,\">>, 3000), \",\"))",
     "lists:sum(lists:map(fun(X) -> X * X end, lists:filter(fun(X) -> X rem 3 =:= 0 end, lists:seq(1, 100000))))", "length(lists:foldl(fun(_, A) -> [A] end, [], lists:seq(1, 100000)))",
     "erts_debug:flat_size(lists:foldl(fun(_, A) -> {A} end, [], lists:seq(1, 100000)))", "unicode:characters_to_list(lists:foldl(fun(_, A) -> [A, $a] end, [], lists:seq(1, 3000)))",
     "array:foldl(fun(_, V, A) -> V + A end, 0, array:from_list(lists:seq(1, 20000)))", "dict:size(lists:foldl(fun(K, D) -> dict:store(K, K, D) end, dict:new(), rnd(20000, 8)))"].
