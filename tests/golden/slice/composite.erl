-module(composite).
-export([nested/2, through/1, unknown/1, pairs/1, only/2, decreasing/3, balanced/2, increasing/2, deeper/2, rotate/2]).

%% Only the list in the tuple.
nested(X, Y) ->
    {A, B} = {X, Y},
    Z = {[7], A},
    {[C], D} = Z,
    {B, C, D}.

%% Which element of the argument, through two functions.
through(Arg) ->
    {A, B} = middle(Arg),
    {A, B}.
middle(X) -> inner(X).
inner(X) ->
    {_A, B, C} = X,
    {B, C}.

%% Code that is not known takes all of it.
unknown(Arg) ->
    {A, B} = somewhere:else(Arg),
    {A, B}.

%% An element of a generator's pattern.
pairs(L) ->
    [[X, Y] || {X, Y} <- L, X < 1, Y > 2].

%% A clause of a case.
only(X, Y) ->
    A = 1,
    B = A,
    C = B,
    choose(X, {Y, B, C}).
choose(X, {Y, B, C}) ->
    case X of
        123456789 ->
            Z = X / Y,
            Z + C;
        2 -> B;
        _ -> X / Y
    end.

%% Data that a loop takes apart, keeps, or puts together.
decreasing(0, X, B) ->
    {C, D} = X,
    {C, D, B};
decreasing(N, X, B) ->
    A = {X, N},
    decreasing(N - 1, {A, B}, B).

balanced(0, X) ->
    {C, D} = X,
    {C, D};
balanced(N, X) ->
    {A, B} = X,
    balanced(N - 1, {A + N, B + N}).

increasing(0, X) ->
    {C, D} = X,
    {C, D};
increasing(N, B) ->
    {X, _A} = B,
    increasing(N - 1, X).

deeper(0, X) ->
    {C, D} = X,
    {C, D};
deeper(N, X) ->
    {_E, D} = X,
    {A, B} = D,
    deeper(N - 1, {A, B}).

%% A summary that refers to itself.
rotate(0, X) -> X;
rotate(N, {A, B}) ->
    {C, _} = rotate(N - 1, {B, {A, A}}),
    {C, N}.
