-module(other_half_of_a_group_SUITE).
-compile([export_all, nowarn_export_all]).
%% Of init_per_group and end_per_group there must be both, or none.
all() -> [{group, g}, last].
groups() -> [{g, [], [a, b]}].
end_per_group(_, _) -> ok.
a(_) -> ok.
b(_) -> error(b).
last(_) -> ok.
