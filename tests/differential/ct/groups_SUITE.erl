-module(groups_SUITE).
-compile([export_all, nowarn_export_all]).
-include_lib("common_test/include/ct.hrl").
%% Groups in groups, with properties of the reference and of the definition.
all() -> [{group, outer}, first, {group, two, [sequence]}, {group, changed, default, [{inner_c, [sequence]}]}, {group, in_place}].
groups() ->
    [{outer, [], [o1, {group, inner}, o2]},
     {inner, [], [i1, {deep, [], [d1, d2]}]},
     {two, [], [t1, t2_fails, t3]},
     {changed, [], [c1, {inner_c, [], [c2_fails, c3]}]},
     {in_place, [p1]}].
init_per_group(Name, Config) ->
    Properties = ?config(tc_group_properties, Config),
    Name = proplists:get_value(name, Properties),
    [{names, [Name | proplists:get_value(names, Config, [])]} | lists:keydelete(names, 1, Config)].
end_per_group(_, _) -> ok.
first(Config) -> undefined = proplists:get_value(names, Config).
o1(Config) -> [outer] = ?config(names, Config).
o2(Config) -> [outer] = ?config(names, Config).
i1(Config) -> [inner, outer] = ?config(names, Config).
d1(Config) -> [deep, inner, outer] = ?config(names, Config).
d2(Config) -> [[{name, inner}], [{name, outer}], [{suite, ?MODULE}]] = ?config(tc_group_path, Config).
t1(Config) -> [{name, two}, sequence] = ?config(tc_group_properties, Config).
t2_fails(_) -> error(fails).
t3(_) -> ok.
c1(_) -> ok.
c2_fails(_) -> error(fails).
c3(_) -> ok.
p1(Config) -> [in_place] = ?config(names, Config).
