-module(keys).
-export([main/1]).

main(Pairs) ->
    {Keys, Values} = split(Pairs),
    Total = lists:sum(Values),
    {Total, Keys}.

split([]) -> {[], []};
split([{K, V} | Rest]) ->
    {Ks, Vs} = split(Rest),
    {[K | Ks], [V | Vs]}.
