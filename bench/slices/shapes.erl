-module(shapes).
-export([main/1]).

main(Shapes) ->
    Areas = [area(S) || S <- Shapes],
    Borders = [border(S) || S <- Shapes],
    Area = lists:sum(Areas),
    Border = lists:sum(Borders),
    {Border, Area}.

area({square, A}) -> A * A;
area({rect, A, B}) -> A * B;
area({circle, R}) -> 3 * R * R.

border({square, A}) -> 4 * A;
border({rect, A, B}) -> 2 * (A + B);
border({circle, R}) -> 6 * R.
