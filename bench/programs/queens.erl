%% Lists: all ways to put twelve queens on a board.
-module(queens).
-export([main/0]).

main() -> length(queens(12)).

queens(N) -> place(N, lists:seq(1, N)).

place(0, _) -> [[]];
place(Row, Columns) ->
    [[Column | Rest] || Rest <- place(Row - 1, Columns), Column <- Columns, safe(Column, 1, Rest)].

safe(_, _, []) -> true;
safe(Column, Distance, [Other | Rest]) ->
    Column =/= Other andalso
        Column =/= Other + Distance andalso
        Column =/= Other - Distance andalso
        safe(Column, Distance + 1, Rest).
