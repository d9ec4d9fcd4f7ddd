%% Lists: naive reverse.
-module(reverse).
-export([main/0]).

main() -> repeat(1200, lists:seq(1, 400), []).

repeat(0, _, Last) -> Last;
repeat(N, List, _) -> repeat(N - 1, List, nrev(List)).

nrev([]) -> [];
nrev([X | Xs]) -> append(nrev(Xs), [X]).

append([], Ys) -> Ys;
append([X | Xs], Ys) -> [X | append(Xs, Ys)].
