%% A doorman writes down who comes in. The first guest opens the house: if nobody is at the
%% door yet, a doorman is started and registered under the name `doorman'. A doorman whose
%% shift is short may be gone before that.
-module(doorman).
-export([open/1, enter/1]).
-export([short_shift_test/0, long_shift_test/0]).

open(Guests) ->
    Pid = spawn(fun() -> shift(Guests) end),
    register(doorman, Pid),
    Pid.

enter(Name) ->
    doorman ! {enter, Name},
    ok.

shift(0) -> done;
shift(Guests) ->
    receive
        {enter, _Name} -> shift(Guests - 1)
    end.

%% Nobody is expected, so the doorman goes home at once: perhaps before he has his name.
short_shift_test() ->
    open(0).

%% He waits for one guest, who comes when he is at the door.
long_shift_test() ->
    open(1),
    enter("Ada").
