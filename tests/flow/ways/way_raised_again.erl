-module(way_raised_again).
-compile([export_all,nowarn_export_all]).
test() -> try throwing(fun() -> x end) catch C:R:S -> erlang:raise(C, {again, R}, S) end.
throwing(F) -> try erlang:raise(throw, {t, F}, []) catch throw:{t, G} -> G(), exit({y, G}) end.
