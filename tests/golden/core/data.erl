%% Records, maps and binaries.
%% RUN: fathom parse --format core %s
-module(data).
-export([f/1, g/2, h/1]).
-record(point, {x = 0, y}).
f(#point{x = X} = P) -> P#point{y = X + P#point.y}.
g(K, #{K := V, b := 2} = M) -> M#{K := V, c => #{d => V}}.
h(<<N:16/little, Text:N/binary, Rest/bits>>) -> <<Text/binary, "é"/utf8, N:8/unit:2, Rest/bits>>.
