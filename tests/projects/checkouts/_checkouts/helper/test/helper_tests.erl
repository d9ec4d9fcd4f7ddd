-module(helper_tests).
-include_lib("eunit/include/eunit.hrl").
not_run_here_test() -> error(of_another_project).
