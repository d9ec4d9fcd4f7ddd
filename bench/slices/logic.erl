-module(logic).
-export([main/2]).

main(N, L) ->
    Small = N < 3,
    Empty = L =:= [],
    Warn = Empty andalso log(N),
    Ok = Small orelse (Empty andalso N > 4),
    {Warn, Ok}.

log(N) -> {logged, N} =/= none.
