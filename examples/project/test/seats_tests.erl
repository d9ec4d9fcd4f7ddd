-module(seats_tests).
-include_lib("eunit/include/eunit.hrl").

reserve_test() ->
    {ok, _} = seats:start_link([a1, a2]),
    ?assertEqual(ok, seats:reserve(a1, ann)),
    ?assertEqual(taken, seats:reserve(a1, ben)),
    ?assertEqual(ann, seats:owner(a1)),
    seats:stop().

one_seat_for_two_test() ->
    {ok, _} = seats:start_link([a1]),
    Test = self(),
    spawn_link(fun() -> Test ! seats:reserve(a1, ann) end),
    timer:sleep(10),
    Ben = seats:reserve(a1, ben),
    Ann = receive Answer -> Answer end,
    seats:stop(),
    ?assertEqual([ok, taken], lists:sort([Ann, Ben])).
