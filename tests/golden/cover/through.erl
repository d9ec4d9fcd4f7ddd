%% What goes from one function to another only through their caller is seen, and not counted: nobody
%% knows what else a caller might do.
%% RUN: fathom run --cover=data_flow %s -e 'through:size(through:new())'
-module(through).
-export([new/0, size/1]).

new() -> {set, []}.

size({set, L}) -> length(L).
%% OUT: 0
%% ERR: coverage  data_flow
%% ERR: through           -
%% ERR: through callers, and not counted: 2 flows
