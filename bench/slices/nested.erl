-module(nested).
-export([main/2]).

main(X, Y) ->
    Data = {outer, {inner, X, [Y, {deep, X + Y}]}, Y},
    {outer, {inner, A, [_, {deep, D}]}, B} = Data,
    Inner = A,
    {D, B, Inner}.
