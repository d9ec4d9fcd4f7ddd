-module(family).
-export([main/1]).

main(Name) ->
    People = [{anna, 61, [ben, cora]}, {ben, 38, [dan]}, {cora, 35, []}, {dan, 9, []}],
    {Name, Age, Children} = person(Name, People),
    Ages = [A || C <- Children, {_, A, _} <- [person(C, People)]],
    Depth = depth(Name, People),
    Oldest = lists:foldl(fun max/2, 0, Ages),
    Gap = Age - Oldest,
    {Depth, Gap, length(Children)}.

person(Name, [{Name, _, _} = P | _]) -> P;
person(Name, [_ | Rest]) -> person(Name, Rest).

depth(Name, People) ->
    {_, _, Children} = person(Name, People),
    1 + lists:foldl(fun(C, D) -> max(depth(C, People), D) end, 0, Children).
