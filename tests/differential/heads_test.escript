#!/usr/bin/env escript
%%! +S 2
%% Names in the heads of funs and in generators' patterns that are bound outside: new ones where
%% the head binds them, the outer ones in sizes of segments and keys of maps. Each pattern, in each
%% place where one may stand, is matched with each value, by Fathom's machine and by OTP.
%%
%%   heads_test.escript [FAMILY...]
-mode(compile).
-include("fathom_port.hrl").
-include("batches.hrl").

main(Wanted) ->
    check_families("heads", families(), Wanted).

families() ->
    [{Name, fun() -> [around(Place(P, Vars, V)) || {P, Vars} <- patterns(), V <- values()] end}
     || {Name, Place} <- places()]
        ++ [{binary_generators, fun binary_generators/0}, {others, fun others/0}, {beside, fun beside/0}].

%% Nothing here is known when the module is compiled.
helpers() ->
    "i(X) -> X.\n"
    "flush() -> receive _ -> flush() after 0 -> ok end.\n"
    "t(F) -> try F() catch C:R -> {C, R} end.\n".

around(Text) ->
    lists:flatten(["t(fun() -> U = i(8), N = i(16), K = i(k), {", Text, ", U, N, K} end)"]).

%% A pattern, and what it binds.
patterns() ->
    [{"<<U:U>>", "U"}, {"<<U:U, X:U>>", "{U, X}"}, {"{N, <<X:N>>}", "{N, X}"},
     {"{<<X:N>>, N}", "{N, X}"}, {"#{K := K}", "K"}, {"#{K := <<U:U>>}", "{K, U}"},
     {"#{{K, U} := {K, U}}", "{K, U}"}, {"[<<U:U>> | U]", "U"},
     {"<<N:(U * 2), X:(N + U)>>", "{N, X}"}, {"<<X:(N - U), U:X>>", "{X, U}"},
     {"#{<<U:U>> := U}", "U"}, {"{U, #{U := X}}", "{U, X}"}, {"{U, U, <<X:U>>}", "{U, X}"},
     {"<<N:U/unit:2>>", "N"}, {"<<U:U, R/binary>>", "{U, R}"}, {"<<U:U, R:U/bits, _/bits>>", "{U, R}"},
     {"<<X:U, X:U>>", "X"}, {"{K, #{K := <<K:U, U:K>>}}", "{K, U}"}, {"<<_:U, 7:U>>", "U"}].

values() ->
    ["<<8>>", "<<32:8>>", "<<4, 5:4>>", "<<3, 1:3, 7>>", "{3, <<77:16>>}", "{<<77:16>>, 3}",
     "#{k => 7}", "#{k => <<9>>}", "#{{k, 8} => {1, 2}}", "[<<3>> | 4]", "[<<3>> | 3]",
     "<<4:16, 9:12>>", "#{<<8>> => yes}", "{1, #{8 => a, 1 => b}}", "{1, 1, <<9>>}", "<<1:16>>",
     "<<7, 7>>", "{3, #{k => <<3, 5:3>>}}", "<<>>", "x"].

places() ->
    [{funs, fun(P, Vars, V) -> ["(fun(", P, ") -> ", Vars, "; (_) -> no end)(", V, ")"] end},
     {guarded_funs,
      fun(P, Vars, V) -> ["(fun(", P, ") when U > 4, N > 0 -> ", Vars, "; (", P, ") -> {second, ", Vars, "}; (_) -> U end)(", V, ")"] end},
     {inner_funs,
      fun(P, Vars, V) -> ["(fun(U) -> (fun(", P, ") -> ", Vars, "; (_) -> no end)(", V, ") end)(4)"] end},
     {funs_in_funs,
      fun(P, Vars, V) -> ["((fun(", P, ") -> fun() -> ", Vars, " end; (_) -> fun() -> no end end)(", V, "))()"] end},
     {named_funs, fun(P, Vars, V) -> ["(fun F(", P, ") -> {", Vars, ", is_function(F)}; F(_) -> no end)(", V, ")"] end},
     {recursive_funs,
      fun(P, Vars, V) -> ["(fun U(", P, ") -> ", Vars, "; U(_) -> is_function(U) end)(", V, ")"] end},
     {list_generators, fun(P, Vars, V) -> ["[", Vars, " || ", P, " <- [", V, ", x, ", V, "]]"] end},
     {inner_generators,
      fun(P, Vars, V) -> ["[{U, ", Vars, "} || U <- [4, 8], ", P, " <- [", V, "], U > 0]"] end},
     {generators_for_bits,
      fun(P, Vars, V) -> ["<< (term_to_binary(", Vars, ")) || ", P, " <- [", V, "] >>"] end},
     {cases, fun(P, Vars, V) -> ["case ", V, " of ", P, " -> ", Vars, "; _ -> no end"] end}].


binary_generators() ->
    Bits = ["<<1, 2, 3>>", "<<4, 5:4, 3, 7:3>>", "<<1, 1, 2, 3, 4, 4>>", "<<1, 1, 2, 7, 4, 4>>",
            "<<1, 1, 0:1, 2, 3, 1:2, 5, 5, 1:5, 0:1>>", "<<1, 1, 0:1, 2, 3, 1:3, 5, 5, 1:5, 0:1>>", "<<>>"],
    Patterns = [{"<<U:U>>", "U"}, {"<<U:U, X:U>>", "{U, X}"}, {"<<X:8, X:8>>", "X"}, {"<<X:U, 7:U>>", "X"},
                {"<<X:8, X:8, Y:X>>", "{X, Y}"}, {"<<N:(N - U)>>", "N"}, {"<<U:4, X:U, _:4>>", "{U, X}"}],
    [around(T) || {P, Vars} <- Patterns, B <- Bits,
                  T <- [["[", Vars, " || ", P, " <= ", B, "]"],
                        ["<< (term_to_binary(", Vars, ")) || ", P, " <= ", B, " >>"],
                        ["[{U, ", Vars, "} || <<U:U>> <= <<2, 8>>, ", P, " <= ", B, "]"],
                        ["[[", Vars, " || ", P, " <= ", B, ", U > 0] || U <- [2, 8]]"]]].

%% A named fun's own name is not a new one in its head; the fun is what it is compared with.
others() ->
    [around(T) || T <- ["(fun F(F) -> F end)(3)", "(fun F({F, X}) -> {F, X}; F(X) -> {other, X} end)({3, 4})",
                        "(fun F(<<X:U, F/binary>>) -> {X, F}; F(_) -> no end)(<<1, 2>>)",
                        "(fun F(<<X:F>>) -> X; F(_) -> is_function(F) end)(<<1>>)",
                        "(fun F(#{F := X}) -> X; F(_) -> is_function(F) end)(#{})",
                        "(fun F(G) when F =:= G -> same; F(_) -> F(F) end)(1)",
                        "(fun F(_) -> (fun(F) -> F end)(5) end)(1)",
                        "(fun(<<U:U>>) -> (fun(<<U:U>>) -> U end)(<<1:3>>) end)(<<3>>)",
                        "((fun(<<X:U>>) -> fun(<<U:X>>) -> {U, X} end end)(<<2>>))(<<1:2>>)",
                        "[N || <<U:U>> <= <<1, 2>>, <<N:N>> <- [<<U:16>>]]",
                        "length(element(2, erlang:fun_info(fun(<<U:U, X:N>>) -> {U, X, K} end, env)))"]].

%% What one part binds in some of its clauses only, the part beside it may bind anew.
beside() ->
    Parts = ["case A of {v, T} -> T; no -> none; _ -> other end", "case A of {v, T} -> T; {w, T} -> {w, T}; T -> T end",
             "if A > 1 -> T = A; true -> 0 end", "if A > 1 -> T = A; true -> T = 0 end", "T = A", "catch (T = A)",
             "[T || T <- [A]]", "(A > 1) andalso (T = A) > 0", "receive {x, T} -> T; y -> y after 0 -> A end",
             "receive {x, T} -> T after 0 -> T = A end", "case A of {v, T} -> T; _ -> error(A) end",
             "begin case A of {v, T} -> ok; _ -> no end, 1 end", "(fun() -> T = A, T end)()"],
    Others = ["case B of {v, T} -> T; no -> none; _ -> other end", "case B of T -> T; _ -> 0 end", "T = B", "receive {z, T} -> T after 0 -> B end"],
    Wholes = [fun(X, Y) -> ["{", X, ", ", Y, "}"] end, fun(X, Y) -> ["[", X, " | ", Y, "]"] end,
              fun(X, Y) -> ["#{a => ", X, ", b => ", Y, "}"] end, fun(X, Y) -> ["i(", X, ") =:= i(", Y, ")"] end],
    Values = ["{v, 1}", "{v, 2}", "{w, 2}", "no", "1", "2"],
    [lists:flatten(["t(fun() -> A = i(", A, "), B = i(", B, "), self() ! {x, 1}, self() ! {z, 2}, R = t(fun() -> ", W(X, Y), " end), flush(), R end)"])
     || X <- Parts, Y <- Others, W <- Wholes, A <- Values, B <- ["{v, 1}", "no", "2"]].
