-module(front_tests).
-include_lib("eunit/include/eunit.hrl").
add_test_() -> [?_assertEqual([new], front:add([])), ?_assertEqual([a, b, c], front:add([a, b, c]))].
own_config_test() -> ?assert(front:is_front()).
