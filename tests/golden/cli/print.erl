%% Printed as source: macros are expanded, comments are gone.
%% RUN: fathom parse --format erl %s
-module(print).
-define(DOUBLE(X), ((X) + (X))).
-spec total([N], fun((N) -> N)) -> N when N :: number().
total([],_)->0;
total([H|T],F)when is_number(H)->F(H)+?DOUBLE(total(T,F)).
loop(S)->receive{From,M}->From!{self(),M},loop(S);stop->ok after 1000->[X||X<-S,X>0]end.
%% OUT: -file("print.erl", 1).
%% OUT:
%% OUT: -module(print).
%% OUT:
%% OUT: -spec total([N], fun((N) -> N)) -> N when N :: number().
%% OUT: total([], _) -> 0;
%% OUT: total([H | T], F) when is_number(H) ->
%% OUT:     F(H) + (total(T, F) + total(T, F)).
%% OUT:
%% OUT: loop(S) ->
%% OUT:     receive
%% OUT:         {From, M} ->
%% OUT:             From ! {self(), M},
%% OUT:             loop(S);
%% OUT:         stop -> ok
%% OUT:     after 1000 ->
%% OUT:         [X || X <- S, X > 0]
%% OUT:     end.
