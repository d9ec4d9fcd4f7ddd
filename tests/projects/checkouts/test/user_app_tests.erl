-module(user_app_tests).
-include_lib("eunit/include/eunit.hrl").
twice_test() -> ?assertEqual(8, user_app:twice(4)).
