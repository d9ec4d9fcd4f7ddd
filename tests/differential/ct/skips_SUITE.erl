-module(skips_SUITE).
-compile([export_all, nowarn_export_all]).
%% Cases that do not want to run.
all() -> [returned, returned_long, saved, thrown, exited, an_error, after_that].
returned(_) -> {skip, "no reason"}.
returned_long(_) -> {skipped, [a, "b"]}.
saved(_) -> {skip_and_save, why, [{kept, 1}]}.
thrown(_) -> throw({skip, thrown}).
exited(_) -> exit({skipped, exited}).
an_error(_) -> error({skip, no_skip}).
after_that(_) -> ok.
