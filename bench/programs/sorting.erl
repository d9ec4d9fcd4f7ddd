%% Sorting: quicksort with comprehensions, merge sort, and those of module lists.
-module(sorting).
-export([main/0]).

main() ->
    List = random(120000, 42, []),
    Pairs = [{X rem 1000, X} || X <- List],
    Sorted = quicksort(List),
    Sorted = mergesort(List),
    Sorted = lists:sort(List),
    ByKey = lists:keysort(1, Pairs),
    Down = lists:sort(fun(A, B) -> A >= B end, List),
    {lists:nth(60000, Sorted), lists:nth(60000, ByKey), hd(Down),
     length(lists:usort([X rem 1000 || X <- List]))}.

random(0, _, List) -> List;
random(N, Seed, List) ->
    Next = (Seed * 1103515245 + 12345) band 16#7FFFFFFF,
    random(N - 1, Next, [Next bsr 3 | List]).

quicksort([]) -> [];
quicksort([Pivot | Rest]) ->
    quicksort([X || X <- Rest, X < Pivot]) ++ [Pivot | quicksort([X || X <- Rest, X >= Pivot])].

mergesort([]) -> [];
mergesort([X]) -> [X];
mergesort(List) ->
    {Left, Right} = lists:split(length(List) div 2, List),
    merge(mergesort(Left), mergesort(Right)).

merge([X | Xs], [Y | _] = Ys) when X =< Y -> [X | merge(Xs, Ys)];
merge([_ | _] = Xs, [Y | Ys]) -> [Y | merge(Xs, Ys)];
merge([], Ys) -> Ys;
merge(Xs, []) -> Xs.
