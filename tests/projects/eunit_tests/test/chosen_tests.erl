-module(chosen_tests).
-include_lib("eunit/include/eunit.hrl").
f_test() -> ?assertEqual(1, chosen:f()).
