%% Types, specs and callbacks.
%% RUN: fathom parse --lint --stats --otp-release 28 %s > /dev/null
-module(types).
-export([size/1]).
-export_type([tree/0, stack/1]).
-type tree(T) :: leaf | {tree(T), T, tree(T)}.
-type pair(A) :: {first, second}.
-type small() :: 9..0.
-type tree(T) :: [T].

-spec size(tre(X)) -> non_neg_integer().
-spec depth(tree(term())) -> integer().
-callback init(Options :: options()) -> ok.
-optional_callbacks([terminate/1]).

size(leaf) -> 0;
size({L, _, R}) -> size(L) + 1 + size(R).
%% EXIT: 1
