%% A queue that answers who comes too early with something that he does not wait for. Each
%% interleaving has an error; what makes the difference for the first is named all the same.
%% RUN: fathom check %s -t "'bad-two-errors':test" > %t/out || code=$?; sed "s/ in [0-9.]* s$//" %t/out | sed -n '1p;/^Race/,/^Step/p'; exit $code
-module('bad-two-errors').
-export([test/0]).

test() ->
    Queue = spawn_link(fun() -> queue([]) end),
    spawn(fun() -> Queue ! {put, a} end),
    Queue ! {get, self()},
    receive {job, a} -> ok after 2000 -> exit(no_job) end.

queue(Jobs) ->
    receive
        {put, Job} -> queue(Jobs ++ [Job]);
        {get, From} when Jobs =/= [] -> From ! {job, hd(Jobs)}, queue(tl(Jobs));
        {get, From} -> From ! empty, queue(Jobs)
    end.
%% OUT: bug: 2 errors in 2 interleavings of 'bad-two-errors':test(), not complete; 18 events
%% OUT: Race on the mailbox of P.1: the outcome depends on which of these comes first.
%% OUT: bad-two-errors.erl:10:5: note: first here, step 3: P: P.1 ! {get,P}
%% OUT:       Queue ! {get, self()},
%% OUT:       ^~~~~~~~~~~~~~~~~~~~~
%% OUT: bad-two-errors.erl:9:20: note: second here, step 4: P.2: P.1 ! {put,a}
%% OUT:       spawn(fun() -> Queue ! {put, a} end),
%% OUT:                      ^~~~~~~~~~~~~~~~
%% OUT:
%% OUT: Step by step:
%% OUT: Race on the mailbox of P.1: the outcome depends on which of these comes first.
%% OUT: bad-two-errors.erl:9:20: note: first here, step 3: P.2: P.1 ! {put,a}
%% OUT:       spawn(fun() -> Queue ! {put, a} end),
%% OUT:                      ^~~~~~~~~~~~~~~~
%% OUT: bad-two-errors.erl:10:5: note: second here, step 4: P: P.1 ! {get,P}
%% OUT:       Queue ! {get, self()},
%% OUT:       ^~~~~~~~~~~~~~~~~~~~~
%% OUT:
%% OUT: Who waits:
%% OUT: bad-two-errors.erl:14:5: note: P.1 waits in bad-two-errors:queue/1 for {put, Job} or {get, From} or {get, From}
%% OUT:       receive
%% OUT:       ^~~~~~~
%% OUT:   its mailbox is empty
%% OUT:
%% OUT: Step by step:
%% EXIT: 2
