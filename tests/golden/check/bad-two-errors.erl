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
%% EXIT: 2
