%% Every error of a file is reported, and the rest of it is read.
%% RUN: fathom parse --format erl %s
-module(errors).
-export([f/1, g/0, h/2]).
f(X) -> case X of 1 -> one; 2 -> two.
g() -> [1, 2.
h(A, B) -> A + * B;
h(A, B, C) -> A ++ B ++ C;
h(A, B) -> begin A, B.
i(A, B) -> ?UNDEFINED(A, B).
ok() -> fine.
%% OUT: -file("bad-errors.erl", 1).
%% OUT:
%% OUT: -module(errors).
%% OUT: -export([f/1, g/0, h/2]).
%% OUT:
%% OUT: % error: unexpected end of form: expected `,`, `;` or `end`
%% OUT: % error: unexpected end of form: expected `,` or `]`
%% OUT: % error: syntax error before `*`: expected an expression
%% OUT: % error: undefined macro ?UNDEFINED/2
%% OUT:
%% OUT: ok() -> fine.
%% ERR: bad-errors.erl:5:37: error: unexpected end of form: expected `,`, `;` or `end`
%% ERR:   f(X) -> case X of 1 -> one; 2 -> two.
%% ERR:                                       ^
%% ERR: bad-errors.erl:6:13: error: unexpected end of form: expected `,` or `]`
%% ERR:   g() -> [1, 2.
%% ERR:               ^
%% ERR: bad-errors.erl:7:16: error: syntax error before `*`: expected an expression
%% ERR:   h(A, B) -> A + * B;
%% ERR:                  ^
%% ERR: bad-errors.erl:8:1: error: head mismatch: this clause is of h/3, the function is h/2
%% ERR:   h(A, B, C) -> A ++ B ++ C;
%% ERR:   ^
%% ERR: bad-errors.erl:9:22: error: unexpected end of form: expected `,`, `;` or `end`
%% ERR:   h(A, B) -> begin A, B.
%% ERR:                        ^
%% ERR: bad-errors.erl:10:13: error: undefined macro ?UNDEFINED/2
%% ERR:   i(A, B) -> ?UNDEFINED(A, B).
%% ERR:               ^~~~~~~~~
%% EXIT: 1
