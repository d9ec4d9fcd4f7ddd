%% Small functions with clauses of all kinds, for fathom gen.
-module(small).
-export([sort/1, classify/1, member/2, part/2, area/1, arith/2, gcd/2]).

-spec sort([integer()]) -> [integer()].
sort(L) -> bsort(L, []).
bsort([], Acc) -> Acc;
bsort([H | T], Acc) -> {NT, Max} = bubble(H, T), bsort(NT, [Max | Acc]).
bubble(X, []) -> {[], X};
bubble(X, [Y | T]) when X > Y -> {NT, Max} = bubble(X, T), {[Y | NT], Max};
bubble(X, [Y | T]) when X =< Y -> {NT, Max} = bubble(Y, T), {[X | NT], Max}.

classify(X) when is_integer(X), X > 100 -> big;
classify(X) when is_integer(X) -> small;
classify(foo) -> foo;
classify([]) -> empty;
classify([_ | _]) -> list;
classify({ok, V}) -> {value, V};
classify({error, _}) -> err;
classify(_) -> other.

member(_, []) -> false;
member(X, [X | _]) -> true;
member(X, [_ | T]) -> member(X, T).

part(_, []) -> {[], []};
part(P, [H | T]) ->
    {A, B} = part(P, T),
    if H < P -> {[H | A], B};
       true -> {A, [H | B]}
    end.

area({circle, R}) -> 3 * R * R;
area({rect, A, B}) -> A * B;
area({square, A}) when A > 0 -> A * A.

arith(X, Y) ->
    case X * 3 + Y of
        123456789 when X > Y -> hit;
        _ -> case X div (Y - 7) of 5 -> five; _ -> miss end
    end.

-spec gcd(integer(), integer()) -> integer().
gcd(X, Y) when X > 0, Y > 0, X > Y -> gcd(X - Y, Y);
gcd(X, Y) when X > 0, Y > 0 -> gcd(X, Y - X);
gcd(X, Y) -> X + Y.
