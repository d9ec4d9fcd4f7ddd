-module(pipeline_tests).
-include_lib("eunit/include/eunit.hrl").

%% The supervisor by itself; pipeline_app_tests starts the application.
pipeline_test_() ->
    {foreach, fun start/0, fun stop/1,
     [{"every item passes every stage", fun all_items/0},
      {"no items", fun() -> ?assertEqual([], pipeline:collect(pipe([], [fun(X) -> X end], 3))) end},
      {"no stages", fun() -> ?assertEqual([a, b], pipeline:collect(pipe([a, b], [], 3))) end},
      {"in pieces", fun pieces/0},
      {"no stage holds more than was agreed", fun back_pressure/0},
      {"a slow stage", fun slow_stage/0},
      {"a pipeline ends when all has been taken", fun ends/0},
      {"a stage that crashes loses what it held, no more", fun crash/0},
      {"a stage that crashes again and again ends its pipeline", fun crashes/0},
      {"pipelines do not know of each other", fun several/0}]}.

start() ->
    {ok, Supervisor} = pipeline_sup:start_link(),
    unlink(Supervisor),
    Supervisor.

stop(Supervisor) ->
    Monitor = monitor(process, Supervisor),
    exit(Supervisor, shutdown),
    receive {'DOWN', Monitor, process, Supervisor, Reason} -> ?assertEqual(shutdown, Reason) end.

pipe(Items, Functions, Demand) ->
    {ok, Pipe} = pipeline:start(Items, Functions, Demand),
    Pipe.

all_items() ->
    Pipe = pipe(lists:seq(1, 100), [fun(N) -> N * N end, fun(N) -> N + 1 end, fun integer_to_list/1], 7),
    ?assertEqual([integer_to_list(N * N + 1) || N <- lists:seq(1, 100)], pipeline:collect(Pipe)).

pieces() ->
    Pipe = pipe(lists:seq(1, 10), [fun(N) -> -N end], 2),
    ?assertEqual([-1, -2, -3], pipeline:take(Pipe, 3)),
    ?assertEqual([], pipeline:take(Pipe, 0)),
    ?assertEqual([-4], pipeline:take(Pipe, 1)),
    ?assertEqual([-5, -6, -7, -8, -9, -10], pipeline:take(Pipe, 100)).

back_pressure() ->
    Self = self(),
    Seen = fun(N) -> Self ! {seen, N}, N end,
    Pipe = pipe(lists:seq(1, 1000), [Seen, fun(N) -> N end], 5),
    wait_until(fun() -> pipeline:waiting(Pipe) =:= [5, 5] end),
    ?assertEqual(10, length(seen())),
    ?assertEqual([1, 2, 3], pipeline:take(Pipe, 3)),
    wait_until(fun() -> pipeline:waiting(Pipe) =:= [5, 5] end),
    ?assertEqual(3, length(seen())).

slow_stage() ->
    Slow = fun(N) -> receive after 5 -> N end end,
    Pipe = pipe(lists:seq(1, 20), [fun(N) -> N end, Slow, fun(N) -> N end], 4),
    ?assertEqual(lists:seq(1, 20), pipeline:collect(Pipe)).

ends() ->
    #{supervisor := Supervisor} = Pipe = pipe([1, 2, 3], [fun(N) -> N end], 2),
    Monitor = monitor(process, Supervisor),
    ?assertEqual([1, 2, 3], pipeline:collect(Pipe)),
    receive {'DOWN', Monitor, process, Supervisor, Reason} -> ?assertEqual(shutdown, Reason) end,
    ?assertEqual([], pipeline:collect(Pipe)).

crash() ->
    Once = ets:new(once, [public]),
    Crash = fun(5) -> ets:insert_new(Once, {crashed}) andalso exit(crash), 5;
               (N) -> N
            end,
    Pipe = pipe(lists:seq(1, 12), [Crash], 3),
    Items = pipeline:collect(Pipe),
    ?assertEqual(lists:usort(Items), Items),
    Lost = lists:seq(1, 12) -- Items,
    ?assert(lists:member(5, Lost)),
    ?assert(length(Lost) =< 3).

crashes() ->
    #{supervisor := Supervisor} = Pipe = pipe(lists:seq(1, 100), [fun(_) -> exit(crash) end], 2),
    Monitor = monitor(process, Supervisor),
    ?assertEqual([], pipeline:collect(Pipe)),
    receive {'DOWN', Monitor, process, Supervisor, Reason} -> ?assert(lists:member(Reason, [shutdown, noproc])) end.

several() ->
    Pipes = [pipe(lists:seq(1, 10), [fun(N) -> N * Factor end], 3) || Factor <- [1, 2, 3]],
    Firsts = [pipeline:take(P, 1) || P <- Pipes],
    ?assertEqual([[1], [2], [3]], Firsts),
    Rests = [pipeline:collect(P) || P <- lists:reverse(Pipes)],
    ?assertEqual([[N * F || N <- lists:seq(2, 10)] || F <- [3, 2, 1]], Rests).

seen() -> receive {seen, N} -> [N | seen()] after 0 -> [] end.

wait_until(Condition) ->
    case Condition() of
        true -> ok;
        false -> receive after 5 -> wait_until(Condition) end
    end.
