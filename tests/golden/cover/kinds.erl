%% Every kind of item, of which a call of f/1 covers few.
%% RUN: fathom run --cover=all --cover-data %t/data %s -e 'kinds:f(1)'
%% RUN: fathom cover --format json %t/data
-module(kinds).
-export([f/1, g/2, h/1, i/1]).

f(X) when X > 0 -> one;
f(_) -> other.

g(X, Y) ->
    try
        case X of
            {a, _} when Y > 1, X > Y; Y =:= 7 -> throw(Y);
            _ -> [Z || Z <- X, Z > 1, h(Z)]
        end
    catch
        throw:R -> R
    after
        i(X)
    end.

h(X) ->
    receive
        {m, M} when M =:= X -> true
    after 10 -> false
    end.

i(X) ->
    is_list(X) andalso X =/= [] orelse
        (catch h(X)).
%% ERR: coverage  function     line  statement    clause   branch  condition    mcdc    call  exception  definition  def_use  data_flow  message
%% ERR: kinds      25% 1/4  7% 1/13    5% 1/18  10% 1/10  5% 1/20    8% 1/12  0% 0/6  0% 0/5     0% 0/4     11% 1/9  5% 1/20     0% 0/2        -
