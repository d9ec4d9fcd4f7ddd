-module(half_a_group_SUITE).
-compile([export_all, nowarn_export_all]).
%% Of init_per_group and end_per_group there must be both, or none.
all() -> [{group, g}, last].
groups() -> [{g, [], [a, b]}].
init_per_group(_, Config) -> Config.
a(_) -> ok.
b(_) -> error(b).
last(_) -> ok.
