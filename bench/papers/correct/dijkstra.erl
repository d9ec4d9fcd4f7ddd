%% The distances of the nodes of a directed graph from one of them. The border is a heap of nodes with
%% the distances by which they were seen; a node may be there several times. Graph, border and result
%% are tables of their own kinds.
-module(dijkstra).
-export([distances/2]).

-type graph_node() :: pos_integer().
-type edge() :: {graph_node(), graph_node(), non_neg_integer()}.

-spec distances(graph_node(), [edge()]) -> [{graph_node(), non_neg_integer()}].
distances(From, Edges) ->
    Graph = graph(Edges, avl:insert(From, [], avl:empty())),
    Border = heap:insert({0, From}, heap:empty()),
    avl:to_list(visit(size(avl:to_list(Graph), 0), Border, Graph, avl:empty())).

%% The edges by the nodes that they leave; every node has an entry.
graph([], G) -> G;
graph([{A, B, W} | Edges], G) ->
    graph(Edges, avl:insert(A, [{B, W} | edges_of(A, G)], with_node(B, with_node(A, G)))).

with_node(A, G) ->
    case avl:find(A, G) of
        none -> avl:insert(A, [], G);
        {value, _} -> G
    end.

size([], N) -> N;
size([_ | L], N) -> size(L, N + 1).

%% Left: how many nodes are not finished yet.
visit(0, _, _, Done) -> Done;
visit(Left, Border, G, Done) ->
    case heap:is_empty(Border) of
        true -> Done;
        false ->
            {D, A} = heap:least(Border),
            Rest = heap:delete(Border),
            case avl:find(A, Done) of
                {value, _} -> visit(Left, Rest, G, Done);
                none ->
                    visit(Left - 1, reach(edges_of(A, G), D, Done, Rest), G, avl:insert(A, D, Done))
            end
    end.

edges_of(A, G) ->
    case avl:find(A, G) of
        none -> [];
        {value, Next} -> Next
    end.

%% The neighbours that are not finished are at the border.
reach([], _, _, Border) -> Border;
reach([{B, W} | Next], D, Done, Border) ->
    case avl:find(B, Done) of
        {value, _} -> reach(Next, D, Done, Border);
        none -> reach(Next, D, Done, heap:insert({D + W, B}, Border))
    end.
