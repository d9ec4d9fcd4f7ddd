%% EUnit gives up a module with a description of nothing that it knows.
-module(bad_description).
-include_lib("eunit/include/eunit.hrl").

before_test() -> ?assert(false).
fails_test_() -> [?_test(ok), {no, such, description}, ?_test(ok)].
behind_test() -> ok.
