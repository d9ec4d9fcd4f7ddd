%% The request lacks the reference that the answer is to have.
%% ENTRY message_arity:main
%% FINDING message_not_taken 11
%% FINDING clause_not_fed 12
%% FINDING clause_not_fed 15
-module(message_arity).
-export([main/0]).

main() ->
    Server = spawn(fun serve/0),
    Server ! {get, self()},
    receive {value, Value} -> Value end.

serve() ->
    receive
        {get, From, Ref} ->
            From ! {value, Ref, 1},
            serve()
    end.
