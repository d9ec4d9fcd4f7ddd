-module(generated_tests).
-include_lib("eunit/include/eunit.hrl").
build_test() -> ?assertEqual(7, generated:build()).
