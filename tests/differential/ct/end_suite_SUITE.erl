-module(end_suite_SUITE).
-compile([export_all, nowarn_export_all]).
%% An end_per_suite that fails takes nothing away from the cases.
all() -> [a, b].
init_per_suite(Config) -> Config.
end_per_suite(_) -> error(too_late).
a(_) -> ok.
b(_) -> error(b).
