%% Patterns, guards and bodies down to their parts.
%% RUN: fathom parse --format core %s
-module(functions).
-export([max_of/1, area/1]).
max_of([X]) -> X;
max_of([X, Y | T]) when X > Y; not is_number(Y) -> max_of([X | T]);
max_of([_ | T]) -> max_of(T).
area({circle, R}) -> 3.14 * R * R;
area({square, A} = S) when tuple_size(S) =:= 2 -> A * A.
