-module(no_such_group_SUITE).
-compile([export_all, nowarn_export_all]).
%% A reference to a group that is not there.
all() -> [a, {group, nowhere}].
groups() -> [{somewhere, [], [a]}].
a(_) -> ok.
