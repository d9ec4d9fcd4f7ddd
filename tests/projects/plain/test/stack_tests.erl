-module(stack_tests).
-compile(eunit_is_exported_by_the_header).
-include_lib("eunit/include/eunit.hrl").
push_test() -> {x, _} = stack:pop(stack:push(x, stack:new())).
empty_test() -> ?assertError(function_clause, stack:pop(stack:new())).
