-module(control).
-export([caught/1, either/2, effects/3, deep/1, loop/3]).

%% The call may raise; what it returns is not needed.
caught(A) ->
    B = 10,
    try
        C = risky(A),
        io:format("~p~n", [C])
    catch
        _:_ -> io:format("~p~n", [B])
    end.
risky(0) -> throw(zero);
risky(A) -> A * 2.

%% One side of an operator decides about the other.
either(X, Y) ->
    P = X > 1,
    Q = Y * 2,
    P andalso io:format("~p~n", [Q]).

%% Operands that do something.
effects(A, B, C) ->
    X = foo(A) + begin Y = B + 1, Y end * foo(C),
    io:format("~p~n", [X]),
    Y.
foo(X) -> X - 1.

%% Exceptions through functions.
deep(X) ->
    R = try outer(X) catch throw:T -> {thrown, T} end,
    R.
outer(X) ->
    Unused = X * 3,
    middle(X),
    {Unused, X}.
middle(1) -> throw(one);
middle(_) -> ok.

%% Two counters of one loop.
loop(X, It, Shown) when X < 10 ->
    io:format("~p~n", [X]),
    loop(X + 2, It + 1, [X | Shown]);
loop(_, It, Shown) ->
    {It, Shown}.
