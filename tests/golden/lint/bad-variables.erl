%% The most common mistakes with variables: each is reported once, with what was
%% probably meant and with the places that have to do with it.
%% RUN: fathom parse --lint --stats --otp-release 28 %s > /dev/null
-module(variables).
-export([total/1, status/1, lookup/2, safely/1, squares/1, handler/1]).

total(Items) ->
    Sum = lists:sum(Itmes),
    {Sum, Count}.

status(Code) ->
    case Code of
        200 -> Text = "ok";
        404 -> Text = "not found";
        _ -> unknown
    end,
    Text.

lookup(Key, Map) ->
    _ = maps:get(Key, Map),
    {found, _}.

safely(File) ->
    try
        {ok, Data} = file:read_file(File),
        byte_size(Data)
    catch
        error:Reason -> {Reason, Data}
    end.

squares(List) ->
    [X * X || X <- List],
    X.

handler(Fun) ->
    try
        Fun()
    catch
        _:_:Stack when Stack =/= [] -> Stack
    end.
%% EXIT: 1
