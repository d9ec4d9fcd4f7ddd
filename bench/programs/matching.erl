%% Patterns with many clauses: derivatives and their simplification, a lexer's tables.
-module(matching).
-export([main/0]).

main() -> repeat(12000, none).

repeat(0, Last) -> Last;
repeat(N, _) ->
    E = expression(6),
    D = simplify(derive(E, x)),
    Weekdays = lists:sum([number(day(I rem 7)) * month(I rem 12) || I <- lists:seq(1, 500)]),
    repeat(N - 1, {size_of(E), size_of(D), eval(D, 3), Weekdays}).

expression(0) -> x;
expression(N) when N rem 3 =:= 0 -> {'+', {'*', N, expression(N - 1)}, {'-', expression(N - 1), 1}};
expression(N) when N rem 3 =:= 1 -> {'*', expression(N - 1), {'^', x, N}};
expression(N) -> {'-', {neg, expression(N - 1)}, {'+', expression(N - 1), 0}}.

derive(N, _) when is_integer(N) -> 0;
derive(X, X) -> 1;
derive(Y, _) when is_atom(Y) -> 0;
derive({'+', A, B}, X) -> {'+', derive(A, X), derive(B, X)};
derive({'-', A, B}, X) -> {'-', derive(A, X), derive(B, X)};
derive({'*', A, B}, X) -> {'+', {'*', derive(A, X), B}, {'*', A, derive(B, X)}};
derive({'^', A, N}, X) when is_integer(N) -> {'*', {'*', N, {'^', A, N - 1}}, derive(A, X)};
derive({neg, A}, X) -> {neg, derive(A, X)}.

simplify({Op, A, B}) -> rule({Op, simplify(A), simplify(B)});
simplify({neg, A}) -> rule({neg, simplify(A)});
simplify(E) -> E.

rule({'+', 0, E}) -> E;
rule({'+', E, 0}) -> E;
rule({'+', A, B}) when is_integer(A), is_integer(B) -> A + B;
rule({'-', E, 0}) -> E;
rule({'-', 0, E}) -> {neg, E};
rule({'-', A, B}) when is_integer(A), is_integer(B) -> A - B;
rule({'-', E, E}) -> 0;
rule({'*', 0, _}) -> 0;
rule({'*', _, 0}) -> 0;
rule({'*', 1, E}) -> E;
rule({'*', E, 1}) -> E;
rule({'*', A, B}) when is_integer(A), is_integer(B) -> A * B;
rule({'*', A, {'*', B, E}}) when is_integer(A), is_integer(B) -> {'*', A * B, E};
rule({'^', _, 0}) -> 1;
rule({'^', E, 1}) -> E;
rule({neg, {neg, E}}) -> E;
rule({neg, N}) when is_integer(N) -> -N;
rule(E) -> E.

eval(N, _) when is_integer(N) -> N;
eval(x, X) -> X;
eval({'+', A, B}, X) -> (eval(A, X) + eval(B, X)) rem 1000003;
eval({'-', A, B}, X) -> eval(A, X) - eval(B, X);
eval({'*', A, B}, X) -> (eval(A, X) * eval(B, X)) rem 1000003;
eval({'^', A, N}, X) -> power(eval(A, X), N);
eval({neg, A}, X) -> -eval(A, X).

power(_, 0) -> 1;
power(X, N) -> X * power(X, N - 1) rem 1000003.

size_of({_, A, B}) -> 1 + size_of(A) + size_of(B);
size_of({_, A}) -> 1 + size_of(A);
size_of(_) -> 1.

day(0) -> monday;
day(1) -> tuesday;
day(2) -> wednesday;
day(3) -> thursday;
day(4) -> friday;
day(5) -> saturday;
day(6) -> sunday.

number(monday) -> 1;
number(tuesday) -> 2;
number(wednesday) -> 3;
number(thursday) -> 4;
number(friday) -> 5;
number(saturday) -> 6;
number(sunday) -> 7.

month(0) -> 31;
month(1) -> 28;
month(2) -> 31;
month(3) -> 30;
month(4) -> 31;
month(5) -> 30;
month(6) -> 31;
month(7) -> 31;
month(8) -> 30;
month(9) -> 31;
month(10) -> 30;
month(11) -> 31.
