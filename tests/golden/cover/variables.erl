%% Definitions and uses of variables.
%% RUN: fathom run --cover=def_use,definition --cover-data %t/data %s -e 'variables:f(1)'
%% RUN: fathom cover --verbose %t/data
-module(variables).
-export([f/1]).

f(X) ->
    case X of
        1 -> Y = a, Z = X;
        2 -> Y = b, Z = 3
    end,
    G = fun() -> {Y, Z} end,
    if
        Z > 2 -> Y;
        true -> G()
    end.
%% OUT: {a,1}
%% OUT: variables.erl:10:14: not covered: definition (Y is used)
%% OUT: variables.erl:10:21: not covered: definition (Z is used)
%% OUT: variables.erl:9:14: not covered: def_use (Y used in Y at variables.erl:14:18)
%% OUT: variables.erl:10:14: not covered: def_use (Y used in fun() -> {Y, Z} end at variables.erl:12:9)
%% OUT: variables.erl:10:14: not covered: def_use (Y used in Y at variables.erl:14:18)
%% OUT: variables.erl:10:21: not covered: def_use (Z used in fun() -> {Y, Z} end at variables.erl:12:9)
%% OUT: variables.erl:10:21: not covered: def_use (Z used in Z > 2 at variables.erl:14:9)
%% OUT: coverage   definition   def_use
%% OUT: variables     75% 6/8  61% 8/13
%% ERR: coverage   definition   def_use
%% ERR: variables     75% 6/8  61% 8/13
