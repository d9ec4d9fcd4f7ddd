%% What is set up before tests and cleaned up behind them.
-module(fixtures).
-include_lib("eunit/include/eunit.hrl").

start() -> ets:new(fixtures, [named_table, public]), 7.
stop(7) -> ets:delete(fixtures).

setup_test_() -> {setup, fun start/0, fun stop/1, fun(N) -> [?_assertEqual(7, N), ?_assertEqual(8, N)] end}.
setup_only_test_() -> {setup, fun() -> 1 end, [?_test(ok), ?_test(error(x))]}.
setup_local_test_() -> {setup, local, fun() -> put(k, 1) end, fun(_) -> erase(k) end, [?_assertEqual(1, get(k))]}.
setup_spawn_test_() -> {setup, spawn, fun() -> put(k, 1) end, fun(_) -> erase(k) end, [?_assertEqual(1, get(k))]}.
setup_with_test_() -> {setup, fun start/0, fun stop/1, {with, [fun(7) -> ok end, fun(N) -> 6 = N end]}}.
setup_plain_fun_test_() -> {setup, fun start/0, fun stop/1, fun() -> 1 = ets:info(fixtures, size) end}.
multi_setup_test_() -> {setup, [{a, fun() -> 1 end}, {b, fun() -> 2 end, fun(_) -> ok end}], ?_test(ok)}.
foreach_test_() ->
    {foreach, fun start/0, fun stop/1,
     [fun(N) -> {"one", ?_assertEqual(7, N)} end, fun(_) -> ?_assertEqual(1, ets:info(fixtures, size)) end,
      ?_test(ok)]}.
foreach_only_test_() -> {foreach, fun() -> 1 end, [fun(N) -> ?_assertEqual(2, N) end]}.
foreachx_test_() ->
    {foreachx, fun(X) -> X * 2 end, fun(_, _) -> ok end,
     [{X, fun(Y, R) -> {"double", ?_assertEqual(Y + 2, R)} end} || X <- [1, 2, 3]]}.
titled_test_() -> {"outer", {setup, fun() -> ok end, {"inner", [?_test(ok), {"leaf", ?_test(error(leaf))}]}}}.
between_test() -> ok.
bad_setup_test_() -> {"broken", {setup, fun() -> error(no_start) end, fun(_) -> ok end, [?_test(ok)]}}.
bad_cleanup_test_() -> {setup, fun() -> 1 end, fun(_) -> exit(no_stop) end, [?_test(ok), ?_test(error(x))]}.
bad_instantiator_test_() -> {setup, fun() -> 1 end, fun(_) -> ok end, fun(_) -> throw(no_tests) end}.
no_instantiator_test_() -> {setup, fun() -> 1 end, fun(_) -> ok end, fun(_) -> ok end}.
foreach_bad_test_() -> {foreach, fun() -> error(each) end, [?_test(ok), ?_test(ok)]}.
last_test() -> ok.
