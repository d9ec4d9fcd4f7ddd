%% The process is registered as log_1, and called log.
%% FINDING unregistered_name 10
%% NOTE clause_not_fed 13
-module(unregistered).
-export([start/0, write/1]).

start() ->
    register(log_1, spawn(fun loop/0)).

write(Text) -> log ! {write, Text}.

loop() ->
    receive
        {write, _Text} ->
            loop()
    end.
