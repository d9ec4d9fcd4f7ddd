%% Funs: Church numerals, continuations, combinators of parsers.
-module(closures).
-export([main/0]).

main() -> repeat(350, none).

repeat(0, Last) -> Last;
repeat(N, _) ->
    Ten = church(10),
    Thousand = power(church(3), Ten),
    Sum = sum_cps(lists:seq(1, 2000), fun(S) -> S end),
    Compose = lists:foldl(fun(K, F) -> fun(X) -> F(X + K) end end, fun(X) -> X end,
                          lists:seq(1, 500)),
    {Parsed, []} = (sum_parser())(lists:append(lists:duplicate(60, "12+345+")) ++ "6"),
    repeat(N - 1, {to_integer(Thousand), Sum, Compose(1), Parsed}).

church(0) -> fun(_) -> fun(X) -> X end end;
church(N) ->
    Less = church(N - 1),
    fun(F) -> G = Less(F), fun(X) -> F(G(X)) end end.

power(Base, Exponent) ->
    (Exponent(fun(N) -> times(Base, N) end))(church(1)).
times(M, N) -> fun(F) -> M(N(F)) end.

to_integer(Church) -> (Church(fun(N) -> N + 1 end))(0).

sum_cps([], K) -> K(0);
sum_cps([X | Xs], K) -> sum_cps(Xs, fun(S) -> K(X + S) end).

digit() ->
    fun([C | Rest]) when C >= $0, C =< $9 -> {C - $0, Rest};
       (_) -> fail
    end.

character(Wanted) ->
    fun([C | Rest]) when C =:= Wanted -> {C, Rest};
       (_) -> fail
    end.

many(Parser) ->
    fun Loop(Input) ->
        case Parser(Input) of
            fail -> {[], Input};
            {X, Rest} ->
                {Xs, Left} = Loop(Rest),
                {[X | Xs], Left}
        end
    end.

then(Parser, Next) ->
    fun(Input) ->
        case Parser(Input) of
            fail -> fail;
            {X, Rest} -> (Next(X))(Rest)
        end
    end.

return(X) -> fun(Input) -> {X, Input} end.

number() -> then(many(digit()), fun(Ds) -> return(lists:foldl(fun(D, N) -> 10 * N + D end, 0, Ds)) end).

sum_parser() ->
    then(number(), fun(First) ->
        then(many(then(character($+), fun(_) -> number() end)), fun(Others) ->
            return(First + lists:sum(Others))
        end)
    end).
