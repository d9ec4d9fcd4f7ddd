-module(constants).
-export([main/2]).

main(X, Y) ->
    Mode = mode(2),
    A = pick(Mode, X, Y),
    B = case {Mode, X} of
            {slow, _} -> twice(Y);
            {fast, 0} -> half(Y);
            {fast, N} -> N + Y;
            _ -> none
        end,
    C = if Mode =:= slow -> A; true -> B end,
    {A, B, C}.

mode(1) -> slow;
mode(2) -> fast;
mode(_) -> unknown.

pick(slow, X, _) -> twice(X);
pick(fast, X, Y) -> {X, Y};
pick(_, _, _) -> none.

twice(N) -> 2 * N.

half(N) -> N div 2.
