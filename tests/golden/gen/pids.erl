%% Pids are never made as inputs, so not every path has been tried, wherever a pid could have been.
%% RUN: fathom gen %s -f pids:ask/2
%% RUN: fathom gen %s -f pids:ask/2 --inputs any
%% RUN: fathom gen %s -f pids:keep/1
-module(pids).
-export([ask/2, keep/1]).

-spec ask(pid(), integer()) -> boolean() | late.
ask(Server, Question) ->
    Server ! {self(), Question},
    receive
        {Server, Answer} -> Answer > 0
    after 100 -> late
    end.

-spec keep(reference()) -> tuple().
keep(Ref) -> {kept, Ref}.
%% OUT: pids:ask/2: 1 test, 1 of 3 clauses covered (inputs as in the spec)
%% OUT:   pids:ask(a, 0)  ->  error: badarg
%% OUT:       alone covers clause 1 of pids:ask/2 (pids.erl:9)
%% OUT:   not covered: clause 2 of pids:ask/2 (pids.erl:12)
%% OUT:   not covered: clause 3 of pids:ask/2 (pids.erl:11)
%% OUT:   all paths within the bounds were tried; not tried:
%% OUT:     more messages than --messages
%% OUT:     other atoms
%% OUT:     pids, ports and references are not among the inputs
%% OUT: pids:ask/2: 1 test, 1 of 3 clauses covered
%% OUT:   pids:ask(a, 0)  ->  error: badarg
%% OUT:       alone covers clause 1 of pids:ask/2 (pids.erl:9)
%% OUT:   not covered: clause 2 of pids:ask/2 (pids.erl:12)
%% OUT:   not covered: clause 3 of pids:ask/2 (pids.erl:11)
%% OUT:   all paths within the bounds were tried; not tried:
%% OUT:     more messages than --messages
%% OUT:     other atoms
%% OUT:     pids, ports and references are not among the inputs
%% OUT: pids:keep/1: 1 test, 1 of 1 clauses covered (inputs as in the spec)
%% OUT:   pids:keep(0)  ->  {kept,0}
%% OUT:       alone covers clause 1 of pids:keep/1 (pids.erl:17)
