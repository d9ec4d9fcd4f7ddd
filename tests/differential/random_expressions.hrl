%% The second half of random_module.hrl: patterns, guards, and the expressions of
%% each type.

%% --- patterns

%% Names of variables that a fun's head or a generator may bind anew stand in the
%% process dictionary under `shadow`, those bound in the pattern so far under `new`.
one_pattern(T, D, Scope) ->
    {[Text], New} = patterns([T], D, Scope, fun pattern/3),
    {Text, New}.

patterns(Types, D, Scope, Pattern) ->
    put(new, []),
    Texts = [Pattern(T, D, Scope) || T <- Types],
    {Texts, erase(new)}.

new_variable(T) ->
    V = case get(shadow) of
            [_ | _] = Names -> case chance(4) of true -> pick(Names); false -> fresh() end;
            _ -> fresh()
        end,
    New = get(new),
    put(new, [{V, T} | lists:keydelete(V, 1, New)]),
    V.

plain_pattern(T, _, _) -> new_variable(T).

pattern(T, D, Scope) ->
    case rand:uniform(12) of
        1 -> "_";
        N when N =< 4; D =< 0 -> case chance(3) of true -> literal_pattern(T); false -> new_variable(T) end;
        5 -> known_variable(T, Scope);
        6 -> [new_variable(T), " = ", structure(T, D, Scope)];
        7 -> [shape(T), structure(T, D, Scope)];
        _ -> structure(T, D, Scope)
    end.

%% Binaries cannot be matched in parallel: so this is only as deep as needed.
shape(T) when T =:= list; T =:= ints -> pick(["[_ | _] = ", "[_, _] = ", "[_ | [_ | _]] = "]);
shape(tuple) -> pick(["{_, _} = ", "{_, _, _} = ", "#r{} = ", "{ok, _} = "]);
shape(map) -> pick(["#{} = ", "#{a := _} = "]);
shape(T) -> [new_variable(T), " = "].

known_variable(T, Scope) ->
    case [V || {V, Of} <- get(new) ++ Scope, fits(Of, T)] of
        [] -> "_";
        Vars -> pick(Vars)
    end.

literal_pattern(T) when T =:= map; T =:= any; T =:= rec; T =:= list; T =:= tuple; T =:= bits; T =:= bin -> "_";
literal_pattern(T) -> literal(T).

structure(T, D, Scope) ->
    P = fun(Of) -> pattern(Of, D - 1, Scope) end,
    %% What stands in a pattern must be made only if it is picked: it binds variables.
    Filled = fun(Shapes) -> [case Part of {T1} -> P(T1); _ -> Part end || Part <- pick(Shapes)] end,
    case T of
        int -> case chance(2) of true -> pick([literal(int), "1 + 2", "-(3)", "$a", "1 bsl 70"]); false -> new_variable(int) end;
        bool -> literal(bool);
        atom -> literal(atom);
        float -> case chance(2) of true -> literal(float); false -> new_variable(float) end;
        str -> Filled([["[]"], ["\"abc\""], ["\"a\" ++ ", {str}], ["[", {int}, " | ", {str}, "]"]]);
        ints -> Filled([["[]"], ["[", {int}, " | ", {ints}, "]"], ["[", {int}, ", ", {int}, " | ", {ints}, "]"]]);
        list -> Filled([["[]"], ["[", {any}, "]"], ["[", {any}, " | ", {list}, "]"], ["[", {any}, ", ", {any}, " | ", {any}, "]"],
                        ["[{", {atom}, ", ", {any}, "} | ", {list}, "]"]]);
        tuple -> Filled([["{}"], ["{", {any}, "}"], ["{", {atom}, ", ", {any}, "}"], ["{", {any}, ", ", {any}, ", ", {any}, "}"],
                         ["#r{a = ", {any}, "}"]]);
        map -> Filled([["#{}"], ["#{a := ", {any}, "}"], ["#{a := ", {any}, ", 1 := ", {any}, "}"],
                       ["#{", map_key(Scope), " := ", {any}, "}"], ["#{{a} := ", {any}, ", \"k\" := ", {map}, "}"]]);
        rec -> Filled([["#r{a = ", {any}, "}"], ["#r{c = ", {any}, ", b = ", {any}, "}"], ["#r{}"],
                       ["#s{e = ", {any}, ", d = ", {list}, "}"], ["#r{_ = ", {any}, "}"]]);
        bin -> segments_pattern(Scope);
        bits -> segments_pattern(Scope);
        any -> structure(pick([int, atom, str, list, list, tuple, tuple, map, rec, bin]), D, Scope)
    end.

map_key(Scope) ->
    case [V || {V, T} <- Scope, T =:= int orelse T =:= atom] of
        [] -> literal(atom);
        Vars -> pick([pick(Vars), "1 + 1", "{1, x}"])
    end.

%% Segments as a pattern; some take their size from what came before.
segments_pattern(Scope) ->
    Rest = case rand:uniform(6) of
               1 -> [[new_variable(bits), "/bitstring"]];
               2 -> [[new_variable(bin), "/binary"]];
               3 -> [pick(["_/bits", "_/binary"])];
               _ -> []
           end,
    segments_pattern([], Rest, Scope).

segments_pattern(First, Last, Scope) ->
    Sizes = [V || {V, int} <- Scope],
    {Texts, _} = lists:mapfoldl(fun(_, Known) -> segment_pattern(Known) end, Sizes, lists:seq(1, pick([0, 1, 1, 2, 3]))),
    ["<<", lists:join(", ", First ++ Texts ++ Last), ">>"].

segment_pattern(Known) ->
    case rand:uniform(14) of
        N when N =< 3 -> V = new_variable(int), {V, [V | Known]};
        N when N =< 6 ->
            V = new_variable(int),
            {[V, ":", segment_size(Known), "/", integer_options()], [V | Known]};
        7 -> {[new_variable(float), ":", pick(["16", "32", "64"]), "/float", pick(["", "-little", "-native"])], Known};
        8 -> {[new_variable(int), "/utf8"], Known};
        9 -> {[new_variable(int), "/utf16", pick(["", "-little"])], Known};
        10 -> {[new_variable(int), "/utf32", pick(["", "-little"])], Known};
        11 -> {[new_variable(bin), ":", segment_size(Known), "/binary", pick(["", "-unit:4", "-unit:1"])], Known};
        12 -> {[new_variable(bits), ":", segment_size(Known), pick(["/bits", "/binary-unit:3"])], Known};
        13 -> {pick(["\"a\"", "1", "255", "_:4", "_", "0:3", "\"ab\"/utf16", "$a/utf8", "1:8/little", "_/utf8"]), Known};
        14 -> {pick(["1.0/float", "-1:8/signed", "300", "0:0", "_:1/binary"]), Known}
    end.

segment_size(Known) ->
    case Known of
        [_ | _] -> case chance(2) of true -> known_size(pick(Known)); false -> fixed_size() end;
        [] -> fixed_size()
    end.

known_size(V) -> pick([V, ["(", V, " band 15)"], ["(", V, " rem 9)"], ["(", V, " - 1)"]]).
fixed_size() -> pick(["0", "1", "2", "3", "4", "7", "8", "9", "12", "16", "24", "32", "63", "64", "65", "100"]).

integer_options() ->
    lists:join("-", ["integer" | [pick(["signed", "unsigned"]) || chance(2)]] ++ [pick(["little", "big", "native"]) || chance(2)]
               ++ [["unit:", pick(["1", "2", "8"])] || chance(4)]).

%% --- guards

guard(Scope) -> case chance(3) of true -> [" when ", guard_tests(Scope)]; false -> "" end.

guard_tests(Scope) ->
    lists:join("; ", repeat(pick([1, 1, 1, 2]), fun() -> lists:join(", ", repeat(pick([1, 1, 2]), fun() -> test(2, Scope) end)) end)).

test(D, Scope) ->
    G = fun(T) -> guard_expression(T, D - 1, Scope) end,
    case rand:uniform(14) of
        N when N =< 4 -> T = pick(?TYPES), ["(", G(T), " ", pick(["==", "=/=", "=:=", "/=", "<", "=<", ">", ">="]), " ", G(T), ")"];
        N when N =< 6 -> [pick(["is_atom", "is_integer", "is_float", "is_number", "is_list", "is_tuple", "is_map", "is_binary",
                                "is_bitstring", "is_boolean", "is_function", "is_pid", "is_reference"]), "(", G(any), ")"];
        7 when D > 0 -> ["(", test(D - 1, Scope), pick([" andalso ", " orelse ", " and ", " or ", " xor "]), test(D - 1, Scope), ")"];
        8 when D > 0 -> ["not (", test(D - 1, Scope), ")"];
        9 -> ["is_record(", G(rec), ", r)"];
        10 -> ["is_map_key(", G(any), ", ", G(map), ")"];
        11 -> ["is_function(", G(any), ", ", G(int), ")"];
        12 -> G(bool);
        13 when D > 0 -> ["(", test(D - 1, Scope), pick([" andalso ", " orelse "]), test(D - 1, Scope),
                          pick([" andalso ", " orelse "]), test(D - 1, Scope), ")"];
        _ -> ["is_integer(", G(int), ")"]
    end.

guard_expression(T, D, Scope) when D =< 0 -> leaf(T, Scope);
guard_expression(T, D, Scope) ->
    G = fun(Of) -> guard_expression(Of, D - 1, Scope) end,
    case {T, rand:uniform(3)} of
        {_, 1} -> leaf(T, Scope);
        {int, _} -> pick([["(", G(int), pick([" + ", " - ", " * ", " div ", " rem ", " band ", " bor ", " bxor "]), G(int), ")"],
                          ["length(", G(list), ")"], ["byte_size(", G(bin), ")"], ["bit_size(", G(bits), ")"],
                          ["tuple_size(", G(tuple), ")"], ["map_size(", G(map), ")"], ["size(", G(tuple), ")"], ["abs(", G(int), ")"],
                          ["round(", G(float), ")"], ["trunc(", G(float), ")"], ["hd(", G(ints), ")"], ["element(1, ", G(tuple), ")"],
                          ["map_get(a, ", G(map), ")"], ["(- ", G(int), ")"], ["(bnot ", G(int), ")"]]);
        {float, _} -> pick([["(", G(float), pick([" + ", " - ", " * ", " / "]), G(float), ")"], ["float(", G(int), ")"]]);
        {bool, _} -> ["(", G(int), " > ", G(int), ")"];
        {list, _} -> pick([["tl(", G(list), ")"], ["[", G(any), " | ", G(list), "]"]]);
        {tuple, _} -> ["{", G(any), ", ", G(any), "}"];
        {map, _} -> ["#{a => ", G(any), "}"];
        {bin, _} -> pick([["<<", G(int), ":8>>"], ["binary_part(", G(bin), ", 0, 1)"], "<<\"abc\">>"]);
        {any, _} -> pick([["hd(", G(list), ")"], ["element(", G(int), ", ", G(tuple), ")"], ["map_get(", G(any), ", ", G(map), ")"],
                          [variable(rec, Scope), "#r.", pick(["a", "b"])], "self()", "node()"]);
        {_, _} -> leaf(T, Scope)
    end.

%% A variable if there is one, else something in parentheses.
variable(T, Scope) ->
    case [V || {V, Of} <- Scope, fits(Of, T)] of
        [] -> ["(", literal(T), ")"];
        Vars -> pick(Vars)
    end.

%% --- expressions of each type

special(T, D, Scope) ->
    E = fun(Of) -> e(Of, D - 1, Scope) end,
    case T of
        int -> int_expression(E);
        float -> float_expression(E);
        atom -> atom_expression(E);
        bool -> bool_expression(E, D, Scope);
        bin -> bin_expression(E, D, Scope);
        bits -> bits_expression(E, D, Scope);
        str -> str_expression(E);
        ints -> ints_expression(E, D, Scope);
        list -> list_expression(E, D, Scope);
        tuple -> tuple_expression(E);
        map -> map_expression(E, D, Scope);
        rec -> rec_expression(E);
        any -> any_expression(E, D, Scope)
    end.

%% Arguments of pick/1 are made even if they are not picked: so they are funs.
choose(Funs) -> (pick(Funs))().

small(E) -> ["(", E(int), " band ", pick(["3", "7", "15"]), ")"].

int_expression(E) ->
    Op = fun() -> ["(", E(int), pick([" + ", " - ", " * ", " div ", " rem ", " band ", " bor ", " bxor "]), E(int), ")"] end,
    Of = fun(Names, T) -> [pick(Names), "(", E(T), ")"] end,
    choose([Op, Op, Op, Op,
            fun() -> ["(", E(int), pick([" bsl ", " bsr "]), "(", E(int), " band ", pick(["7", "63", "127"]), "))"] end,
            fun() -> ["(", pick(["- ", "bnot ", "+ "]), E(int), ")"] end,
            fun() -> Of(["abs", "erlang:bit_size"], int) end,
            fun() -> ["list_to_integer(integer_to_list(", E(int), "))"] end,
            fun() -> Of(["length", "lists:sum", "lists:max", "hd", "lists:last", "erlang:length"], ints) end,
            fun() -> Of(["byte_size", "bit_size", "binary:first", "binary:last", "binary:decode_unsigned", "erlang:crc32", "size"], bin) end,
            fun() -> Of(["tuple_size", "size"], tuple) end,
            fun() -> Of(["map_size", "maps:size"], map) end,
            fun() -> Of(["round", "trunc", "floor", "ceil"], float) end,
            fun() -> Of(["erlang:phash2", "erlang:external_size"], any) end,
            fun() -> Of(["string:length", "list_to_integer", "length"], str) end,
            fun() -> [pick(["min", "max"]), "(", E(int), ", ", E(int), ")"] end,
            fun() -> ["erlang:phash2(", E(any), ", 1 + ", small(E), ")"] end,
            fun() -> ["binary:at(", E(bin), ", ", small(E), ")"] end,
            fun() -> ["element(1 + ", small(E), ", ", E(tuple), ")"] end]).

float_expression(E) ->
    Op = fun() -> ["(", E(float), pick([" + ", " - ", " * ", " / "]), E(pick([float, float, int])), ")"] end,
    choose([Op, Op, Op,
            fun() -> ["(", E(int), " / ", E(int), ")"] end,
            fun() -> ["float(", E(int), ")"] end,
            fun() -> ["(- ", E(float), ")"] end,
            fun() -> ["math:", pick(["sqrt", "floor", "ceil", "sin", "exp", "log"]), "(", E(float), ")"] end,
            fun() -> ["list_to_float(float_to_list(", E(float), "))"] end,
            fun() -> ["math:pow(", E(float), ", ", small(E), ")"] end]).

atom_expression(E) ->
    choose([fun() -> ["list_to_atom(lists:sublist(", E(str), ", 20))"] end,
            fun() -> ["binary_to_atom(", E(bin), ", utf8)"] end,
            fun() -> ["hd([", E(atom), " | ", E(list), "])"] end,
            fun() -> ["element(2, {", E(any), ", ", E(atom), "})"] end,
            fun() -> E(bool) end]).

bool_expression(E, D, Scope) ->
    Compare = fun() -> T = pick(?TYPES), ["(", E(T), pick([" == ", " =/= ", " =:= ", " /= ", " < ", " =< ", " > ", " >= "]), E(T), ")"] end,
    Logic = fun() -> ["(", E(bool), pick([" andalso ", " orelse ", " and ", " or ", " xor "]), E(bool), ")"] end,
    choose([Compare, Compare, Logic, Logic, Logic,
            fun() -> ["(not ", E(bool), ")"] end,
            fun() -> ["lists:member(", E(any), ", ", E(list), ")"] end,
            fun() -> ["maps:is_key(", E(any), ", ", E(map), ")"] end,
            fun() -> [pick(["is_atom", "is_integer", "is_float", "is_number", "is_list", "is_tuple", "is_map", "is_binary", "is_bitstring",
                            "is_boolean", "is_function"]), "(", E(any), ")"] end,
            fun() -> ["is_record(", E(rec), ", ", pick(["r", "s"]), ")"] end,
            fun() -> [pick(["lists:any", "lists:all"]), "(", function_value([any], bool, D - 1, Scope), ", ", E(list), ")"] end,
            fun() -> ["(", E(bool), " andalso ", E(bool), " orelse ", E(bool), " andalso ", E(bool), ")"] end]).

bin_expression(E, D, Scope) ->
    Build = fun() -> ["<<", lists:join(", ", repeat(pick([0, 1, 1, 2, 3]), fun() -> byte_segment(E) end)), ">>"] end,
    choose([Build, Build, Build,
            fun() -> ["list_to_binary([", E(bin), ", ", E(str), "])"] end,
            fun() -> ["iolist_to_binary(", E(list), ")"] end,
            fun() -> ["integer_to_binary(", E(int), ")"] end,
            fun() -> ["atom_to_binary(", E(atom), ", utf8)"] end,
            fun() -> ["binary:copy(", E(bin), ", ", small(E), ")"] end,
            fun() -> ["binary:part(", E(bin), ", ", small(E), ", ", small(E), ")"] end,
            fun() -> ["unicode:characters_to_binary(", E(str), ")"] end,
            fun() -> ["binary:replace(", E(bin), ", <<\"b\">>, ", E(bin), ")"] end,
            fun() -> ["term_to_binary(", E(pick([int, float, atom, bin, str, tuple])), ")"] end,
            fun() -> comprehension("<<", ["<<(", E(int), ")>>"], ">>", D, Scope) end]).

byte_segment(E) ->
    Value = fun(T) -> ["(", E(T), ")"] end,
    choose([fun() -> Value(int) end,
            fun() -> [Value(int), ":", pick(["8", "16", "24", "64", "128"]), "/", integer_options()] end,
            fun() -> [Value(int), ":(8 * ", small(E), ")/", pick(["little", "big", "native", "signed"])] end,
            fun() -> [Value(float), pick(["", ":32", ":64", ":16"]), "/float", pick(["", "-little"])] end,
            fun() -> [Value(bin), "/binary"] end,
            fun() -> [Value(bin), ":", small(E), "/binary"] end,
            fun() -> [Value(int), "/utf", pick(["8", "16", "32", "16-little", "32-little"])] end,
            fun() -> pick(["\"str\"", "\"\\x{3b1}\"/utf8", "1, 2", "\"ab\":16", "0:0", "\"abc\"/little-utf16", "2.5/float"]) end]).

bits_expression(E, D, Scope) ->
    choose([fun() -> ["<<(", E(int), "):", small(E), "/", integer_options(), ", (", E(bits), ")/bits>>"] end,
            fun() -> ["<<(", E(bits), ")/bitstring, (", E(bits), "):", small(E), "/bits>>"] end,
            fun() -> ["<<(", E(int), "):(", E(int), " rem 70)>>"] end,
            fun() -> comprehension("<<", ["<<(", E(int), "):", pick(["1", "5", "9"]), ">>"], ">>", D, Scope) end,
            fun() -> ["list_to_bitstring([", E(bits), "])"] end]).

str_expression(E) ->
    %% Nothing that io_lib:format may refuse: it would then ask the code server.
    Format = fun() -> ["lists:flatten(io_lib:format(\"", pick(["~p", "~w", "~tp", "~10p", "~0p", "~30w"]), "\", [",
                       E(any), "]))"] end,
    choose([Format,
            fun() -> ["lists:flatten(io_lib:format(\"~P:~p|~W~n\", [", E(any), ", 9, ", E(str), ", ", E(float), ", 5]))"] end,
            fun() -> ["integer_to_list(", E(int), [", 16" || chance(3)], ")"] end,
            fun() -> ["atom_to_list(", E(atom), ")"] end,
            fun() -> ["float_to_list(", E(float), [", [{decimals, 3}]" || chance(2)], ")"] end,
            fun() -> ["(", E(str), " ++ ", E(str), ")"] end,
            fun() -> ["string:", pick(["uppercase", "lowercase", "trim", "reverse", "to_upper", "strip", "titlecase"]), "(", E(str), ")"] end,
            fun() -> ["string:slice(", E(str), ", ", small(E), ", 3)"] end,
            fun() -> ["lists:reverse(", E(str), ")"] end,
            fun() -> ["binary_to_list(", E(bin), ")"] end,
            fun() -> ["string:pad(", E(str), ", ", small(E), ")"] end,
            fun() -> ["lists:concat([", E(atom), ", ", E(int), ", ", E(str), "])"] end]).

ints_expression(E, D, Scope) ->
    choose([fun() -> ["lists:seq(", small(E), ", ", small(E), ")"] end,
            fun() -> ["[", E(int), ", ", E(int), " | ", E(ints), "]"] end,
            fun() -> ["[", E(int), "]"] end,
            fun() -> ["(", E(ints), pick([" ++ ", " -- "]), E(ints), ")"] end,
            fun() -> ["(", comprehension("[", E(int), "]", D, Scope), " ++ ", E(ints), ")"] end,
            fun() -> ["lists:", pick(["sort", "usort", "reverse"]), "(", E(ints), ")"] end,
            fun() -> ["lists:sublist(", E(ints), ", ", small(E), ")"] end,
            fun() -> ["lists:map(", function_value([int], int, D - 1, Scope), ", ", E(ints), ")"] end,
            fun() -> ["lists:filter(", function_value([int], bool, D - 1, Scope), ", ", E(ints), ")"] end,
            fun() -> ["binary_to_list(", E(bin), ")"] end,
            fun() -> comprehension("[", E(int), "]", D, Scope) end]).

list_expression(E, D, Scope) ->
    Elements = fun() -> ["[", commas(repeat(pick([1, 2, 3]), fun() -> E(any) end)), "]"] end,
    choose([Elements, Elements,
            fun() -> ["[", E(any), " | ", E(list), "]"] end,
            fun() -> ["[", E(any), " | ", E(any), "]"] end,
            fun() -> ["(", E(list), pick([" ++ ", " -- "]), E(list), ")"] end,
            fun() -> ["lists:", pick(["sort", "usort", "reverse", "flatten", "droplast"]), "(", E(list), ")"] end,
            fun() -> ["lists:map(", function_value([any], any, D - 1, Scope), ", ", E(list), ")"] end,
            fun() -> ["lists:foldl(", function_value([any, list], list, D - 1, Scope), ", ", E(list), ", ", E(list), ")"] end,
            fun() -> ["lists:foldr(", function_value([any, list], list, D - 1, Scope), ", ", E(list), ", ", E(list), ")"] end,
            fun() -> ["lists:", pick(["keysort", "ukeysort"]), "(1, ", E(list), ")"] end,
            fun() -> ["lists:", pick(["zip", "append", "subtract", "umerge", "prefix"]), "(", E(list), ", ", E(list), ")"] end,
            fun() -> ["tuple_to_list(", E(tuple), ")"] end,
            fun() -> ["lists:sort(maps:", pick(["to_list", "keys", "values"]), "(", E(map), "))"] end,
            fun() -> ["lists:duplicate(", small(E), ", ", E(any), ")"] end,
            fun() -> ["lists:nthtail(", small(E), ", ", E(list), ")"] end,
            fun() -> ["tl(", E(list), ")"] end,
            fun() -> ["string:", pick(["split", "tokens", "lexemes"]), "(", E(str), ", \",\")"] end,
            fun() -> ["binary:split(", E(bin), ", [<<\"b\">>, <<\",\">>], [global])"] end,
            fun() -> ["lists:partition(", function_value([any], bool, D - 1, Scope), ", ", E(list), ")"] end,
            fun() -> ["lists:keystore(", E(any), ", 1, ", E(list), ", {", E(atom), ", ", E(any), "})"] end,
            fun() -> comprehension("[", E(any), "]", D, Scope) end,
            fun() -> comprehension("[", E(any), "]", D, Scope) end]).

tuple_expression(E) ->
    Elements = fun() -> ["{", commas(repeat(pick([1, 2, 2, 3]), fun() -> E(any) end)), "}"] end,
    choose([Elements, Elements, Elements,
            fun() -> ["list_to_tuple(", E(list), ")"] end,
            fun() -> ["setelement(1 + ", small(E), ", ", E(tuple), ", ", E(any), ")"] end,
            fun() -> ["erlang:append_element(", E(tuple), ", ", E(any), ")"] end,
            fun() -> ["erlang:make_tuple(", small(E), ", ", E(any), ")"] end,
            fun() -> ["lists:keyfind(", E(any), ", 1, ", E(list), ")"] end,
            fun() -> ["lists:split(", small(E), ", ", E(list), ")"] end,
            fun() -> E(rec) end]).

map_expression(E, D, Scope) ->
    Field = fun(Arrow) -> [E(pick([atom, int, any])), Arrow, E(any)] end,
    choose([fun() -> ["#{", lists:join(", ", repeat(pick([1, 2, 3]), fun() -> Field(" => ") end)), "}"] end,
            fun() -> ["(", E(map), ")#{", Field(" => "), "}"] end,
            fun() -> ["(", E(map), ")#{", Field(" := "), "}"] end,
            fun() -> ["(", E(map), ")#{a => ", E(any), ", a := ", E(any), ", ", Field(" => "), "}"] end,
            fun() -> ["maps:put(", E(any), ", ", E(any), ", ", E(map), ")"] end,
            fun() -> ["maps:", pick(["remove", "take"]), "(", E(any), ", ", E(map), ")"] end,
            fun() -> ["maps:merge(", E(map), ", ", E(map), ")"] end,
            fun() -> ["maps:", pick(["with", "without"]), "(", E(list), ", ", E(map), ")"] end,
            fun() -> ["maps:from_list([{", E(any), ", ", E(any), "} | ", E(list), "])"] end,
            fun() -> ["maps:map(", function_value([any, any], any, D - 1, Scope), ", ", E(map), ")"] end,
            fun() -> ["maps:filter(", function_value([any, any], bool, D - 1, Scope), ", ", E(map), ")"] end,
            fun() -> ["maps:update(", E(any), ", ", E(any), ", ", E(map), ")"] end]).

rec_expression(E) ->
    Field = fun() -> [pick(["a = ", "b = ", "c = "]), E(any)] end,
    choose([fun() -> ["#r{", Field(), "}"] end,
            fun() -> ["#r{a = ", E(any), ", c = ", E(any), ", b = ", E(any), "}"] end,
            fun() -> ["#r{c = ", E(any), ", _ = ", E(any), "}"] end,
            fun() -> ["(", E(rec), ")#r{", Field(), "}"] end,
            fun() -> ["(", E(rec), ")#r{a = ", E(any), ", b = ", E(any), "}"] end,
            fun() -> ["#s{e = ", E(any), "}"] end,
            fun() -> "#r{}" end]).

any_expression(E, D, Scope) ->
    Any = fun() -> E(pick(?TYPES -- [any])) end,
    choose([Any, Any, Any, Any, Any, Any,
            fun() -> ["(", E(rec), ")#", pick(["r.a", "r.b", "r.c", "s.d"])] end,
            fun() -> ["#r.", pick(["a", "b", "c"])] end,
            fun() -> ["element(", E(int), ", ", E(tuple), ")"] end,
            fun() -> ["hd(", E(list), ")"] end,
            fun() -> ["lists:nth(1 + ", small(E), ", ", E(list), ")"] end,
            fun() -> ["maps:get(", E(any), ", ", E(map), [[", ", E(any)] || chance(2)], ")"] end,
            fun() -> ["map_get(", E(atom), ", ", E(map), ")"] end,
            fun() -> [pick(["get(", "erase("]), literal(atom), ")"] end,
            fun() -> ["put(", literal(atom), ", ", E(any), ")"] end,
            fun() -> ["binary_to_term(term_to_binary(", E(pick([list, tuple, map, int, bits, float])), "))"] end,
            fun() -> ["lists:foldl(", function_value([any, any], any, D - 1, Scope), ", ", E(any), ", ", E(list), ")"] end,
            fun() -> ["maps:fold(fun(K, V, A) -> [K, V | A] end, [], ", E(map), ")"] end,
            fun() -> ["apply(", pick(["lists, reverse, [", "erlang, abs, [", "maps, to_list, ["]), E(any), "])"] end,
            fun() -> ["apply(", function_value([any], any, D - 1, Scope), ", [", E(any), "])"] end,
            fun() -> ["re:run(", E(str), ", \"[a-c]+\", [{capture, all, list}])"] end,
            fun() -> ["string:to_integer(", E(str), ")"] end]).

%% --- comprehensions

comprehension(Open, Fixed, Close, D, Scope) ->
    {Qualifiers, Inner} = qualifiers(pick([1, 1, 2, 3]), D, Scope),
    Template = case Open of
                   "[" when D > 1 -> e(any, D - 1, Inner);
                   "<<" when D > 1 ->
                       choose([fun() -> ["<<(", e(int, D - 1, Inner), "):", fixed_size(), ">>"] end,
                               fun() -> ["<<(", e(bits, D - 1, Inner), ")/bits>>"] end,
                               fun() -> Fixed end]);
                   _ -> Fixed
               end,
    [Open, Template, " || ", lists:join(",\n ", Qualifiers), Close].

qualifiers(0, _, Scope) -> {[], Scope};
qualifiers(N, D, Scope) ->
    {Text, New} = qualifier(D, Scope),
    {Texts, Last} = qualifiers(N - 1, D, add(New, Scope)),
    {[Text | Texts], Last}.

qualifier(D, Scope) ->
    put(shadow, [V || {V, _} <- Scope, V =/= "Fuel"]),
    Kind = rand:uniform(8),
    {T, Arrow} = case Kind of
                     N when N =< 4 -> {pick([any, int, tuple, list, bin]), " <- "};
                     N when N =< 6 -> {bin, " <= "};
                     _ -> {bool, ""}
                 end,
    {Pattern, New} = one_pattern(T, 2, Scope),
    put(shadow, []),
    case Kind of
        7 -> {e(bool, D - 1, Scope), []};
        8 -> V = fresh(), {["((", V, " = ", e(int, D - 1, Scope), ") > ", literal(int), ")"], [{V, int}]};
        N1 when N1 =< 2 -> {[Pattern, Arrow, e(list, D - 1, Scope)], New};
        N1 when N1 =< 4 -> {[Pattern, Arrow, "[", commas(repeat(3, fun() -> e(T, D - 2, Scope) end)), "]"], New};
        _ ->
            put(new, []),
            %% Something must be taken each time, or the loop has no end.
            Segments = segments_pattern([[new_variable(int), ":", pick(["1", "3", "8", "8", "16"])]], [], Scope),
            Bound = erase(new),
            {[Segments, Arrow, e(bits, D - 1, Scope)], Bound}
    end.
