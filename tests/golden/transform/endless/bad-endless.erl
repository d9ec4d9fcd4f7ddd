%% It ends by a limit of its own, or by that of the command; and whoever needs the module says so.
%% RUN: fathom parse --lint %s endless_transform.erl 2>&1 || echo "exit $?"
%% RUN: fathom parse --lint --time-limit 0.2 %s endless_transform.erl 2>&1 || echo "exit $?"
%% RUN: fathom slice bad-endless.erl:12:5 endless_transform.erl
-module('bad-endless').
-compile({parse_transform, endless_transform}).
-export([f/0]).

f() ->
    X = 1,
    X.
%% OUT: bad-endless.erl: error: error in parse transform endless_transform: the limit of 2000000000 reductions is reached, in a call of endless_transform:parse_transform/2
%% OUT: exit 1
%% OUT: error: the time limit of 0.2 seconds is reached, in parse transform endless_transform of bad-endless.erl
%% OUT: exit 1
%% ERR: bad-endless.erl: error: error in parse transform endless_transform: the limit of 2000000000 reductions is reached, in a call of endless_transform:parse_transform/2
%% EXIT: 1
