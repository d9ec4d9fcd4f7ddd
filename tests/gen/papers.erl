%% The programs of the papers on test generation, each with a fault in the version `faulty_…`.
-module(papers).
-export([avl/1, faulty_avl/1, heapsort/1, faulty_heapsort/1, kruskal/1, faulty_kruskal/1,
         dijkstra/1, faulty_dijkstra/1, chain/1, faulty_chain/1, ticket/6, faulty_ticket/6,
         transpose/1, faulty_transpose/1, append/2, faulty_append/2]).

%% ---- AVL trees: insertion of all elements; the balance factors must hold.
-spec avl([integer()]) -> [integer()].
avl(L) -> keys(lists:foldl(fun(X, T) -> insert(X, T, ok) end, leaf, L)).
-spec faulty_avl([integer()]) -> [integer()].
faulty_avl(L) -> keys(lists:foldl(fun(X, T) -> insert(X, T, faulty) end, leaf, L)).

insert(X, leaf, _) -> {node, 1, leaf, X, leaf};
insert(X, {node, _, L, Y, R}, M) when X < Y -> balance(insert(X, L, M), Y, R, M);
insert(X, {node, _, L, Y, R}, M) when X > Y -> balance(L, Y, insert(X, R, M), M);
insert(_, T, _) -> T.

height(leaf) -> 0;
height({node, H, _, _, _}) -> H.
node(L, X, R) -> {node, 1 + max(height(L), height(R)), L, X, R}.

balance({node, _, LL, X, LR} = L, Y, R, M) ->
    case height(L) - height(R) of
        2 ->
            case height(LL) >= height(LR) of
                true -> node(LL, X, node(LR, Y, R));
                false ->
                    {node, _, LRL, Z, LRR} = LR,
                    case M of
                        ok -> node(node(LL, X, LRL), Z, node(LRR, Y, R));
                        faulty -> node(node(LL, X, LRR), Z, node(LRL, Y, R))
                    end
            end;
        _ -> right(L, Y, R)
    end;
balance(L, Y, R, _) -> right(L, Y, R).

right(L, X, {node, _, RL, Y, RR} = R) ->
    case height(R) - height(L) of
        2 ->
            case height(RR) >= height(RL) of
                true -> node(node(L, X, RL), Y, RR);
                false -> {node, _, RLL, Z, RLR} = RL, node(node(L, X, RLL), Z, node(RLR, Y, RR))
            end;
        _ -> node(L, X, R)
    end;
right(L, X, R) -> node(L, X, R).

keys(leaf) -> [];
keys({node, _, L, X, R}) -> keys(L) ++ [X | keys(R)].

%% ---- Heapsort: the fault takes the wrong child.
-spec heapsort([integer()]) -> [integer()].
heapsort(L) -> drain(lists:foldl(fun(X, H) -> meld({X, e, e}, H, ok) end, e, L), ok).
-spec faulty_heapsort([integer()]) -> [integer()].
faulty_heapsort(L) ->
    drain(lists:foldl(fun(X, H) -> meld({X, e, e}, H, faulty) end, e, L), faulty).

meld(e, H, _) -> H;
meld(H, e, _) -> H;
meld({X, L1, R1}, {Y, _, _} = H2, M) when X =< Y -> {X, meld(R1, H2, M), L1};
meld({X, _, _} = H1, {Y, L2, R2}, ok) -> true = X > Y, {Y, meld(H1, R2, ok), L2};
meld({X, _, _} = H1, {Y, L2, R2}, faulty) -> true = X > Y, {Y, meld(R2, H1, faulty), R2 =:= L2}.

drain(e, _) -> [];
drain(true, _) -> [];
drain(false, _) -> [];
drain({X, L, R}, M) when is_boolean(R) -> [X | drain(L, M)];
drain({X, L, R}, M) when is_boolean(L) -> [X | drain(R, M)];
drain({X, L, R}, M) -> [X | drain(meld(L, R, M), M)].

%% ---- Kruskal: edges {Weight, A, B} of a graph with nodes 1 to 4. The textbook's error: the roots
%% are compared with the nodes and not with each other.
-type edge() :: {0..9, 1..4, 1..4}.
-spec kruskal([edge()]) -> non_neg_integer().
kruskal(Es) -> kruskal(lists:sort(Es), #{}, 0, ok).
-spec faulty_kruskal([edge()]) -> non_neg_integer().
faulty_kruskal(Es) -> kruskal(lists:sort(Es), #{}, 0, faulty).

kruskal([], _, Sum, _) -> Sum;
kruskal([{W, A, B} | Es], Parents, Sum, M) ->
    RA = root(A, Parents),
    RB = root(B, Parents),
    Same = case M of ok -> RA =:= RB; faulty -> RA =:= B end,
    case Same of
        true -> kruskal(Es, Parents, Sum, M);
        false when RA =:= RB -> kruskal(Es, Parents, Sum + W, M);
        false -> kruskal(Es, Parents#{RA => RB}, Sum + W, M)
    end.

root(A, Parents) ->
    case Parents of
        #{A := B} -> root(B, Parents);
        _ -> A
    end.

%% ---- Dijkstra: the distance from 1 to 3; the fault keeps the first distance.
-spec dijkstra([{1..3, 1..3, 0..9}]) -> non_neg_integer() | none.
dijkstra(Es) -> relax(Es, #{1 => 0}, 3, ok).
-spec faulty_dijkstra([{1..3, 1..3, 0..9}]) -> non_neg_integer() | none.
faulty_dijkstra(Es) -> relax(Es, #{1 => 0}, 3, faulty).

relax(_, D, 0, _) -> maps:get(3, D, none);
relax(Es, D, N, M) -> relax(Es, lists:foldl(fun(E, Acc) -> step(E, Acc, M) end, D, Es), N - 1, M).

step({A, B, W}, D, M) ->
    case D of
        #{A := X, B := Y} when M =:= ok, X + W < Y -> D#{B := X + W};
        #{A := _, B := _} -> D;
        #{A := X} -> D#{B => X + W};
        _ -> D
    end.

%% ---- Matrix chain: the least number of multiplications; the fault never splits at the end.
-spec chain([1..9]) -> non_neg_integer().
chain(Ds) -> cost(Ds, ok).
-spec faulty_chain([1..9]) -> non_neg_integer().
faulty_chain(Ds) -> cost(Ds, faulty).

cost([A, B, C], _) -> A * B * C;
cost([A, B, C, D], ok) -> lesser(A * B * C + A * C * D, B * C * D + A * B * D);
cost([A, B, C, D], faulty) -> A * B * C + A * C * D;
cost(_, _) -> 0.

lesser(X, Y) when X < Y -> X;
lesser(_, Y) -> Y.

%% ---- Train ticket: the price in cents; the fault forgets that children under 6 go free at night.
-spec ticket(0..120, boolean(), boolean(), 1..2, 0..1000, 0..23) -> non_neg_integer().
ticket(Age, Card, Return, Class, Km, Hour) -> price(Age, Card, Return, Class, Km, Hour, ok).
-spec faulty_ticket(0..120, boolean(), boolean(), 1..2, 0..1000, 0..23) -> non_neg_integer().
faulty_ticket(Age, Card, Return, Class, Km, Hour) ->
    price(Age, Card, Return, Class, Km, Hour, faulty).

price(Age, _, _, _, _, Hour, ok) when Age < 6, Hour =:= 3 -> 0;
price(Age, _, _, _, _, Hour, _) when Age < 6, Hour =/= 3 -> 0;
price(Age, Card, Return, Class, Km, Hour, M) when Return ->
    2 * price(Age, Card, false, Class, Km, Hour, M) - 100;
price(Age, true, _, Class, Km, Hour, M) when Age >= 60 ->
    price(Age, false, false, Class, Km, Hour, M) div 2;
price(_, _, _, Class, Km, Hour, _) ->
    Base = if Km < 50 -> 500; Km < 300 -> 500 + Km * 10; true -> 3500 + Km * 5 end,
    Night = if Hour >= 22 -> 300; true -> 0 end,
    case Class of 1 -> Base * 2 + Night; 2 -> Base + Night end.

%% ---- Lists.
-spec transpose([[integer()]]) -> [[integer()]].
transpose([[] | _]) -> [];
transpose([]) -> [];
transpose(Rows) -> [heads(Rows) | transpose(tails(Rows))].
-spec faulty_transpose([[integer()]]) -> [[integer()]].
faulty_transpose([[] | _]) -> [];
faulty_transpose([]) -> [];
faulty_transpose(Rows) -> [heads(Rows) | faulty_transpose(tails(tl(Rows)))].
heads([]) -> [];
heads([[H | _] | Rows]) -> [H | heads(Rows)].
tails([]) -> [];
tails([[_ | T] | Rows]) -> [T | tails(Rows)].

-spec append([integer()], [integer()]) -> [integer()].
append([], L) -> L;
append([H | T], L) -> [H | append(T, L)].
-spec faulty_append([integer()], [integer()]) -> [integer()].
faulty_append([], L) -> L;
faulty_append([_], [H | T]) -> [H | T];
faulty_append([H | T], L) -> [H | faulty_append(T, L)].
