%% RUN: fathom gen --no-project %s
-module(splits).
-export([line/1, header/1, kv/1, crlf/1, all/1]).
line(B) -> case binary:split(B, <<",">>, [global]) of [<<"id">>, V] -> {id, binary_to_integer(V)}; [_, _, _] -> three; [<<>>] -> empty; _ -> other end.
header(B) -> case binary:split(B, <<": ">>) of [<<"Age">>, V] when V =/= <<>> -> {age, V}; [_, _] -> other; [_] -> bad end.
kv(B) -> case binary:match(B, <<"=">>) of {0, 1} -> nokey; {P, _} -> {P, binary:part(B, 0, P)}; nomatch -> none end.
crlf(B) -> [L || L <- binary:split(B, <<"\r\n">>, [global]), L =/= <<>>].
all(B) -> length(binary:split(B, [<<",">>, <<";">>], [global])).
