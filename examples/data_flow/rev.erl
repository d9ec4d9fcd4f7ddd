%% Lists, reversed; wrongly, which tests that cover every branch do not notice.
-module(rev).
-export([reverse/1]).

reverse([]) -> [];
reverse([X | Xs]) -> append(reverse(Xs), [X]).

append([], Ys) -> Ys;
append([X | Xs], Ys) -> [X | append(Ys, Xs)].
