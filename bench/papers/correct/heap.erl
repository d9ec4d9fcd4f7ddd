%% Leftist heaps: the path to the right is the shortest one to an empty heap.
-module(heap).
-export([from_list/1, without_least/1, empty/0, is_empty/1, insert/2, least/1, delete/1]).
-export_type([heap/1]).

-type heap(A) :: empty | {heap, pos_integer(), A, heap(A), heap(A)}.

-spec from_list([integer()]) -> heap(integer()).
from_list(L) -> from_list(L, empty()).

from_list([], H) -> H;
from_list([X | Xs], H) -> from_list(Xs, insert(X, H)).

-spec without_least([integer()]) -> heap(integer()).
without_least(L) -> delete(from_list(L)).

empty() -> empty.

is_empty(empty) -> true;
is_empty({heap, _, _, _, _}) -> false.

insert(X, H) -> merge({heap, 1, X, empty, empty}, H).

least({heap, _, X, _, _}) -> X.

delete(empty) -> empty;
delete({heap, _, _, A, B}) -> merge(A, B).

merge(H, empty) -> H;
merge(empty, H) -> H;
merge({heap, _, X, A, B}, {heap, _, Y, _, _} = H) when X =< Y -> make(X, A, merge(B, H));
merge(H, {heap, _, Y, A, B}) -> make(Y, A, merge(H, B)).

make(X, A, B) ->
    case rank(A) >= rank(B) of
        true -> {heap, rank(B) + 1, X, A, B};
        false -> {heap, rank(A) + 1, X, B, A}
    end.

rank(empty) -> 0;
rank({heap, R, _, _, _}) -> R.
