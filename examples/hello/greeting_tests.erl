%% Tests of the greeter: one that passes, one that is wrong, one that waits for ever.
-module(greeting_tests).
-include_lib("eunit/include/eunit.hrl").

greets_test() ->
    ?assertEqual(<<"Hello, Ada!">>, greeting:greet(greeting:start(), <<"Ada">>)).

remembers_test_() ->
    {"guests are listed",
     {setup, fun greeting:start/0,
      fun(Greeter) ->
              [?_assertEqual([], greeting:guests(Greeter)),
               ?_assertMatch(<<"Hello", _/binary>>, greeting:greet(Greeter, <<"Grace">>)),
               ?_assertEqual([<<"Ada">>], greeting:guests(Greeter))]
      end}}.

impolite_test() ->
    Greeter = greeting:start(),
    Greeter ! goodbye,
    receive {Greeter, Answer} -> Answer end.
