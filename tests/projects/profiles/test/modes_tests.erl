-module(modes_tests).
-include_lib("eunit/include/eunit.hrl").
list_test() -> ?assertEqual(modes_helper:expected(), modes:list()).
deeper_test() -> ?assertEqual(42, deeper:value()).
