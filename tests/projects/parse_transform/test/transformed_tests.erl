-module(transformed_tests).
-include_lib("eunit/include/eunit.hrl").
name_test() -> ?assertEqual(transformed, transformed:name()).
