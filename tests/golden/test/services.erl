%% RUN: fathom test %s | sed 's/ in [0-9.]* s$//'
%% Tests of a run share the code, and with it what the library knows of applications.
-module(services).
-export([started_test/0, found_test/0]).

started_test() ->
    {ok, _} = application:ensure_all_started(stdlib),
    true = lists:keymember(kernel, 1, application:which_applications()).

found_test() ->
    true = is_list(code:which(lists)),
    true = is_list(code:lib_dir(stdlib)).
