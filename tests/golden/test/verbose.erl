%% A line for each test.
%% RUN: fathom test --verbose %s | sed 's/ in [0-9.]* s$//'
-module(verbose).
-include_lib("eunit/include/eunit.hrl").

simple_test() -> io:format("not shown").
generated_test_() -> [?_assert(true), {"a title", {"and another", [?_test(ok), {"leaf", ?_test(ok)}]}}].
%% OUT: passed verbose:simple_test
%% OUT: passed verbose:generated_test_:7
%% OUT: passed verbose:generated_test_:7 "a title / and another"
%% OUT: passed verbose:generated_test_:7 "a title / and another / leaf"
%% OUT: 4 tests, 4 passed
