-module(fixture_tests).
-include_lib("eunit/include/eunit.hrl").

several_test_() ->
    [?_assertEqual(2, one() + one()),
     ?_assertEqual(3, one() + one())].

one() -> 1.

setup_test_() ->
    {setup,
     fun() -> spawn(fun server/0) end,
     fun(P) -> exit(P, kill) end,
     fun(P) -> [?_assertEqual(ok, ask(P)), ?_assertEqual(no, ask(P))] end}.

server() ->
    receive {From, ask} -> From ! {self(), ok}, server() end.

ask(P) ->
    P ! {self(), ask},
    receive {P, R} -> R end.

each_test_() ->
    {foreach,
     fun() -> spawn(fun server/0) end,
     fun(P) -> exit(P, kill) end,
     [fun(P) -> ?_assertEqual(ok, ask(P)) end,
      fun(P) -> {"second", ?_assertEqual(no, ask(P))} end]}.
