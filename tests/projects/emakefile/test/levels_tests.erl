-module(levels_tests).
-include_lib("eunit/include/eunit.hrl").
-include("levels.hrl").
next_test() -> ?assertEqual(?NEXT(2), levels:next()).
