-module(init_throws_skip_SUITE).
-compile([export_all, nowarn_export_all]).
%% init_per_suite: nothing of the suite runs.
suite() -> [{timetrap, 300}].
all() -> [a, {group, g}, b].
groups() -> [{g, [], [c, d]}].
init_per_suite(Config) -> _ = Config, throw({skip, thrown}).
end_per_suite(_) -> ok.
a(_) -> ok.
b(_) -> ok.
c(_) -> ok.
d(_) -> ok.
