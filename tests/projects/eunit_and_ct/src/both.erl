-module(both).
-export([add/2]).
-include_lib("eunit/include/eunit.hrl").
add(A, B) -> A + B.
add_test() -> ?assertEqual(3, add(1, 2)).
