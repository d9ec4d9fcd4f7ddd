-module(init_cases_SUITE).
-compile([export_all, nowarn_export_all]).
%% init_per_testcase: what it says of the case, and that end_per_testcase is left out then.
all() -> [fine, skips, skips_long, saves, crashes, exits, throws, throws_skip, returns_nothing, returns_atom, says_fail, dies, had].
init_per_testcase(fine, Config) -> [{own, 1} | Config];
init_per_testcase(skips, _) -> {skip, reason};
init_per_testcase(skips_long, _) -> {skipped, reason};
init_per_testcase(saves, _) -> {skip_and_save, reason, [{a, 1}]};
init_per_testcase(crashes, _) -> error(crashes);
init_per_testcase(exits, _) -> exit(exits);
init_per_testcase(throws, _) -> throw(throws);
init_per_testcase(throws_skip, _) -> throw({skip, throws});
init_per_testcase(returns_nothing, _) -> ok;
init_per_testcase(returns_atom, Config) -> [atom | Config];
init_per_testcase(says_fail, _) -> {fail, reason};
init_per_testcase(dies, _) -> spawn_link(fun() -> exit(dies) end), timer:sleep(1000);
init_per_testcase(had, Config) -> Config.
end_per_testcase(Name, _) when Name =:= fine; Name =:= had -> ok;
end_per_testcase(_, _) -> {fail, should_not_run}.
fine(Config) -> 1 = proplists:get_value(own, Config).
skips(_) -> ok.
skips_long(_) -> ok.
saves(_) -> ok.
crashes(_) -> ok.
exits(_) -> ok.
throws(_) -> ok.
throws_skip(_) -> ok.
returns_nothing(_) -> ok.
returns_atom(_) -> ok.
says_fail(_) -> ok.
dies(_) -> ok.
had(_) -> ok.
