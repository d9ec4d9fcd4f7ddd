-module(shuffles_SUITE).
-compile([export_all, nowarn_export_all]).
-include_lib("common_test/include/ct.hrl").
%% With a seed the order is the same everywhere; without one the results are.
all() -> [{group, seeded}, {group, with_groups}, {group, unseeded}].
groups() ->
    [{seeded, [{shuffle, {1, 2, 3}}], [a, b, c, d, e, f, g]},
     {with_groups, [{shuffle, {4, 5, 6}}], [a, {group, part}, b, {group, part2}, c]},
     {part, [], [d, e]}, {part2, [], [f, g]},
     {unseeded, [shuffle], [a, a, a]}].
a(_) -> ok.
b(_) -> ok.
c(_) -> error(c).
d(_) -> ok.
e(_) -> {skip, e}.
f(_) -> ok.
g(_) -> ok.
