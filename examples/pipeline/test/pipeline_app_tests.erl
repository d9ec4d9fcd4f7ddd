-module(pipeline_app_tests).
-include_lib("eunit/include/eunit.hrl").

application_test_() ->
    {setup,
     fun() -> {ok, Started} = application:ensure_all_started(pipeline), Started end,
     fun(Started) -> [ok = application:stop(A) || A <- Started] end,
     [{"it runs", ?_assert(lists:keymember(pipeline, 1, application:which_applications()))},
      {"its supervisor is there", ?_assert(is_pid(whereis(pipeline_sup)))},
      {"it has what its environment says", ?_assertEqual({ok, 5}, application:get_env(pipeline, demand))},
      {"and works", fun() ->
                        {ok, Pipe} = pipeline:start([1, 2, 3], [fun(N) -> 10 * N end]),
                        ?assertEqual([10, 20, 30], pipeline:collect(Pipe))
                    end}]}.
