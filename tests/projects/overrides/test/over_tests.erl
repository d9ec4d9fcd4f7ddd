-module(over_tests).
-include_lib("eunit/include/eunit.hrl").
flags_test() -> ?assertEqual([added, kept], over:flags()).
