-module(functions_SUITE).
-compile([export_all, nowarn_export_all]).
-include_lib("common_test/include/ct.hrl").
%% Functions of ct.
all() -> [logs, pals, prints, comments, captures, sleeps, fails, fails_with_text, aborts, missing_key, config_of_nothing, priv_dir, format_is_wrong].
logs(_) -> ct:log("a"), ct:log("~p", [1]), ct:log(category, "~p", [1]), ct:log(50, "~p", [1]), ct:log(category, 50, "~p", [1]), ok.
pals(_) -> ct:pal("a"), ct:pal("~p", [1]), ct:pal(category, "~p", [1]), ct:pal(category, 50, "~p", [1], []), ok.
prints(_) -> ct:print("a"), ct:print("~p", [1]), ct:print(category, "~p", [1]), ok.
comments(_) -> ct:comment("said"), ct:comment("~p", [1]), ok.
captures(_) ->
    ct:capture_start(),
    io:format("one~n"),
    io:format("t~ts~n", ["wo"]),
    ct:capture_stop(),
    io:format("three~n"),
    ["one\n", "two\n"] = ct:capture_get(),
    [] = ct:capture_get().
sleeps(_) -> ct:sleep(10), ct:sleep({seconds, 0}).
fails(_) -> ct:fail(reason).
fails_with_text(_) -> ct:fail("~p", [reason]).
aborts(_) -> ct:abort_current_testcase(reason), timer:sleep(2000).
missing_key(Config) -> undefined = ?config(no_such_key, Config).
config_of_nothing(_) -> undefined = ct:get_config(nothing).
priv_dir(Config) -> ok = ct:make_priv_dir(), true = filelib:is_dir(?config(priv_dir, Config)).
format_is_wrong(_) -> ct:pal("~p ~p", [1]), ok.
