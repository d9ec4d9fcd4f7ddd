%% Sorting by a heap.
%% The fault: the last element is left in the heap.
-module(heapsort).
-export([sort/1]).

-spec sort([integer()]) -> [integer()].
sort(L) -> drain(fill(L, heap:empty())).

fill([], H) -> H;
fill([X | Xs], H) -> fill(Xs, heap:insert(X, H)).

drain(H) ->
    case heap:is_empty(heap:delete(H)) of
        true -> [];
        false -> [heap:least(H) | drain(heap:delete(H))]
    end.
