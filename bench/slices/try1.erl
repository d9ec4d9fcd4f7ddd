-module(try1).
-export([main/1]).

main(Xs) ->
    Safe = [safe(X) || X <- Xs],
    Logged = [log(X, S) || {X, S} <- lists:zip(Xs, Safe)],
    {Logged, Safe}.

safe(X) ->
    try invert(X) of
        V -> {ok, V}
    catch
        error:badarith -> none
    end.

invert(X) -> 12 div X.

log(X, none) -> {failed, X};
log(X, {ok, _}) -> {done, X}.
