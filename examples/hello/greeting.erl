%% A process that greets, and remembers whom it has greeted.
-module(greeting).
-export([start/0, greet/2, guests/1]).

-spec start() -> pid().
start() ->
    spawn(fun() -> loop([]) end).

-spec greet(pid(), binary()) -> binary().
greet(Greeter, Name) ->
    ask(Greeter, {greet, Name}).

-spec guests(pid()) -> [binary()].
guests(Greeter) ->
    ask(Greeter, guests).

ask(Greeter, Question) ->
    Ref = make_ref(),
    Greeter ! {Question, self(), Ref},
    receive
        {Ref, Answer} -> Answer
    end.

loop(Guests) ->
    receive
        {{greet, Name}, From, Ref} ->
            From ! {Ref, <<"Hello, ", Name/binary, "!">>},
            loop([Name | Guests]);
        {guests, From, Ref} ->
            From ! {Ref, lists:reverse(Guests)},
            loop(Guests)
    end.
