%% The same, with the right word.
%% ENTRY message_taken:main
-module(message_taken).
-export([main/0]).

main() ->
    Worker = spawn(fun() -> work(0) end),
    Worker ! next,
    Worker ! stop.

work(N) ->
    receive
        stop -> N;
        next -> work(N + 1)
    end.
