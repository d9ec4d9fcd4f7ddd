%% Calls that come to no end, and one that takes more memory than it may.
-module(unending).
-export([total/0, count/1, spin/0, many/0]).

total() ->
    A = lists:sum([1, 2, 3]),
    B = A + count(0),
    B.

count(N) -> count(N + 1).

spin() -> spin().

many() ->
    List = lists:duplicate(30000000, 1),
    error(length(List)).
