-module(counter_tests).
-include_lib("eunit/include/eunit.hrl").
counter_test_() ->
    {foreach, fun() -> {ok, Started} = application:ensure_all_started(counter_app), Started end,
     fun(Started) -> [application:stop(App) || App <- Started] end,
     [fun(_) -> {"counts", fun() -> ?assertEqual([5, 6], [counter:next(), counter:next()]) end} end,
      fun(_) -> {"is restarted", fun() -> restarted() end} end]}.
restarted() ->
    Old = whereis(counter),
    5 = counter:next(),
    ok = supervisor:terminate_child(counter_sup, counter),
    {ok, New} = supervisor:restart_child(counter_sup, counter),
    ?assertEqual(5, counter:next()),
    ?assertNotEqual(Old, New).
