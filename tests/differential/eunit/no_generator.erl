%% EUnit gives up a module whose generator gives no tests.
-module(no_generator).
-include_lib("eunit/include/eunit.hrl").

before_test() -> ?assert(false).
fails_test_() -> ok.
behind_test() -> ok.
