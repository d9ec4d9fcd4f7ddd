f(X) ->
    m:f(X), M:F(), (fun g/0)(), "a" "b",
    {$e, $\^A, $\x{41}, $\101, $\\, $', $\s, $ },
    {1.5, 2.0e-10, 1_0.0_1, 16#FF, 123456789012345678901234567890, -1.0e300},
    A = B = {X, [Y, Z | T], []},
    X ! Y ! Z, [1] ++ [2] -- [3] ++ [4],
    1 + 2 * 3 - 4 div 5 rem 6 / 7 band 8 bor 9 bxor 10 bsl 11 bsr 12,
    ((1 + 2) * 3) - (4 - 5), - - 1, not X and Y or Z xor bnot - + 1,
    X == Y andalso X /= Y, (X =< Y) =:= (X < Y), X >= Y, X > Y orelse X =/= Y,
    (catch f(X)), begin a, b end, 'quoted atom', '\x{3b1}', été.
