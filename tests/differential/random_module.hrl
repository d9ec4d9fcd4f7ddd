%% Random sequential modules that compile and end.
%%
%% An expression is made for a type that is wanted and a depth that is left; now and
%% then it is of another type, so that all kinds of errors happen, but most of a body
%% is executed. A scope is a list of {Variable, Type}. Functions call each other with
%% half of their fuel and do little when it is used up. What may grow is cut: sizes,
%% counts and shifts are masked.
%%
%% Every module has three helpers: l/2 notes in the process dictionary that it was
%% called, which shows the order of evaluation; t/1 and x/1 make stack traces
%% what is the same on both machines. The second also hides from OTP's compiler that a
%% fun is called at once, which it would inline.

-compile(nowarn_unused_function).

-define(TYPES, [int, float, atom, bool, bin, bits, str, ints, list, tuple, map, rec, any]).

%% {Name, Text, Calls}, a call being the text of name and arguments.
random_module(Seed) ->
    rand:seed(exsss, Seed),
    put(fresh, 0),
    put(mark, 0),
    Name = "random_" ++ integer_to_list(Seed),
    Functions = [{["f", integer_to_list(I)], repeat(rand:uniform(4) - 1, fun() -> pick(?TYPES) end), pick(?TYPES)}
                 || I <- lists:seq(1, 1 + rand:uniform(4))],
    put(functions, Functions),
    Text = [header(Name), [function(F) || F <- Functions]],
    Calls = [["{", F, ", [", lists:join(", ", [pick(["8", "8", "3", "0"]) | [literal(T) || T <- Types]]), "]}"]
             || {F, Types, _} <- Functions, _ <- [1, 2, 3]],
    {Name, lists:flatten(Text), lists:flatten(["[", lists:join(", ", Calls), "]"])}.

header(Name) ->
    ["-module(", Name, ").\n"
     "-feature(maybe_expr, enable).\n"
     "-compile([export_all, nowarn_export_all, nowarn_unused_vars]).\n"
     "-record(r, {a, b = 1, c = {x, \"y\"}}).\n"
     "-record(s, {d = [], e}).\n"
     "l(K, V) -> put(log, [K | case get(log) of undefined -> []; L -> L end]), V.\n"
     "t(S) -> fathom_driver:frames(S).\n"
     "x({'EXIT', {R, S}}) when is_list(S) -> {'EXIT', {R, t(S)}};\n"
     "x(V) -> V.\n"].

pick(List) -> lists:nth(rand:uniform(length(List)), List).
chance(OneIn) -> rand:uniform(OneIn) =:= 1.
repeat(N, Fun) -> [Fun() || _ <- lists:seq(1, N)].
several(Max, Fun) -> lists:join(", ", repeat(rand:uniform(Max), Fun)).
commas(Texts) -> lists:join(pick([", ", ", ", ",\n "]), Texts).
number(Key) -> put(Key, get(Key) + 1), integer_to_list(get(Key)).
fresh() -> "V" ++ number(fresh).

add(Vars, Scope) -> lists:foldl(fun({V, T}, S) -> [{V, T} | lists:keydelete(V, 1, S)] end, Scope, Vars).

%% --- functions and clauses

function({Name, Types, Type}) ->
    Base = {["Fuel" | ["_" || _ <- Types]], " when Fuel =< 0", literal(Type)},
    Clauses = [Base | repeat(pick([0, 0, 1, 2]), fun() -> function_clause(Types, Type, fun pattern/3) end)]
        ++ [function_clause(Types, Type, fun plain_pattern/3) || not chance(8)],
    [lists:join(";\n", [[Name, "(", commas(Ps), ")", G, " ->\n  ", B] || {Ps, G, B} <- Clauses]), ".\n"].

function_clause(Types, Type, Pattern) ->
    Depth = pick([1, 2, 2, 3, 3, 4]),
    Scope = [{"Fuel", fuel}],
    {Texts, New} = patterns(Types, 2, Scope, Pattern),
    Inner = add(New, Scope),
    {["Fuel" | Texts], case Pattern =:= fun plain_pattern/3 of true -> ""; false -> guard(Inner) end,
     body(Type, Depth, Inner)}.

%% Statements and the value, in which all of their variables are known.
body(T, D, Scope) -> element(1, sequence(T, D, Scope)).

sequence(T, D, Scope) ->
    {Texts, Inner} = statements(pick([0, 0, 1, 1, 2, 3]), D, Scope),
    {[[[S, ",\n  "] || S <- Texts], e(T, D, Inner)], Inner}.

statements(0, _, Scope) -> {[], Scope};
statements(N, D, Scope) ->
    {Text, New} = statement(D, Scope),
    {Texts, Last} = statements(N - 1, D, add(New, Scope)),
    {[Text | Texts], Last}.

statement(D, Scope) ->
    E = fun(T) -> e(T, D - 1, Scope) end,
    T = pick(?TYPES),
    V = fresh(),
    case rand:uniform(24) of
        N when N =< 8 -> {[V, " = ", E(T)], [{V, T}]};
        N when N =< 11 ->
            {Pattern, New} = one_pattern(tuple, 2, Scope),
            case D > 1 andalso chance(2) of
                true -> {["x(catch ", Pattern, " = ", E(tuple), ")"], []};
                false -> {[Pattern, " = ", E(tuple)], New}
            end;
        12 -> {["l(", number(mark), ", ", V, " = ", E(T), ")"], [{V, T}]};
        13 -> W = fresh(), {["{", V, " = ", E(T), ", ", W, " = ", E(int), "}"], [{V, T}, {W, int}]};
        14 -> exporting_case(T, D, Scope);
        15 -> exporting_if(T, D, Scope);
        16 -> {["put(", literal(atom), ", ", E(T), ")"], []};
        17 -> Types = repeat(pick([1, 1, 2]), fun() -> pick(?TYPES) end),
              {[V, " = ", function_value(Types, T, D - 1, Scope)], [{V, {function, Types, T}}]};
        18 -> {E(T), []};
        19 -> {["self() ! ", E(T)], []};
        20 -> many_variables(D, Scope);
        21 -> exporting_receive(T, D, Scope);
        22 -> {["_ = ", E(T)], []};
        23 -> W = fresh(), {[V, " = ", W, " = ", E(T)], [{V, T}, {W, T}]};
        24 -> {["begin ", V, " = ", E(T), " end"], [{V, T}]}
    end.

%% Variables that all clauses bind are known behind the case.
exporting_case(T, D, Scope) ->
    V = fresh(), W = fresh(),
    S = pick([int, any, list, tuple, bool]),
    Bind = fun(Inner) -> lists:join(", ", shuffle([[V, " = ", e(T, D - 2, Inner)], [W, " = ", e(int, D - 2, Inner)]])) end,
    Clauses = [clause(P, G, Bind(Inner)) || {P, G, Inner} <- heads(S, pick([1, 2, 3]), Scope)],
    {["case ", e(S, D - 1, Scope), " of ", lists:join(";\n ", Clauses), " end"], [{V, T}, {W, int}]}.

exporting_if(T, D, Scope) ->
    V = fresh(),
    {["if ", guard_tests(Scope), " -> ", V, " = ", e(T, D - 2, Scope), ";\n true -> ", V, " = ", e(T, D - 2, Scope), " end"],
     [{V, T}]}.

exporting_receive(T, D, Scope) ->
    V = fresh(),
    {["receive ", V, guard(add([{V, any}], Scope)), " -> ok after 0 -> ", V, " = ", e(T, D - 2, Scope), " end"], [{V, any}]}.

%% More variables alive at once than most code has.
many_variables(D, Scope) ->
    Vars = repeat(pick([10, 20, 70, 130]), fun() -> {fresh(), pick([int, atom, bin, list])} end),
    V = fresh(),
    {[[[N, " = ", e(T, min(D - 2, 1), Scope), ",\n "] || {N, T} <- Vars],
      V, " = {", commas([N || {N, _} <- shuffle(Vars)]), "}"],
     [{V, tuple} | lists:sublist(shuffle(Vars), 8)]}.

shuffle(List) -> [X || {_, X} <- lists:sort([{rand:uniform(1000000), X} || X <- List])].

clause(Pattern, Guard, Body) -> [Pattern, Guard, " -> ", Body].

%% Heads of the clauses of a case: mostly the last one takes what is left.
heads(T, N, Scope) ->
    [head(T, fun one_pattern/3, Scope) || _ <- lists:seq(1, N)] ++ [rest_head(T, Scope) || N =:= 0 orelse not chance(8)].

head(T, Pattern, Scope) ->
    {Text, New} = Pattern(T, 3, Scope),
    Inner = add(New, Scope),
    {Text, guard(Inner), Inner}.

rest_head(T, Scope) ->
    case chance(2) of
        true -> {"_", "", Scope};
        false -> V = fresh(), {V, "", add([{V, T}], Scope)}
    end.

clauses(S, T, D, Scope) ->
    lists:join(";\n ", [clause(P, G, body(T, D - 1, Inner)) || {P, G, Inner} <- heads(S, pick([0, 1, 1, 2, 3]), Scope)]).

%% --- expressions

e(T, D, Scope) ->
    case rand:uniform(40) of
        1 -> expression(pick(?TYPES), D, Scope);
        N when N =< 5 -> ["l(", number(mark), ", ", expression(T, D, Scope), ")"];
        _ -> expression(T, D, Scope)
    end.

expression(T, D, Scope) when D =< 0 -> leaf(T, Scope);
expression(T, D, Scope) ->
    case rand:uniform(20) of
        N when N =< 3 -> leaf(T, Scope);
        N when N =< 8 -> control(T, D, Scope);
        _ -> special(T, D, Scope)
    end.

leaf(T, Scope) ->
    case [V || {V, Of} <- Scope, fits(Of, T)] of
        [_ | _] = Vars -> case chance(4) of true -> literal(T); false -> pick(Vars) end;
        [] -> literal(T)
    end.

fits({function, _, _}, _) -> false;
fits(_, any) -> true;
fits(fuel, int) -> true;
fits(ints, list) -> true;
fits(str, list) -> true;
fits(str, ints) -> true;
fits(bin, bits) -> true;
fits(bool, atom) -> true;
fits(rec, tuple) -> true;
fits(Same, Same) -> true;
fits(_, _) -> false.

control(T, D, Scope) ->
    E = fun(Of) -> e(Of, D - 1, Scope) end,
    S = pick(?TYPES),
    case rand:uniform(22) of
        N when N =< 4 -> ["case ", E(S), " of ", clauses(S, T, D, Scope), " end"];
        5 -> ["if ", [[guard_tests(Scope), " -> ", body(T, D - 1, Scope), ";\n "] || chance(2)],
              guard_tests(Scope), " -> ", body(T, D - 1, Scope), [["; true -> ", E(T)] || not chance(6)], " end"];
        N when N =< 9 -> try_expression(T, D, Scope);
        10 -> ["x(catch ", E(T), ")"];
        11 -> ["begin ", body(T, D - 1, Scope), " end"];
        N when N =< 14 -> local_call(D, Scope);
        15 -> ["(x(", function_value([S], T, D - 1, Scope), "))(", E(S), ")"];
        16 -> call_variable(T, D, Scope);
        17 -> ["(x(fun G(0, A) -> A;\n G(N, _) -> G(N - 1, ", e(T, D - 1, add([{"N", int}], Scope)), ") end))(",
               pick(["0", "1", "3"]), ", ", E(T), ")"];
        18 -> maybe_expression(T, D, Scope);
        19 -> receive_expression(T, D, Scope);
        20 -> raising(D, Scope);
        21 -> table(T, D, Scope);
        22 -> nested(T, D, Scope)
    end.

try_expression(T, D, Scope) ->
    Body = body(T, D - 1, Scope),
    Of = [[" of ", clauses(T, T, D - 1, Scope)] || chance(3)],
    Handlers = repeat(pick([0, 1, 1, 2]), fun() -> handler(T, D - 1, Scope) end),
    %% Whether the last call of an `after` is a tail call depends on how OTP compiles it.
    After = [["\n after l(", number(mark), ", begin ", body(any, D - 2, Scope), " end)"] || Handlers =:= [] orelse chance(4)],
    ["try ", Body, Of, [["\n catch ", lists:join(";\n ", Handlers)] || Handlers =/= []], After, "\n end"].

handler(T, D, Scope) ->
    C = fresh(),
    Class = pick(["", "throw:", "error:", "exit:", "_:", "_:", "_:", [C, ":"], [C, ":"]]),
    Free = [{C, atom} || Class =:= [C, ":"]],
    {Pattern, New} = case chance(3) of
                         true -> one_pattern(pick([tuple, atom, any]), 2, Scope);
                         false -> V = fresh(), {V, [{V, any}]}
                     end,
    Inner = add(Free ++ New, Scope),
    S = fresh(),
    case Class =/= "" andalso chance(2) of
        true ->
            Value = case rand:uniform(5) of
                        1 when Free =/= [] -> ["erlang:raise(", C, ", ", e(any, D - 1, Inner), ", ", S, ")"];
                        2 -> ["erlang:raise(", pick(["error", "exit", "throw"]), ", ", e(any, D - 1, Inner), ", ", S, ")"];
                        3 -> ["{t(", S, "), ", e(T, D - 1, Inner), "}"];
                        4 -> ["l(t(", S, "), ", e(T, D - 1, Inner), ")"];
                        _ -> ["begin put(trace, t(", S, ")), ", body(T, D - 1, Inner), " end"]
                    end,
            clause([Class, Pattern, ":", S], guard(Inner), Value);
        false -> clause([Class, Pattern], guard(Inner), body(T, D - 1, Inner))
    end.

local_call(D, Scope) ->
    {Name, Types, _} = pick(get(functions)),
    Arguments = ["Fuel div 2" | [e(T, D - 1, Scope) || T <- Types]],
    Arity = integer_to_list(length(Arguments)),
    case rand:uniform(8) of
        1 -> ["?MODULE:", Name, "(", commas(Arguments), ")"];
        2 -> ["apply(?MODULE, ", Name, ", [", commas(Arguments), "])"];
        3 -> ["(fun ", Name, "/", Arity, ")(", commas(Arguments), ")"];
        4 -> ["apply(fun ?MODULE:", Name, "/", Arity, ", [", commas(Arguments), "])"];
        _ -> [Name, "(", commas(Arguments), ")"]
    end.

call_variable(T, D, Scope) ->
    case [F || {_, {function, _, _}} = F <- Scope] of
        [] -> special(T, D, Scope);
        Functions ->
            {V, {function, Types, _}} = pick(Functions),
            Wrong = [e(any, 0, Scope) || chance(20)],
            [V, "(", commas(Wrong ++ [e(A, D - 1, Scope) || A <- Types]), ")"]
    end.

maybe_expression(T, D, Scope) ->
    {Pattern, New} = one_pattern(any, 2, Scope),
    V = fresh(),
    Inner = add([{V, int} | New], Scope),
    ["maybe ", Pattern, " ?= ", e(any, D - 1, Scope), ",\n ", V, " = ", e(int, D - 1, add(New, Scope)), ",\n ",
     [["{ok, _} ?= ", e(tuple, D - 1, Inner), ", "] || chance(3)], e(T, D - 1, Inner),
     [["\n else ", clauses(any, T, D - 1, Scope)] || chance(2)], "\n end"].

receive_expression(T, D, Scope) ->
    case chance(3) of
        true -> ["receive after ", pick(["0", "1"]), " -> ", body(T, D - 1, Scope), " end"];
        false -> ["receive ", clauses(pick([any, tuple, atom]), T, D - 1, Scope), " after 0 -> ", body(T, D - 1, Scope), " end"]
    end.

raising(D, Scope) ->
    E = fun(T) -> e(T, D - 1, Scope) end,
    pick([["error(", E(any), ")"], ["exit(", E(any), ")"], ["throw(", E(any), ")"],
          ["error(", E(any), ", [", E(int), ", ", E(any), "])"], ["erlang:error(", E(atom), ", none)"],
          ["erlang:raise(", pick(["error", "exit", "throw"]), ", ", E(any), ", [])"],
          ["hd(", E(any), ")"], ["no_such_module:f(", E(any), ")"],
          ["?MODULE:none(", E(any), ")"], ["begin ok = ", E(any), " end"]]).

%% A case with many literals.
table(T, D, Scope) ->
    S = pick([int, int, atom, float, bin, str, any]),
    Literals = [L || L <- lists:usort(repeat(pick([5, 20, 80]), fun() -> lists:flatten(literal(S)) end)),
                     string:find(L, "=>") =:= nomatch],
    ["case ", e(S, D - 1, Scope), " of ",
     [[L, [" when true" || chance(9)], " -> ", e(T, min(D - 2, 1), Scope), ";\n "] || L <- shuffle(Literals)],
     "_ -> ", e(T, D - 1, Scope), " end"].

%% Deep and narrow.
nested(T, D, Scope) ->
    lists:foldl(fun(_, Inner) ->
                    case rand:uniform(6) of
                        1 -> ["case ", leaf(any, Scope), " of ", literal(pick([int, atom, str, bin])), " -> ", leaf(T, Scope), ";\n _ -> ", Inner, " end"];
                        2 -> ["begin ", Inner, " end"];
                        3 -> ["try ", Inner, " catch ", pick(["error", "exit", "throw"]), ":_ -> ", leaf(T, Scope), " end"];
                        4 -> ["try ", Inner, " after l(", number(mark), ", ", leaf(any, Scope), ") end"];
                        5 -> ["(x(fun() -> ", Inner, " end))()"];
                        6 -> ["if ", guard_tests(Scope), " -> ", Inner, "; true -> ", leaf(T, Scope), " end"]
                    end
                end, e(T, D - 1, Scope), lists:seq(1, pick([3, 6, 12]))).

%% A fun for arguments of these types.
function_value(Types, T, D, Scope) ->
    Arity = length(Types),
    case rand:uniform(8) of
        1 when Arity =:= 1 -> pick(["fun erlang:abs/1", "fun lists:reverse/1", "fun erlang:is_atom/1", "fun x/1", "fun ?MODULE:x/1"]);
        2 when Arity =:= 2 -> pick(["fun erlang:'+'/2", "fun l/2", "fun lists:member/2", "fun erlang:max/2"]);
        _ ->
            Heads = repeat(pick([0, 0, 1]), fun() -> fun_head(Types, fun pattern/3, Scope) end)
                ++ [fun_head(Types, fun plain_pattern/3, Scope)],
            Name = pick(["", "", "", " " ++ fresh()]),
            ["fun", lists:join(";\n ", [[Name, "(", commas(Ps), ")", G, " -> ", body(T, D - 1, Inner)]
                                       || {Ps, G, Inner} <- Heads]), " end"]
    end.

fun_head(Types, Pattern, Scope) ->
    put(shadow, [V || {V, _} <- Scope, V =/= "Fuel"]),
    {Texts, New} = patterns(Types, 2, Scope, Pattern),
    put(shadow, []),
    Inner = add(New, Scope),
    {Texts, guard(Inner), Inner}.

%% --- literals

literal(int) ->
    case rand:uniform(5) of
        N when N =< 3 -> pick(["0", "1", "2", "3", "-1", "7", "8", "10", "16", "31", "100", "255", "256", "$a", "-128", "1_000"]);
        4 -> pick(["134217727", "134217728", "-134217729", "4294967295", "4294967296", "16#7fffffff", "1114111", "55296",
                   "576460752303423487", "576460752303423488", "-576460752303423488", "-576460752303423489",
                   "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
                   "-18446744073709551616", "1267650600228229401496703205376", "36#ZZZZZZZZZZZZZZZZZZZZZZZZZZZ"]);
        5 -> integer_to_list(rand:uniform(2000) - 1000)
    end;
literal(float) -> pick(["0.0", "1.0", "-1.0", "0.5", "2.5", "-2.5", "3.0e10", "1.0e-3", "1.0e300", "1.7e308", "4.9e-324", "255.0",
                        "9007199254740993.0", "1.8446744073709552e19", "0.1"]);
literal(atom) -> pick(["a", "b", "c", "ok", "error", "undefined", "'A b'", "''", "true", "nil", "'\\x{3b1}'", "d", "e", "f", "g", "h"]);
literal(bool) -> pick(["true", "false"]);
literal(bin) -> pick(["<<>>", "<<\"abc\">>", "<<1, 2, 3>>", "<<255, 0, 128, 7>>", "<<\"\\x{3b1}\\x{1F600}\"/utf8>>", "<<0:64>>",
                      "<<1:16/little, 2.5/float>>", "<<\"a string that is longer than sixty-four bytes, so that it is stored elsewhere\">>",
                      "<<$x, \"yz\">>", "<<\"a,b,c\">>"]);
literal(bits) -> pick(["<<1:1>>", "<<5:3>>", "<<1, 2:7>>", "<<\"abc\", 1:5>>", literal(bin)]);
literal(str) -> pick(["\"\"", "\"abc\"", "\"a\"", "\"hello world\"", "\"\\x{3b1}b\"", "\"12\"", "\"1.5\"", "\"a,b\\n c\"", "\"ABC\" \"def\""]);
literal(ints) ->
    case chance(4) of
        true -> ["[", several(40, fun() -> literal(int) end), "]"];
        false -> pick(["[]", "[1]", "[1, 2, 3]", "[3, 1, 2, 1]", "[0, 255, 300]", "[-1, 18446744073709551616]"])
    end;
literal(list) ->
    case chance(4) of
        true -> ["[", several(3, fun() -> literal(any) end), "]"];
        false -> pick(["[]", "[a, 1, \"s\"]", "[{a, 1}, {b, 2}, {a, 3}]", "[1, 1.0, 2.0, 2]", "[[1], [], [[2]]]", "[a | b]",
                       "[1, 2 | 3]", "[#{a => 1}, <<1>>]"])
    end;
literal(tuple) ->
    case chance(4) of
        true -> ["{", several(6, fun() -> literal(any) end), "}"];
        false -> pick(["{}", "{a}", "{a, 1}", "{ok, \"v\"}", "{1, 2.0, <<3>>}", "{r, 1, 2, 3}", "{{}, [], #{}}"])
    end;
literal(map) ->
    case chance(4) of
        true -> ["#{", lists:join(", ", [[integer_to_list(K), " => ", literal(atom)] || K <- lists:seq(1, rand:uniform(40))]), "}"];
        false -> pick(["#{}", "#{a => 1}", "#{a => 1, b => \"2\"}", "#{1 => a, 1.0 => b}", "#{{a} => [], \"k\" => #{}}"])
    end;
literal(rec) -> pick(["{r, 1, 2, 3}", "{r, a, b, c}", "{r, [], <<>>, #{}}", "{s, [1], 2}"]);
literal(any) -> literal(pick([int, int, float, atom, bool, bin, bits, str, ints, list, tuple, map, rec])).
