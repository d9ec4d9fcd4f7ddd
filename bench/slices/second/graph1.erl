-module(graph1).
-export([main/2]).

main(Edges, From) ->
    Graph = lists:foldl(fun({A, B, W}, G) -> link(A, B, W, G) end, #{}, Edges),
    {Seen, Order} = visit([From], Graph, [], []),
    Weight = lists:sum([W || {_, Out} <- maps:to_list(Graph), {_, W} <- Out]),
    Count = length(Seen),
    {Order, Weight, Count}.

link(A, B, W, G) ->
    Out = maps:get(A, G, []),
    G#{A => [{B, W} | Out]}.

visit([], _, Seen, Order) -> {Seen, lists:reverse(Order)};
visit([N | Ns], G, Seen, Order) ->
    case lists:member(N, Seen) of
        true -> visit(Ns, G, Seen, Order);
        false ->
            Next = [B || {B, _} <- maps:get(N, G, [])],
            visit(Next ++ Ns, G, [N | Seen], [N | Order])
    end.
