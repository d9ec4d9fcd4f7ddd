%% Clauses that few inputs reach.
-module(rare).
-export([eq/1, quad/2, quad2/2, bits/1, sum/1, map/1, func/1, str/1, flt/1, chk/1, atm/1]).
eq(X) when X =:= 123456789 -> hit; eq(_) -> miss.
%% No square leaves 2 when it is divided by 3: nothing hits.
quad(X, Y) -> case X * X - 3 * Y of 11 -> hit; _ -> miss end.
quad2(X, Y) -> case X * X - 3 * Y of 10 when X > 5 -> hit; _ -> miss end.
bits(<<_:3, 42:7, _/bitstring>>) -> hit; bits(_) -> miss.
sum(L) when length(L) > 3 -> case lists:sum(L) of 97 -> hit; _ -> miss end; sum(_) -> short.
map(#{a := 1, b := 2, c := X}) when X > 10 -> hit; map(_) -> miss.
func(F) when is_function(F, 1) -> case {F(4), F(5)} of {42, 17} -> hit; _ -> miss end.
str(S) when is_list(S) -> case list_to_integer(S) of 42 -> hit; _ -> miss end.
flt(X) when is_float(X), X > 1.5, X < 1.75 -> hit; flt(_) -> miss.
chk(<<A, B, C>>) when C =:= (A + B) band 255, A > 10, B > 20 -> hit; chk(_) -> miss.
atm(X) -> case list_to_existing_atom("error") of X -> hit; _ -> miss end.
