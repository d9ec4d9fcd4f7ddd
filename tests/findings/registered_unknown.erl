%% The name may be one that is computed.
%% NOTE unregistered_name 9
-module(registered_unknown).
-export([start/1, write/1]).

start(Name) ->
    register(Name, spawn(fun loop/0)).

write(Text) -> log ! {write, Text}.

loop() ->
    receive
        {write, _Text} -> loop()
    end.
