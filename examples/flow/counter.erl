%% A process that counts, and how it counts is up to its user: the step is a fun that travels in
%% the process's own loop. Where is it called, with what, and who gets the answers?
%%
%%   fathom graph examples/flow/counter.erl -t counter:demo
-module(counter).
-export([demo/0, loop/2]).

%% The counter's process: its value, and how to get to the next one.
loop(Value, Step) ->
    receive
        {next, Client} ->
            Client ! {value, Value},
            loop(Step(Value), Step);
        {change, NewStep} ->
            loop(Value, NewStep);
        stop ->
            ok
    end.

start(First, Step) ->
    register(counter, spawn(?MODULE, loop, [First, Step])).

next() ->
    counter ! {next, self()},
    receive
        {value, Value} -> Value
    after 1000 ->
        timeout
    end.

demo() ->
    start(1, fun(N) -> N + 1 end),
    One = next(),
    counter ! {change, fun(N) -> N * 2 end},
    Two = next(),
    counter ! stop,
    {One, Two}.
