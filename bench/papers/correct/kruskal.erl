%% A minimum spanning tree of an undirected graph: its edges, heaviest first. A heap holds the edges
%% by weight, a table the set of each node, by its least element.
-module(kruskal).
-export([tree/1]).

-type graph_node() :: pos_integer().
-type edge() :: {non_neg_integer(), graph_node(), graph_node()}.

-spec tree([edge()]) -> [edge()].
tree(Edges) ->
    Sets = singletons(Edges, avl:empty()),
    choose(fill(Edges, heap:empty()), Sets, count(avl:to_list(Sets)), []).

singletons([], T) -> T;
singletons([{_, X, Y} | Edges], T) -> singletons(Edges, avl:insert(Y, Y, avl:insert(X, X, T))).

fill([], H) -> H;
fill([E | Edges], H) -> fill(Edges, heap:insert(E, H)).

count([]) -> 0;
count([_ | L]) -> 1 + count(L).

%% Sets: how many there are at most.
choose(_, _, Sets, Tree) when Sets =< 1 -> Tree;
choose(H, T, Sets, Tree) ->
    case heap:is_empty(H) of
        true -> Tree;
        false ->
            {_, X, Y} = E = heap:least(H),
            case unite(X, Y, T) of
                {false, _} -> choose(heap:delete(H), T, Sets, Tree);
                {true, T1} -> choose(heap:delete(H), T1, Sets - 1, [E | Tree])
            end
    end.

%% Whether they were in two sets, and the table where they are in one.
unite(X, Y, T) ->
    {value, XV} = avl:find(X, T),
    {value, YV} = avl:find(Y, T),
    if
        XV =:= YV -> {false, T};
        YV < XV -> {true, rename(avl:to_list(T), XV, YV, T)};
        true -> {true, rename(avl:to_list(T), YV, XV, T)}
    end.

rename([], _, _, T) -> T;
rename([{N, From} | Rest], From, To, T) -> rename(Rest, From, To, avl:insert(N, To, T));
rename([_ | Rest], From, To, T) -> rename(Rest, From, To, T).
