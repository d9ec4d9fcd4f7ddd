%% `true` and `false` as the source has them decide nothing: they are not conditions, and a guard
%% that is always true has no other outcome.
%% RUN: fathom run %s -e '{constants:sign(0), constants:both(true, false), constants:all([1])}' --cover=branch,condition,mcdc --verbose
-module(constants).
-export([sign/1, both/2, all/1]).

sign(X) ->
    if
        X > 0 -> positive;
        X < 0, true -> negative;
        true -> zero
    end.

both(X, Y) when true, X; false; Y andalso true -> yes;
both(_, _) -> no.

all(Xs) -> [X || X <- Xs, true].
%% OUT: {zero,yes,[1]}
%% ERR: constants.erl:9:9: not covered: clause (clause 1 of if)
%% ERR: constants.erl:10:9: not covered: clause (clause 2 of if)
%% ERR: constants.erl:15:1: not covered: clause (clause 2 of both/2)
%% ERR: constants.erl:14:33: not covered: guard_true (guard 3 of clause 1 of both/2 is true)
%% ERR: constants.erl:14:23: not covered: guard_false (guard 1 of clause 1 of both/2 is false)
%% ERR: constants.erl:14:26: not covered: guard_false (guard 2 of clause 1 of both/2 is false)
%% ERR: constants.erl:14:33: not covered: guard_false (guard 3 of clause 1 of both/2 is false)
%% ERR: constants.erl:9:9: not covered: condition_true (X > 0 is true)
%% ERR: constants.erl:10:9: not covered: condition_true (X < 0 is true)
%% ERR: constants.erl:14:33: not covered: condition_true (Y is true)
%% ERR: constants.erl:14:23: not covered: condition_false (X is false)
%% ERR: constants.erl:14:33: not covered: condition_false (Y is false)
%% ERR: constants.erl:9:9: not covered: mcdc (X > 0 decides by itself)
%% ERR: constants.erl:10:9: not covered: mcdc (X < 0 decides by itself)
%% ERR: constants.erl:14:23: not covered: mcdc (X decides by itself)
%% ERR: constants.erl:14:33: not covered: mcdc (Y decides by itself)
%% ERR: coverage     branch  condition    mcdc
%% ERR: constants  53% 8/15    37% 3/8  0% 0/4
