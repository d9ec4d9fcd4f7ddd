%% Strassen's multiplication of matrices of 1, 2, 4, … rows. Below the cut-off rows are multiplied
%% by columns.
-module(strassen).
-export([multiply/3, are_square/2]).

-type matrix() :: [[integer()]].

-spec multiply(1..4, matrix(), matrix()) -> matrix().
multiply(Cut, A, B) when length(A) =< Cut -> by_rows(A, transpose(B));
multiply(Cut, A, B) ->
    {A11, A12, A21, A22} = quarters(A),
    {B11, B12, B21, B22} = quarters(B),
    M1 = multiply(Cut, add(A11, A22), add(B11, B22)),
    M2 = multiply(Cut, add(A21, A22), B11),
    M3 = multiply(Cut, A11, subtract(B12, B22)),
    M4 = multiply(Cut, A22, subtract(B21, B11)),
    M5 = multiply(Cut, add(A11, A12), B22),
    M6 = multiply(Cut, subtract(A21, A11), add(B11, B12)),
    M7 = multiply(Cut, subtract(A12, A22), add(B21, B22)),
    join(add(subtract(add(M1, M4), M5), M7), add(M3, M5),
         add(M2, M4), add(add(subtract(M1, M2), M3), M6)).

%% Two square matrices of 1, 2 or 4 rows each.
are_square(A, B) ->
    N = length(A),
    lists:member(N, [1, 2, 4]) andalso length(B) =:= N andalso has_rows(A, N) andalso
        has_rows(B, N).

has_rows([], _) -> true;
has_rows([Row | Rows], N) -> length(Row) =:= N andalso has_rows(Rows, N).

by_rows([], _) -> [];
by_rows([Row | Rows], Columns) -> [by_columns(Row, Columns) | by_rows(Rows, Columns)].

by_columns(_, []) -> [];
by_columns(Row, [Column | Columns]) -> [product(Row, Column) | by_columns(Row, Columns)].

product([], []) -> 0;
product([X | Xs], [Y | Ys]) -> X * Y + product(Xs, Ys).

transpose([[] | _]) -> [];
transpose(Rows) -> [heads(Rows) | transpose(tails(Rows))].

heads([]) -> [];
heads([[X | _] | Rows]) -> [X | heads(Rows)].

tails([]) -> [];
tails([[_ | Xs] | Rows]) -> [Xs | tails(Rows)].

quarters(A) ->
    Half = length(A) div 2,
    {Upper, Lower} = split(Half, A),
    {A11, A12} = halves(Half, Upper),
    {A21, A22} = halves(Half, Lower),
    {A11, A12, A21, A22}.

halves(_, []) -> {[], []};
halves(Half, [Row | Rows]) ->
    {L, R} = split(Half, Row),
    {Ls, Rs} = halves(Half, Rows),
    {[L | Ls], [R | Rs]}.

split(0, L) -> {[], L};
split(N, [X | Xs]) ->
    {A, B} = split(N - 1, Xs),
    {[X | A], B}.

join(A11, A12, A21, A22) -> append(beside(A11, A12), beside(A21, A22)).

beside([], []) -> [];
beside([L | Ls], [R | Rs]) -> [append(L, R) | beside(Ls, Rs)].

append([], L) -> L;
append([X | Xs], L) -> [X | append(Xs, L)].

add([], []) -> [];
add([X | Xs], [Y | Ys]) -> [add_rows(X, Y) | add(Xs, Ys)].

add_rows([], []) -> [];
add_rows([X | Xs], [Y | Ys]) -> [X + Y | add_rows(Xs, Ys)].

subtract([], []) -> [];
subtract([X | Xs], [Y | Ys]) -> [subtract_rows(X, Y) | subtract(Xs, Ys)].

subtract_rows([], []) -> [];
subtract_rows([X | Xs], [Y | Ys]) -> [X - Y | subtract_rows(Xs, Ys)].
