%% Lists reversed in two ways.
-module(turned).
-export([reverse/1, linear/1]).

reverse([]) -> [];
reverse([X | Xs]) -> append(reverse(Xs), [X]).

append([], Ys) -> Ys;
append([X | Xs], Ys) -> [X | append(Xs, Ys)].

linear(L) -> fold(flip(fun(X, Xs) -> [X | Xs] end), [], L).

fold(_, Acc, []) -> Acc;
fold(F, Acc, [X | Xs]) -> fold(F, F(Acc, X), Xs).

flip(F) -> fun(A, B) -> F(B, A) end.
