-module(base3).
-export([main/2]).

main(A, B) ->
    X = digits(A),
    Y = digits(B),
    {Sum, Carries} = add(X, Y, 0, 0),
    Product = mul(X, B),
    Shown = [$0 + D || D <- Sum],
    Value = value(Sum),
    {Shown, Value, Carries, Product}.

digits(N) when N < 3 -> [N];
digits(N) -> [N rem 3 | digits(N div 3)].

value([]) -> 0;
value([D | Ds]) -> D + 3 * value(Ds).

add([], [], 0, N) -> {[], N};
add([], [], C, N) -> {[C], N};
add([X | Xs], [], C, N) -> add([X | Xs], [0], C, N);
add([], Ys, C, N) -> add([0], Ys, C, N);
add([X | Xs], [Y | Ys], C, N) ->
    S = X + Y + C,
    {Rest, M} = add(Xs, Ys, S div 3, N + S div 3),
    {[S rem 3 | Rest], M}.

mul(_, 0) -> [0];
mul(Xs, N) ->
    {Sum, _} = add(Xs, mul(Xs, N - 1), 0, 0),
    Sum.
