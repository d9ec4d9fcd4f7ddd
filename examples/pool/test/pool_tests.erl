-module(pool_tests).
-include_lib("eunit/include/eunit.hrl").

pool_test_() ->
    {foreach, fun start/0, fun pool:stop/1,
     [fun(P) -> {"a job's value", ?_assertEqual({ok, 42}, pool:run(P, fun() -> 6 * 7 end))} end,
      fun several_jobs/1,
      fun more_jobs_than_workers/1,
      fun crashes/1,
      fun killed_worker/1,
      fun lost_client/1,
      fun impatient_client/1]}.

start() ->
    {ok, Pool} = pool:start_link(2),
    Pool.

several_jobs(P) ->
    [{lists:concat(["square of ", N]), ?_assertEqual({ok, N * N}, pool:run(P, fun() -> N * N end))} || N <- [1, 2, 3]].

more_jobs_than_workers(P) ->
    {"jobs wait for workers",
     fun() ->
         Refs = [pool:async(P, fun() -> receive after 10 -> N end end) || N <- lists:seq(1, 10)],
         ?assertEqual(#{idle => 0, busy => 2, waiting => 8}, pool:info(P)),
         ?assertEqual([{ok, N} || N <- lists:seq(1, 10)], [pool:await(R) || R <- Refs]),
         ?assertEqual(#{idle => 2, busy => 0, waiting => 0}, pool:info(P))
     end}.

crashes(P) ->
    [{"error", ?_assertEqual({error, {shutdown, oops}}, pool:run(P, fun() -> error(oops) end))},
     {"exit", ?_assertEqual({error, bye}, pool:run(P, fun() -> exit(bye) end))},
     {"throw", ?_assertEqual({error, {shutdown, {nocatch, ball}}}, pool:run(P, fun() -> throw(ball) end))},
     {"there are as many workers as before", ?_assertMatch(#{idle := 2}, pool:info(P))}].

killed_worker(P) ->
    {"a worker that is killed in its job",
     ?_assertEqual({error, killed}, pool:run(P, fun() -> exit(self(), kill) end))}.

lost_client(P) ->
    {"the jobs of a client that has gone are not begun",
     fun() ->
         Self = self(),
         Gates = [pool:async(P, fun() -> receive open -> ok end, Self ! {open, self()} end) || _ <- [1, 2]],
         {Client, Monitor} = spawn_monitor(fun() -> pool:async(P, fun() -> Self ! begun end) end),
         receive {'DOWN', Monitor, process, Client, _} -> ok end,
         ?assertMatch(#{busy := 2}, pool:info(P)),
         wait_until(fun() -> pool:info(P) =:= #{idle => 0, busy => 2, waiting => 0} end),
         {links, Links} = process_info(P, links),
         [Worker ! open || Worker <- Links, Worker =/= self()],
         [?assertEqual({ok, {open, W}}, R) || Gate <- Gates, {ok, {open, W}} = R <- [pool:await(Gate)]],
         receive begun -> error(begun) after 20 -> ok end
     end}.

impatient_client(P) ->
    {"a client that does not wait gets its result later",
     fun() ->
         Ref = pool:async(P, fun() -> receive after 50 -> late end end),
         ?assertEqual({error, timeout}, pool:await(Ref, 1)),
         ?assertEqual({ok, late}, pool:await(Ref))
     end}.

ends_with_its_owner_test() ->
    Self = self(),
    {Owner, Monitor} = spawn_monitor(fun() -> {ok, P} = pool:start_link(3), Self ! {pool, P}, exit(gone) end),
    receive {pool, Pool} -> ok end,
    receive {'DOWN', Monitor, process, Owner, gone} -> ok end,
    wait_until(fun() -> not is_process_alive(Pool) end).

size_test_() ->
    [?_assertError(function_clause, pool:start_link(Size)) || Size <- [0, -1, many]].

wait_until(Condition) ->
    case Condition() of
        true -> ok;
        false -> receive after 5 -> wait_until(Condition) end
    end.
