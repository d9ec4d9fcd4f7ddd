%% RUN: fathom gen --no-project %s
-module(raises).
-export([safe/1, each/2, old/1, deep/2]).

%% Funs that are given may raise, where somebody catches that.
safe(F) ->
    try F() of
        ok -> fine;
        {error, E} -> {failed, E}
    catch
        throw:{oops, N} when N > 3 -> N;
        error:badarg -> argument
    after
        put(done, true)
    end.

each(F, L) ->
    [try F(X) catch throw:T -> {thrown, T}; exit:normal -> exited end || X <- L].

old(F) ->
    case catch F(1) of
        {'EXIT', {badarith, _}} -> arithmetic;
        {nope, X} -> X;
        Y -> {value, Y}
    end.

deep(F, G) ->
    try F(G(1)) catch error:{bad, K} -> K; throw:stop -> stopped end.
