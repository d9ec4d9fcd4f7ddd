f(X, Y) when X > 1, Y; is_atom(X) orelse not Y ->
    A = B = {X, [Y, Z | T], []},
    X ! Y ! Z,
    1 + 2 * 3 - 4 div 5 rem 6 / 7 band 8 bor 9 bxor 10 bsl 11 bsr 12,
    [1] ++ [2] -- [3] ++ [4],
    X == Y andalso X /= Y, X =< Y, X < Y, X >= Y, X > Y, X =:= Y orelse X =/= Y,
    not X and Y or Z xor bnot - + 1,
    (catch f(X)), - - 1, +(catch 1),
    m:f(X), M:F(), (m):(f), (fun g/0)(), f()(),
    begin a, b end,
    "a" "b",
    1.5.
f() -> ok;
f() -> {}.
