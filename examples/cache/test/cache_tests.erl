-module(cache_tests).
-include_lib("eunit/include/eunit.hrl").

cache_test_() ->
    {foreach, fun() -> {ok, Pid} = cache:start_link(kept, #{ttl => 200, sweep => 100}), Pid end, fun(_) -> cache:stop(kept) end,
     [{"nothing is there at first", ?_assertEqual(error, cache:get(kept, a))},
      {"what was put is there", fun put_and_get/0},
      {"a later value takes the place", fun replace/0},
      {"any term is a key", {inparallel, [?_assertEqual(ok, cache:put(kept, Key, Key)) || Key <- [1, 1.0, "a", {b}, #{c => d}]]}},
      {"deleted", fun delete/0},
      {timeout, 10, {"expired", fun expire/0}},
      {timeout, 10, {"each entry has its own time", fun own_time/0}},
      {timeout, 10, {"expired entries are removed", fun sweep/0}},
      {"a missing value is made", fun made/0},
      {"a value is made once", fun made_once/0},
      {"a value that cannot be made", fun failures/0},
      {"a maker that is killed", fun killed/0},
      fun(Server) -> {"readers need no server", fun() -> suspended(Server) end} end]}.

put_and_get() ->
    ok = cache:put(kept, a, 1),
    ?assertEqual({ok, 1}, cache:get(kept, a)),
    ?assertEqual(1, cache:size(kept)).

replace() ->
    [ok = cache:put(kept, a, N) || N <- [1, 2, 3]],
    ?assertEqual({ok, 3}, cache:get(kept, a)).

delete() ->
    ok = cache:put(kept, a, 1),
    ok = cache:delete(kept, a),
    ok = cache:delete(kept, a),
    ?assertEqual(error, cache:get(kept, a)).

expire() ->
    ok = cache:put(kept, a, 1),
    wait(250),
    ?assertEqual(error, cache:get(kept, a)).

own_time() ->
    ok = cache:put(kept, short, 1, 50),
    ok = cache:put(kept, long, 2, 5000),
    wait(120),
    ?assertEqual({error, {ok, 2}}, {cache:get(kept, short), cache:get(kept, long)}).

sweep() ->
    [ok = cache:put(kept, N, N, 20) || N <- lists:seq(1, 100)],
    ok = cache:put(kept, stays, yes, 5000),
    ?assertEqual(101, cache:size(kept)),
    wait(350),
    ?assertEqual(1, cache:size(kept)).

made() ->
    ?assertEqual(1, cache:fetch(kept, a, fun() -> 1 end)),
    ?assertEqual(1, cache:fetch(kept, a, fun() -> error(not_again) end)).

made_once() ->
    Self = self(),
    Make = fun() -> Self ! making, receive after 50 -> value end end,
    Ask = fun() -> Self ! {fetched, cache:fetch(kept, a, Make)} end,
    [spawn_link(Ask) || _ <- lists:seq(1, 10)],
    [receive {fetched, Value} -> ?assertEqual(value, Value) end || _ <- lists:seq(1, 10)],
    ?assertEqual([making], messages()).

failures() ->
    ?assertExit(oops, cache:fetch(kept, a, fun() -> error(oops) end)),
    ?assertExit(bye, cache:fetch(kept, a, fun() -> exit(bye) end)),
    ?assertExit({nocatch, ball}, cache:fetch(kept, a, fun() -> throw(ball) end)),
    ?assertEqual(now, cache:fetch(kept, a, fun() -> now end)).

killed() ->
    ?assertExit(killed, cache:fetch(kept, a, fun() -> exit(self(), kill) end)).

suspended(Server) ->
    ok = cache:put(kept, a, 1),
    sys:suspend(Server),
    ?assertEqual({ok, 1}, cache:get(kept, a)),
    ?assertEqual(1, cache:fetch(kept, a, fun() -> 2 end)),
    sys:resume(Server).

two_caches_test() ->
    {ok, _} = cache:start_link(one),
    {ok, Pid} = cache:start_link(two),
    ?assertEqual({error, {already_started, Pid}}, cache:start_link(two)),
    ok = cache:put(one, a, 1),
    ?assertEqual(error, cache:get(two, a)),
    cache:stop(one),
    cache:stop(two),
    ?assertError(badarg, cache:get(one, a)).

messages() -> receive M -> [M | messages()] after 0 -> [] end.

wait(Milliseconds) -> receive after Milliseconds -> ok end.
