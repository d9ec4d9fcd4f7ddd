%% What fails after the tests is a warning, as for ct_run, and no test's failure.
%% RUN: fathom test %s | sed -E 's/ in [0-9.]+ s$//'
%% RUN: fathom test --format json %s | grep -A 3 '"status": "warning"\|"failed"' | grep -v seconds
-module('end-fails_SUITE').
-export([all/0, groups/0, end_per_suite/1, end_per_group/2, init_per_suite/1, init_per_group/2]).
-export([passes/1]).

all() -> [{group, one}, passes].
groups() -> [{one, [], [passes]}].
init_per_suite(Config) -> Config.
init_per_group(_, Config) -> Config.
end_per_group(_, _) -> exit(group_is_left).
end_per_suite(_) -> error(no_way).
passes(_) -> ok.
%% OUT: WARNING end-fails_SUITE:end_per_group
%% OUT: end-fails_SUITE.erl:12:1: warning: exception exit: group_is_left
%% OUT:   end_per_group(_, _) -> exit(group_is_left).
%% OUT:   ^
%% OUT:   in 'end-fails_SUITE':end_per_group/2  (end-fails_SUITE.erl:12)
%% OUT:
%% OUT: WARNING end-fails_SUITE:end_per_suite
%% OUT: end-fails_SUITE.erl:13:1: warning: exception error: no_way
%% OUT:   end_per_suite(_) -> error(no_way).
%% OUT:   ^
%% OUT:   in 'end-fails_SUITE':end_per_suite/1  (end-fails_SUITE.erl:13)
%% OUT:
%% OUT: 2 tests, 2 passed
%% OUT:   "failed": 0,
%% OUT:   "skipped": 0,
%% OUT:   "unknown": 0,
%% OUT:   "tests": [
%% OUT: --
%% OUT:       "status": "warning",
%% OUT:       "location": {"file": "end-fails_SUITE.erl", "line": 12, "column": 1, "end_line": 12, "end_column": 1},
%% OUT:       "message": "exception exit: group_is_left",
%% OUT: --
%% OUT:       "status": "warning",
%% OUT:       "location": {"file": "end-fails_SUITE.erl", "line": 13, "column": 1, "end_line": 13, "end_column": 1},
%% OUT:       "message": "exception error: no_way",
