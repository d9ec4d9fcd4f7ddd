%% Indexer: processes put four messages each into a hash table of 128 places, by compare and
%% swap; who finds a place taken tries the next. (From Flanagan, Godefroid: Dynamic partial-
%% order reduction for model checking software, POPL 2005.)
%%
%% Published for optimal reduction: 8 and 4096 for 12 and 15 processes. Process T's message M
%% (from 0) is W = 11 M + T, its place 7 W rem 128. 7 has an inverse modulo 128, so two
%% messages want the same place only if they are equal: 11 (M - M') = T' - T. Up to 11
%% processes nothing is equal. From then on each process T >= 11 has three messages in common
%% with process T - 11: 3 * 1 places for 12, 3 * 4 for 15 processes, in either order each. Who
%% comes second goes on to the next place, and that is nobody's: its message would be
%% W + 55 (7 * 55 = 1 modulo 128), and the largest is 33 + 14. So 2^3 and 2^12.
%%
%% The same with ETS (insert_new compares with "nothing there") and with atomics.
-module(indexer).
-export([ets/1, atomics/1]).

-include("together.hrl").

-define(SIZE, 128).
-define(MAX, 4).

ets(N) ->
    Table = ets:new(table, [public]),
    all(N, fun(Place, W) -> ets:insert_new(Table, {Place, W}) end),
    true = N * ?MAX =:= ets:info(Table, size).

atomics(N) ->
    Array = atomics:new(?SIZE, []),
    all(N, fun(Place, W) -> atomics:compare_exchange(Array, Place + 1, 0, W + 1) =:= ok end).

all(N, Swap) ->
    together([fun() -> [put_in(Swap, W * 7 rem ?SIZE, W) || W <- messages(T)] end
              || T <- lists:seq(0, N - 1)]).

messages(T) -> [M * 11 + T || M <- lists:seq(0, ?MAX - 1)].

put_in(Swap, Place, W) -> Swap(Place, W) orelse put_in(Swap, (Place + 1) rem ?SIZE, W).
