-module(tree).
-export([main/1]).

main(Xs) ->
    Tree = lists:foldl(fun(X, T) -> insert(X, X * X, T) end, leaf, Xs),
    Depth = depth(Tree),
    Sum = sum(Tree),
    {Depth, Sum}.

insert(K, V, leaf) -> {node, K, V, leaf, leaf};
insert(K, V, {node, K1, V1, L, R}) when K < K1 -> {node, K1, V1, insert(K, V, L), R};
insert(K, V, {node, K1, V1, L, R}) -> {node, K1, V1, L, insert(K, V, R)}.

depth(leaf) -> 0;
depth({node, _, _, L, R}) -> 1 + max(depth(L), depth(R)).

sum(leaf) -> 0;
sum({node, _, V, L, R}) -> sum(L) + V + sum(R).
