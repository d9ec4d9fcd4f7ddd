%% The process that is told something never listens.
%% ENTRY message_deaf:main
%% FINDING message_not_taken 9
-module(message_deaf).
-export([main/0]).

main() ->
    Printer = spawn(fun() -> io:format("hello~n") end),
    Printer ! bye.
