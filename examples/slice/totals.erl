%% What of this influences the total, and what the names?
-module(totals).
-export([report/1]).

-record(item, {name, price, count = 1}).

report(Rows) ->
    Items = [item(Row) || Row <- Rows, Row =/= skip],
    {Total, Names} = walk(Items, 0, []),
    Longest = lists:max([length(Name) || Name <- Names]),
    io:format("~p names, the longest has ~p~n", [length(Names), Longest]),
    io:format("total ~p~n", [Total]).

item({Name, Price}) ->
    #item{name = Name, price = Price};
item({Name, Price, Count}) ->
    #item{name = string:trim(Name), price = Price, count = Count}.

walk([], Total, Names) ->
    {Total, lists:reverse(Names)};
walk([#item{name = Name, price = Price, count = Count} | Rest], Total, Names) ->
    Sum = Price * Count,
    walk(Rest, Total + Sum, [Name | Names]).
