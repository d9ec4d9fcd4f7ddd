-module(both_SUITE).
-compile([export_all, nowarn_export_all]).
all() -> [adds, fails].
adds(_) -> 3 = both:add(1, 2).
fails(_) -> 4 = both:add(1, 2).
