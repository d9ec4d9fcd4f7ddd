-module(repeats_SUITE).
-compile([export_all, nowarn_export_all]).
-include_lib("common_test/include/ct.hrl").
%% Groups and cases that are repeated.
all() -> [{group, twice}, {group, until_ok}, {group, until_any_ok}, {group, until_fail}, {group, until_all_fail}, {group, once}, {group, nested},
          {testcase, often, [{repeat, 3}]}, {testcase, till_ok, [{repeat_until_ok, 5}]},
          {testcase, till_fail, [{repeat_until_fail, 5}]}, {testcase, never_ok, [{repeat_until_ok, 2}]}].
groups() ->
    [{twice, [{repeat, 2}], [plain]}, {once, [{repeat, 1}], [plain]},
     {until_ok, [{repeat_until_all_ok, 5}], [plain, third_ok]},
     {until_any_ok, [{repeat_until_any_ok, 5}], [third_ok]},
     {until_fail, [{repeat_until_any_fail, 5}], [plain, third_fails]},
     {until_all_fail, [{repeat_until_all_fail, 4}], [third_fails]},
     {nested, [{repeat, 2}], [plain, {group, twice}]}].
init_per_suite(Config) ->
    Self = self(),
    spawn(fun() -> ets:new(counters, [named_table, public]), Self ! ready, receive stop -> ok end end),
    receive ready -> Config end.
init_per_group(Name, Config) -> [{counter, Name} | lists:keydelete(counter, 1, Config)].
end_per_group(_, _) -> ok.
count(Name) -> ets:update_counter(counters, Name, 1, {Name, 0}).
plain(_) -> ok.
third_ok(Config) -> true = count(?config(counter, Config)) >= 3.
third_fails(Config) -> true = count(?config(counter, Config)) < 3.
often(_) -> count(often).
till_ok(_) -> true = count(till_ok) >= 3.
till_fail(_) -> true = count(till_fail) < 3.
never_ok(_) -> error(never).
