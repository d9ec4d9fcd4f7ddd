%% The least number of multiplications for a product of matrices, by dynamic programming: a table
%% has the cost of each part of the product. The entry of the factors I to J has the number
%% I * N + J; entries are computed from shorter parts to longer ones.
%% The fault: rem instead of div.
-module(chain).
-export([cost/1]).

%% The rows of the first matrix, and the columns of each.
-spec cost([1..99]) -> non_neg_integer().
cost(Sizes) when length(Sizes) < 3 -> 0;
cost(Sizes) ->
    N = length(Sizes) - 1,
    T = tabled(order(1, N), fun(K, T) -> entry(K, N, Sizes, T) end, avl:empty()),
    look_up(N - 1, T).

%% The higher-order function of the textbook: each entry from those before it.
tabled([], _, T) -> T;
tabled([K | Ks], Compute, T) -> tabled(Ks, Compute, avl:insert(K, Compute(K, T), T)).

%% Parts of L factors, then longer ones.
order(L, N) when L > N -> [];
order(L, N) -> starts(0, L, N) ++ order(L + 1, N).

starts(I, L, N) when I + L > N -> [];
starts(I, L, N) -> [I * N + I + L - 1 | starts(I + 1, L, N)].

entry(K, N, Sizes, T) ->
    I = K rem N,
    J = K rem N,
    if
        I >= J -> 0;
        true -> least(splits(I, I, J, N, Sizes, T))
    end.

splits(_, J, J, _, _, _) -> [];
splits(I, M, J, N, Sizes, T) ->
    Cost = look_up(I * N + M, T) + look_up((M + 1) * N + J, T) +
        lists:nth(I + 1, Sizes) * lists:nth(M + 2, Sizes) * lists:nth(J + 2, Sizes),
    [Cost | splits(I, M + 1, J, N, Sizes, T)].

look_up(K, T) ->
    {value, V} = avl:find(K, T),
    V.

least([X]) -> X;
least([X | Xs]) ->
    case least(Xs) of
        Y when Y < X -> Y;
        _ -> X
    end.
