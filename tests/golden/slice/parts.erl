-module(parts).
-export([fold/1, tags/1, table/2, pairs/1]).

%% What a fun of a fold is given, and returns.
fold(Orders) ->
    {Sum, Names} = lists:foldl(fun({Name, Price}, {S, Ns}) -> {S + Price, [Name | Ns]} end, {0, []}, Orders),
    {Sum, lists:reverse(Names)}.

%% Tuples that are told apart by their tags.
tags(Key) ->
    case find(Key) of
        {ok, Value} -> Value;
        {error, Reason} -> exit(Reason)
    end.
find(1) -> {ok, 1 + 1};
find(Key) -> {error, {missing, Key, lists:seq(1, 3)}}.

%% Entries of a table.
table(X, Y) ->
    T = ets:new(t, []),
    ets:insert(T, [{hits, X, "hits"}, {names, []}]),
    ets:insert(T, {names, [Y]}),
    ets:update_counter(T, hits, 1),
    [{_, Names}] = ets:lookup(T, names),
    Hits = ets:lookup_element(T, hits, 2),
    {Hits, Names}.

%% Each element goes through the fun.
pairs(Xs) ->
    Pairs = lists:map(fun(X) -> {X * 2, X rem 3} end, Xs),
    {Doubles, Rests} = lists:unzip(Pairs),
    {Doubles, Rests}.
