%% Whoever takes all messages that there are could have got more of them.
%% RUN: fathom gen %s -f flush:flush/0
-module(flush).
-export([flush/0]).

flush() ->
    receive
        Message -> [Message | flush()]
    after 0 -> []
    end.
%% OUT: flush:flush/0: 1 test, 3 of 3 clauses covered
%% OUT:   self() ! 0, self() ! 1, flush:flush()  ->  [0,1]
%% OUT:       alone covers clause 2 of flush:flush/0 (flush.erl:8)
%% OUT:       alone covers clause 3 of flush:flush/0 (flush.erl:7)
%% OUT:       alone covers clause 1 of flush:flush/0 (flush.erl:6)
%% OUT:       alone covers clause 1 of flush:flush/0 twice (flush.erl:6)
%% OUT:       alone covers clause 2 of flush:flush/0 twice (flush.erl:8)
