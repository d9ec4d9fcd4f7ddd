%% Globs for whole names, regular expressions for parts of them, titles.
%% RUN: for f in 'filter:one_*' 'two_test' 'filter' 'ti?le' '/^filter:t/' '/itl/' 'filter:one_test --filter two_test'; do
%% RUN:   echo "--filter $f"; fathom test --verbose --filter $f %s | sed 's/ in [0-9.]* s$//'; done
-module(filter).
-include_lib("eunit/include/eunit.hrl").

one_test() -> ok.
one_more_test() -> ok.
two_test() -> ok.
three_test_() -> [?_test(ok), {"title", ?_test(ok)}].
%% OUT: --filter filter:one_*
%% OUT: passed filter:one_test
%% OUT: passed filter:one_more_test
%% OUT: 2 tests, 2 passed
%% OUT: --filter two_test
%% OUT: passed filter:two_test
%% OUT: 1 test, 1 passed
%% OUT: --filter filter
%% OUT: passed filter:one_test
%% OUT: passed filter:one_more_test
%% OUT: passed filter:two_test
%% OUT: passed filter:three_test_:10
%% OUT: passed filter:three_test_:10 "title"
%% OUT: 5 tests, 5 passed
%% OUT: --filter ti?le
%% OUT: passed filter:three_test_:10 "title"
%% OUT: 1 test, 1 passed
%% OUT: --filter /^filter:t/
%% OUT: passed filter:two_test
%% OUT: passed filter:three_test_:10
%% OUT: passed filter:three_test_:10 "title"
%% OUT: 3 tests, 3 passed
%% OUT: --filter /itl/
%% OUT: passed filter:three_test_:10 "title"
%% OUT: 1 test, 1 passed
%% OUT: --filter filter:one_test --filter two_test
%% OUT: passed filter:one_test
%% OUT: passed filter:two_test
%% OUT: 2 tests, 2 passed
