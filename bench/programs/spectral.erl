%% Floats and comprehensions: the spectral norm of a matrix.
-module(spectral).
-export([main/0]).

main() ->
    N = 480,
    {U, V} = iterate(8, N, lists:duplicate(N, 1.0), []),
    round(math:sqrt(dot(U, V) / dot(V, V)) * 1.0e9).

iterate(0, _, U, V) -> {U, V};
iterate(Times, N, U, _) ->
    V = at_times_a(N, U),
    iterate(Times - 1, N, at_times_a(N, V), V).

at_times_a(N, U) ->
    Indices = lists:seq(0, N - 1),
    Inner = [row(I, 0, U, 0.0) || I <- Indices],
    [column(I, 0, Inner, 0.0) || I <- Indices].

row(_, _, [], Sum) -> Sum;
row(I, J, [X | Xs], Sum) -> row(I, J + 1, Xs, Sum + X * element(I, J)).

column(_, _, [], Sum) -> Sum;
column(I, J, [X | Xs], Sum) -> column(I, J + 1, Xs, Sum + X * element(J, I)).

-compile({no_auto_import, [element/2]}).
element(I, J) -> 1.0 / ((I + J) * (I + J + 1) div 2 + I + 1).

dot(Xs, Ys) -> dot(Xs, Ys, 0.0).
dot([], [], Sum) -> Sum;
dot([X | Xs], [Y | Ys], Sum) -> dot(Xs, Ys, Sum + X * Y).
