-module(query).
-export([older/2, join/2]).
-include_lib("stdlib/include/qlc.hrl").
older(Age, People) -> qlc:eval(qlc:q([Name || {Name, Own} <- People, Own > Age])).
join(As, Bs) -> lists:sort(qlc:eval(qlc:q([{A, B} || {Key, A} <- As, {Other, B} <- Bs, Key =:= Other]))).
