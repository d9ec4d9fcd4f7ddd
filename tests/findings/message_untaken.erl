%% A worker is told to halt; it knows only stop.
%% ENTRY message_untaken:main
%% FINDING message_not_taken 10
%% FINDING clause_not_fed 15
-module(message_untaken).
-export([main/0]).

main() ->
    Worker = spawn(fun() -> work(0) end),
    Worker ! halt,
    Worker ! next.

work(N) ->
    receive
        stop -> N;
        next -> work(N + 1)
    end.
