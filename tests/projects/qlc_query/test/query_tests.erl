-module(query_tests).
-include_lib("eunit/include/eunit.hrl").
older_test() -> ?assertEqual([b], query:older(30, [{a, 20}, {b, 40}])).
join_test() -> ?assertEqual([{x, y}], query:join([{1, x}, {2, z}], [{1, y}, {3, w}])).
table_test() ->
    T = ets:new(t, []),
    ets:insert(T, [{a, 1}, {b, 2}]),
    ?assertEqual([b], query:older(1, ets:tab2list(T))),
    ets:delete(T).
