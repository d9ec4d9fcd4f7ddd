-module(worked).
-export([operands/2, raised/1]).

%% The operands of `or` do not decide about each other.
operands(X, Y) ->
    Z = X + 1,
    case (Z =:= 10) or (Y =:= other(X)) of
        true -> Z;
        false -> Y
    end.
other(X) -> X * 2.

%% The call may raise; that its value is bound does not matter.
raised(A) ->
    B = 10,
    try
        C = risky(A),
        C
    catch
        _:_ -> B
    end.
risky(0) -> throw(zero);
risky(A) -> A * 2.
