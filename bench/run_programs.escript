#!/usr/bin/env escript
%%! +S 1
%% The sequential programs of bench/programs: erl, its compiler and just-in-time code
%% generator, against `fathom run` of the same source (compare.hrl). The goal is a geometric
%% mean of at most 6, and a start in under 20 ms, by the clock, the best of twenty.
-mode(compile).
-include("compare.hrl").

-define(STARTS, 20).
-define(GOAL, 6.0).
-define(START_GOAL, 0.020).

main(Words) ->
    Mean = geometric_mean([R || {_, R} <- ratios([F || F <- lists:sort(filelib:wildcard("bench/programs/*.erl")), is_wanted(F, Words)])]),
    io:format("~-14s ~30.2f~n", ["geom. mean", Mean]),
    {Start, "2"} = fathom([], "1+1", wall, ?STARTS),
    io:format("start of fathom run -e '1+1': ~.1f ms~n", [Start * 1000]),
    halt(case Mean =< ?GOAL andalso Start < ?START_GOAL of true -> 0; false -> 1 end).
