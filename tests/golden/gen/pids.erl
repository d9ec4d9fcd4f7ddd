%% Among pids only that of the test itself is an input, and one reference, so not every path has been
%% tried wherever there could have been others.
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
%% OUT: pids:ask/2: 1 test, 2 of 3 clauses covered (inputs as in the spec)
%% OUT:   pids:ask(self(), 1)  ->  true
%% OUT:       alone covers clause 2 of pids:ask/2 (pids.erl:13)
%% OUT:       alone covers clause 1 of pids:ask/2 (pids.erl:10)
%% OUT:   not covered: clause 3 of pids:ask/2 (pids.erl:12)
%% OUT:   all paths within the bounds were tried; not tried:
%% OUT:     more messages than --messages
%% OUT:     pids of other processes, ports, and further references are not among the inputs
%% OUT: pids:ask/2: 1 test, 2 of 3 clauses covered
%% OUT:   pids:ask(self(), 1)  ->  true
%% OUT:       alone covers clause 2 of pids:ask/2 (pids.erl:13)
%% OUT:       alone covers clause 1 of pids:ask/2 (pids.erl:10)
%% OUT:   not covered: clause 3 of pids:ask/2 (pids.erl:12)
%% OUT:   all paths within the bounds were tried; not tried:
%% OUT:     more messages than --messages
%% OUT:     other atoms
%% OUT:     pids of other processes, ports, and further references are not among the inputs
%% OUT: pids:keep/1: 1 test, 1 of 1 clauses covered (inputs as in the spec)
%% OUT:   pids:keep(make_ref())  ->  {kept,#Ref<0.256.4096.1>}  (not compared)
%% OUT:       alone covers clause 1 of pids:keep/1 (pids.erl:18)
