-module(scripted_tests).
-include_lib("eunit/include/eunit.hrl").
all_test() -> ?assertEqual({"rebar.config", 7}, scripted:all()).
