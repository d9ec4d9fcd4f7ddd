%% Funs and comprehensions are functions of their own.
%% RUN: fathom parse --format core %s
-module(funs).
-export([f/2, g/1, h/1]).
f(X, L) -> F = fun(Y) when Y > X -> Y; (X) -> [X | L] end, F(L).
g(L) -> [{X, Y} || {X, Ys} <- L, X > 1, Y <- Ys].
h(B) -> << <<X:4>> || <<X:8>> <= B, X =/= 0 >>.
