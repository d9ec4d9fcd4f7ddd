-module(parser).
-export([main/1]).

main(Text) ->
    Tokens = scan(Text, 1),
    {Value, Rest, Depth} = expression(Tokens, 0),
    {Rest, Depth, Value}.

scan([], _) -> [];
scan([C | T], N) when C >= $0, C =< $9 -> [{int, C - $0, N} | scan(T, N + 1)];
scan([$+ | T], N) -> [{plus, N} | scan(T, N + 1)];
scan([$* | T], N) -> [{times, N} | scan(T, N + 1)].

expression(Tokens, D) ->
    {V, Rest, D1} = term(Tokens, D + 1),
    case Rest of
        [{plus, _} | More] ->
            {W, Rest2, D2} = expression(More, D1),
            {V + W, Rest2, D2};
        _ ->
            {V, Rest, D1}
    end.

term([{int, V, _}, {times, _} | Rest], D) ->
    {W, Rest2, D1} = term(Rest, D + 1),
    {V * W, Rest2, D1};
term([{int, V, _} | Rest], D) -> {V, Rest, D}.
