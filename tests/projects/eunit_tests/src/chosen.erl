-module(chosen).
-export([f/0]).
-include_lib("eunit/include/eunit.hrl").
f() -> 1.
not_chosen_test() -> error(not_chosen).
