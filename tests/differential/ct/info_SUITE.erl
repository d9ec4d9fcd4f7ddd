-module(info_SUITE).
-compile([export_all, nowarn_export_all]).
%% Information functions, and what they require.
suite() -> [{timetrap, {seconds, 30}}, {userdata, of_suite}, {require, here}, {default_config, here, [{port, 80}, {host, "h"}]},
            {default_config, not_required, 1}].
all() -> [plain, not_required, own_default, requires_missing, requires_here, requires_part, {group, needs}, {group, g}, not_any_more].
groups() -> [{needs, [], [plain]}, {g, [], [in_group]}].
group(needs) -> [{require, not_there}];
group(g) -> [{userdata, of_group}, {require, group_key}, {default_config, group_key, 7}].
own_default() -> [{require, own}, {default_config, own, 3}].
requires_missing() -> [{require, missing}].
requires_here() -> [{require, here}].
requires_part() -> [{require, alias, {here, [port]}}].
plain(_) -> ok.
requires_missing(_) -> ok.
requires_here(_) ->
    80 = ct:get_config({here, port}),
    "h" = ct:get_config({here, host}),
    undefined = ct:get_config({here, nothing}),
    default = ct:get_config(nowhere, default),
    [{port, 80}, {host, "h"}] = ct:get_config(here).
requires_part(_) -> ok.
in_group(_) -> 7 = ct:get_config(group_key).
not_any_more(_) -> undefined = ct:get_config(own).
not_required(_) -> undefined = ct:get_config(not_required).
own_default(_) -> 3 = ct:get_config(own).
