%% Higher-order functions of module lists, and comprehensions.
-module(folds).
-export([main/0]).

main() -> repeat(500, none).

repeat(0, Last) -> Last;
repeat(N, _) ->
    List = lists:seq(1, 4000),
    Squares = lists:map(fun(X) -> X * X end, List),
    Odd = lists:filter(fun(X) -> X rem 2 =:= 1 end, Squares),
    Sum = lists:foldl(fun(X, S) -> X + S end, 0, Odd),
    Product = lists:foldr(fun(X, P) -> (X * P) rem 1000003 end, 1, [X + 1 || X <- List]),
    {Low, High} = lists:partition(fun(X) -> X < 2000 end, List),
    Zipped = lists:zipwith(fun(X, Y) -> X * Y end, List, lists:reverse(List)),
    Any = lists:any(fun(X) -> X > 3999 end, List),
    Grouped = lists:foldl(fun({K, V}, [{K, Vs} | Rest]) -> [{K, [V | Vs]} | Rest];
                             ({K, V}, Rest) -> [{K, [V]} | Rest]
                          end, [], [{X div 10, X} || X <- List]),
    Flat = lists:flatmap(fun({_, Vs}) -> Vs end, Grouped),
    Mapped = lists:mapfoldl(fun(X, Acc) -> {X + Acc, Acc bxor X} end, 0, List),
    Pairs = length([ok || X <- lists:seq(1, 60), Y <- lists:seq(X, 60), (X + Y) rem 7 =:= 0]),
    repeat(N - 1, {Sum, Product, length(Low), length(High), lists:sum(Zipped), Any, length(Flat),
                   element(2, Mapped), Pairs, lists:member(3999, Flat)}).
