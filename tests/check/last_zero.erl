%% Last zero: an array of N + 1 zeroes. Process j writes element j - 1, plus one, to element j;
%% another process looks from the end of the array for the last element that is zero. (From
%% Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction, POPL 2014.)
%%
%% Published for optimal reduction: 64, 3328, 147456 for N = 5, 10, 15. That is
%% (N + 3) 2^(N - 2):
%%
%% Writer j meets writer j + 1 in element j: either order, and these N - 1 choices are free.
%% The searcher reads element j only if it has read all above as not zero. Let it stop at
%% element k, that is read k + 1 to N behind their writes, and k before its write (k = 0: it
%% finds the zero that nobody writes). The searcher's reads then fall in with the choices
%% between writers like this:
%%  - element k's read comes before the write of k, and behind the read of k + 1, hence behind
%%    the write of k + 1. So process k + 1 writes before process k does, and must have read
%%    before, too: the choice between k and k + 1 is made. The other N - 2 are free:
%%    2^(N - 2) for each k from 1 to N - 1.
%%  - k = N: the read is the searcher's only one, before the write of N; all N - 1 choices are
%%    free: 2^(N - 1).
%%  - k = 0: all choices are free: 2^(N - 1).
%% Together (N - 1) 2^(N - 2) + 2 * 2^(N - 1) = (N + 3) 2^(N - 2).
-module(last_zero).
-export([test/1]).

-include("together.hrl").

test(N) ->
    T = ets:new(array, [public]),
    ets:insert(T, [{I, 0} || I <- lists:seq(0, N)]),
    together([fun() -> search(T, N) end |
              [fun() -> ets:insert(T, {J, element_of(T, J - 1) + 1}) end || J <- lists:seq(1, N)]]).

search(T, I) ->
    case element_of(T, I) of
        0 -> I;
        _ -> search(T, I - 1)
    end.

element_of(T, I) -> ets:lookup_element(T, I, 2).
