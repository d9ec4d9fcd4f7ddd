%% Types that contain themselves, for generators.
-module(tree).
-export([sum/1, find/2]).

-type tree(A) :: leaf | {node, tree(A), A, tree(A)}.
-type options() :: #{depth => 0..9, name := atom()}.

-spec sum(tree(integer())) -> integer().
sum(leaf) -> 0;
sum({node, L, X, R}) -> sum(L) + X + sum(R).

-spec find([tree(boolean())], options()) -> boolean().
find([], _) -> false;
find([{node, _, true, _} | _], #{depth := D}) when D > 3 -> true;
find([_ | T], O) -> find(T, O).
