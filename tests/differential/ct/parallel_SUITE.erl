-module(parallel_SUITE).
-compile([export_all, nowarn_export_all]).
-include_lib("common_test/include/ct.hrl").
%% Cases of a parallel group run at once; a group in it waits for nobody.
all() -> [{group, meet}, {group, mixed}, {group, outer}, after_them].
groups() ->
    [{meet, [parallel], [left, right]},
     {mixed, [parallel], [sleeps, fails, skips, killed]},
     {outer, [parallel], [sleeps, {group, inner}, {group, turn}]},
     {inner, [parallel], [sleeps, fails]},
     {turn, [], [one, two]}].
left(_) -> register(left, self()), meet(right).
right(_) -> register(right, self()), meet(left).
meet(Other) -> meet(Other, 100).
meet(Other, N) when N > 0 ->
    case whereis(Other) of
        undefined -> timer:sleep(10), meet(Other, N - 1);
        _ -> timer:sleep(100)
    end.
sleeps(_) -> timer:sleep(50).
fails(_) -> error(fails).
skips(_) -> {skip, parallel}.
killed(_) -> exit(self(), kill), timer:sleep(1000).
one(_) -> register(one, self()).
two(_) -> undefined = whereis(one), ok.
after_them(_) -> undefined = whereis(left), ok.
