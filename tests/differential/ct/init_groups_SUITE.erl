-module(init_groups_SUITE).
-compile([export_all, nowarn_export_all]).
%% init_per_group: what it says of its group.
all() -> [{group, fine}, {group, crashes}, {group, skips}, {group, throws}, {group, nothing}, {group, says_fail}, {group, seq}, last].
groups() ->
    [{fine, [], [a, b]}, {crashes, [], [a, {group, fine}, b]}, {skips, [], [a, {group, fine}]}, {throws, [], [a]},
     {nothing, [], [a]}, {says_fail, [], [a]}, {seq, [sequence], [a, {group, crashes}, b]}].
init_per_group(crashes, _) -> error(crashes);
init_per_group(skips, _) -> {skip, skips};
init_per_group(throws, _) -> throw({skip, thrown});
init_per_group(nothing, _) -> ok;
init_per_group(says_fail, _) -> {fail, reason};
init_per_group(_, Config) -> Config.
end_per_group(fine, _) -> error(no_matter);
end_per_group(_, _) -> ok.
a(_) -> ok.
b(_) -> ok.
last(_) -> ok.
