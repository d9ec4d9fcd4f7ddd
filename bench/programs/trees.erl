%% OTP's data structures: gb_trees, dict, ordsets, queue, array.
-module(trees).
-export([main/0]).

main() ->
    Keys = keys(100000, 17, []),
    Tree = lists:foldl(fun(K, T) -> gb_trees:enter(K, K * 2, T) end, gb_trees:empty(), Keys),
    Found = lists:sum([gb_trees:get(K, Tree) || K <- Keys]),
    Dict = lists:foldl(fun(K, D) -> dict:update_counter(K rem 500, 1, D) end, dict:new(), Keys),
    Set = lists:foldl(fun(K, S) -> ordsets:add_element(K rem 100, S) end, ordsets:new(), Keys),
    Array = lists:foldl(fun(K, A) -> array:set(K rem 2000, K, A) end, array:new(2000), Keys),
    Queue = lists:foldl(fun(K, Q) -> rotate(queue:in(K, Q)) end, queue:from_list([1, 2, 3]), Keys),
    {gb_trees:size(Tree), Found, lists:sum([N || {_, N} <- dict:to_list(Dict)]),
     length(Set), lists:sum([X || X <- array:to_list(Array), is_integer(X)]), queue:len(Queue)}.

keys(0, _, Keys) -> Keys;
keys(N, Seed, Keys) ->
    Next = (Seed * 1103515245 + 12345) band 16#7FFFFFFF,
    keys(N - 1, Next, [Next bsr 7 | Keys]).

rotate(Queue) ->
    {{value, X}, Rest} = queue:out(Queue),
    queue:in(X, Rest).
