%% The name is registered, by the process itself; another is looked up before it is used.
%% ENTRY registered:main
-module(registered).
-export([main/0]).

main() ->
    spawn(fun() -> register(log, self()), loop() end),
    log ! {write, "text"},
    case whereis(audit) of
        undefined -> ok;
        Audit -> Audit ! {write, "text"}
    end.

loop() ->
    receive
        {write, _Text} -> loop()
    end.
