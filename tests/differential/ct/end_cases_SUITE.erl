-module(end_cases_SUITE).
-compile([export_all, nowarn_export_all]).
%% end_per_testcase: it is told the result, and can make the case fail, but not by failing.
all() -> [ok, fails, exits, throws, skips, crashing_end, throwing_end, fail_of_ok, fail_of_failed, dying_end, dying_end_of_failed, linked].
end_per_testcase(Name, Config) ->
    Status = proplists:get_value(tc_status, Config),
    ended(Name, Status).
ended(ok, ok) -> ok;
ended(fails, {failed, {reason, [_ | _]}}) -> ok;
ended(exits, {failed, reason}) -> ok;
ended(throws, {failed, {thrown, {reason, _}}}) -> ok;
ended(skips, {skipped, reason}) -> ok;
ended(crashing_end, ok) -> error(crashes);
ended(throwing_end, ok) -> throw(thrown);
ended(fail_of_ok, ok) -> {fail, after_all};
ended(fail_of_failed, {failed, _}) -> {fail, after_all};
ended(dying_end, ok) -> exit(self(), kill), timer:sleep(1000);
ended(dying_end_of_failed, {failed, _}) -> spawn_link(fun() -> exit(dies) end), timer:sleep(1000);
ended(linked, {failed, boom}) -> ok;
ended(_, _) -> {fail, wrong_status}.
ok(_) -> ok.
fails(_) -> error(reason).
exits(_) -> exit(reason).
throws(_) -> throw(reason).
skips(_) -> {skip, reason}.
crashing_end(_) -> ok.
throwing_end(_) -> ok.
fail_of_ok(_) -> ok.
fail_of_failed(_) -> error(fails).
dying_end(_) -> ok.
dying_end_of_failed(_) -> error(fails).
linked(_) -> spawn_link(fun() -> exit(boom) end), timer:sleep(1000).
