-module(all_skipped_SUITE).
-compile([export_all, nowarn_export_all]).
%% A suite that does not want to run.
all() -> {skip, "not here"}.
a(_) -> ok.
