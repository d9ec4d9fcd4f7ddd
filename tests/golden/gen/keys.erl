%% RUN: fathom gen --no-project %s
-module(keys).
-export([body/1, find/2, same/2, sum/1, count/1, options/1, number/1, text/1]).

body({ok, Headers, Body}) ->
    case lists:keyfind("type", 1, Headers) of
        {_, "json"} -> {json, Body};
        {_, Type} -> {Type, Body};
        false -> Body
    end;
body({error, Reason}) -> Reason.

find(Key, L) ->
    case lists:keyfind(Key, 2, L) of
        {a, Key} -> pair;
        {_, _, V} when V > 7 -> large;
        false ->
            case lists:keymember(x, 1, L) of
                true -> has_x;
                false -> none
            end;
        _ -> other
    end.

same(X, L) -> lists:member(X, L) andalso lists:member({X}, L).

-spec sum(#{atom() => integer()}) -> integer().
sum(M) -> maps:fold(fun (_, V, Sum) when V > 10 -> Sum + 10; (_, V, Sum) -> Sum + V end, 0, M).

count(M) when map_size(M) =:= 2 -> two;
count(M) when map_size(M) > 2 -> more;
count(#{}) -> few.

-spec options(#{name := binary(), size => 1..9, atom() => boolean()}) -> term().
options(#{name := N, size := S} = M) when S > 7 -> {large, N, maps:size(M)};
options(#{name := <<>>}) -> anonymous;
options(#{verbose := true}) -> verbose;
options(#{debug := D}) -> not D;
options(_) -> plain.

number(B) ->
    try binary_to_integer(B) of
        N when N rem 7 =:= 3 -> lucky;
        N when N < 0 -> negative;
        _ -> plain
    catch
        error:badarg -> none
    end.

text(N) ->
    case integer_to_binary(N) of
        <<"-", _:1/binary>> -> minus;
        <<"42", _/binary>> -> answer;
        B when byte_size(B) =:= 3 -> three;
        _ -> other
    end.
