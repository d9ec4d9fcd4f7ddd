%% Under check what every interleaving exercises counts once, and the search is the same.
%% RUN: fathom check %s -t check:f > %t/plain; fathom check %s -t check:f --cover=all > %t/out; sed 's/ in [0-9.]* s$//' %t/plain %t/out
-module(check).
-export([f/0]).

f() ->
    Self = self(),
    spawn(fun() -> Self ! a end),
    spawn(fun() -> Self ! b end),
    receive
        First ->
            receive
                Second when First =:= a; Second =:= c -> first_a;
                _ -> first_b
            end
    end.
%% OUT: clean: 2 interleavings of check:f(), complete; 12 events
%% OUT:   assuming: time-outs of 1000 ms or more fire only when no process can run
%% OUT:   assuming: messages, links and monitors arrive as soon as they are sent
%% OUT: clean: 2 interleavings of check:f(), complete; 12 events
%% OUT:   assuming: time-outs of 1000 ms or more fire only when no process can run
%% OUT:   assuming: messages, links and monitors arrive as soon as they are sent
%% OUT:   note: racing operations: 1 of 1 pair seen in both orders
%% OUT: coverage  function      line  statement    clause    branch  condition     mcdc      call  exception  definition   def_use  data_flow  message
%% OUT: check     100% 1/1  100% 7/7   100% 9/9  100% 6/6  90% 9/10    75% 3/4  50% 1/2  100% 3/3          -    100% 5/5  100% 6/6          -  66% 4/6
