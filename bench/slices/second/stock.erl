-module(stock).
-export([main/1]).

main(Orders) ->
    Stock = #{apple => {10, 3}, pear => {4, 5}, fig => {0, 9}},
    {Left, Bill} = lists:foldl(fun order/2, {Stock, []}, Orders),
    Sum = lists:sum([Price * N || {_, N, Price} <- Bill]),
    Names = [Name || {Name, _, _} <- Bill],
    Empty = [Name || {Name, {0, _}} <- maps:to_list(Left)],
    {Sum, Names, lists:sort(Empty)}.

order({Name, N}, {Stock, Bill}) ->
    case Stock of
        #{Name := {Have, Price}} when Have >= N ->
            {Stock#{Name := {Have - N, Price}}, [{Name, N, Price} | Bill]};
        #{Name := _} -> {Stock, Bill};
        _ -> {Stock, [{Name, 0, 0} | Bill]}
    end.
