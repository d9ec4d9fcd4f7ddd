-module(all_crashes_SUITE).
-compile([export_all, nowarn_export_all]).
%% A suite whose cases are not known.
all() -> error(no_idea).
a(_) -> ok.
