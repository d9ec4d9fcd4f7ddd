%% EUnit gives up a module whose generator fails.
-module(bad_generator).
-include_lib("eunit/include/eunit.hrl").

before_test() -> ?assert(false).
fails_test_() -> error(in_generator).
behind_test() -> ok.
