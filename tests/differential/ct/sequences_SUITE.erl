-module(sequences_SUITE).
-compile([export_all, nowarn_export_all]).
-include_lib("common_test/include/ct.hrl").
%% In a sequence what comes after a failure is skipped, also groups in it.
all() -> [{group, fails}, {group, fine}, {group, skips}, {group, with_group}, {group, result}, last].
groups() ->
    [{fails, [sequence], [a, b_fails, c, {group, part}]},
     {fine, [sequence], [a, c]},
     {skips, [sequence], [a, b_skips, c]},
     {with_group, [sequence], [{group, failing_part}, c]},
     {result, [sequence], [{group, says_failed}, c]},
     {part, [], [d, e]},
     {failing_part, [], [d, b_fails, e]},
     {says_failed, [], [d, b_fails]}].
init_per_group(_, Config) -> Config.
end_per_group(says_failed, Config) ->
    Results = ?config(tc_group_result, Config),
    [{?MODULE, b_fails}] = proplists:get_value(failed, Results),
    [{?MODULE, d}] = proplists:get_value(ok, Results),
    {return_group_result, failed};
end_per_group(_, _) -> ok.
a(_) -> ok.
b_fails(_) -> error(fails).
b_skips(_) -> {skip, here}.
c(_) -> ok.
d(_) -> ok.
e(_) -> ok.
last(_) -> ok.
