%% For fathom test: what one test does must not keep the others from being run.
-module(endless_tests).
-include_lib("eunit/include/eunit.hrl").

count_test() -> endless:count().
deep_test() -> endless:deep().
list_test() -> endless:list().
equal_test() -> endless:equal().
last_test() -> ok.
