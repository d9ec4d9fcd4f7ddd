%% Control: what each construct becomes.
%% RUN: fathom parse --format core %s
-module(control).
-export([f/1, g/1, h/1]).
f(X) ->
    Y = case X of
            {ok, V} when V > 0 -> V;
            {error, V} -> -V
        end,
    if Y > V andalso X -> yes; true -> no end.
g(X) ->
    try h(X) of
        {ok, Y} -> Y
    catch
        throw:T -> T;
        error:E:Stack when is_atom(E) -> {E, Stack}
    after
        h(done)
    end.
h(X) -> catch (hd(X)).
