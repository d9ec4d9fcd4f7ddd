%% Functions that are hard to test, for fathom gen.
-module(endless).
-export([loop/1, spin/0, explode/1, grow/1, opaque/1, stuck/1, only_raises/1, deep/1, waits/1]).

-spec loop(integer()) -> no_return().
loop(N) when N > 3 -> loop(N + 1);
loop(N) -> loop(N - 1).

spin() -> spin().

-spec explode([boolean()]) -> integer().
explode(L) -> lists:sum([case B of true -> 1; false -> 2 end || B <- L, C <- L, B =:= C]).

grow(X) -> grow([X, X | X]).

-spec opaque(binary()) -> ok | no.
opaque(B) ->
    case crypto:hash(sha256, B) of
        <<0, 0, 0, 0, _/binary>> -> ok;
        _ -> no
    end.

-spec stuck(integer()) -> integer().
stuck(X) when X * X =:= 2 -> 1;
stuck(X) when X * X * X + X =:= 1000000007 -> 2;
stuck(_) -> 3.

-spec only_raises(integer()) -> no_return().
only_raises(N) when N > 0 -> throw(positive);
only_raises(0) -> exit(zero);
only_raises(N) -> error({negative, N}).

-spec deep(non_neg_integer()) -> non_neg_integer().
deep(0) -> 0;
deep(N) -> 1 + deep(N - 1).

waits(X) -> receive {X, Y} -> Y; stop -> ok end.
