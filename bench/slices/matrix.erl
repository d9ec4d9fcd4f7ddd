-module(matrix).
-export([main/1]).

main(M) ->
    Rows = length(M),
    T = transpose(M),
    Trace = trace(M, 1),
    {Rows, T, Trace}.

transpose([[] | _]) -> [];
transpose(M) -> [[hd(R) || R <- M] | transpose([tl(R) || R <- M])].

trace([], _) -> 0;
trace([Row | Rows], I) -> lists:nth(I, Row) + trace(Rows, I + 1).
