-module(intervals).
-export([main/1]).

main(List) ->
    Sorted = lists:sort([{L, H, Tag} || {Tag, L, H} <- List, L =< H]),
    Merged = merge(Sorted),
    Count = length(Merged),
    Tags = lists:append([Ts || {_, _, Ts} <- Merged]),
    Width = lists:sum([H - L || {L, H, _} <- Merged]),
    {Count, Tags, Width}.

merge([]) -> [];
merge([{L, H, Tag} | Rest]) -> merge(Rest, {L, H, [Tag]}).

merge([], Last) -> [Last];
merge([{L, H, Tag} | Rest], {L0, H0, Tags}) when L =< H0 ->
    merge(Rest, {L0, max(H, H0), [Tag | Tags]});
merge([{L, H, Tag} | Rest], Last) ->
    [Last | merge(Rest, {L, H, [Tag]})].
