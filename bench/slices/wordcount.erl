-module(wordcount).
-export([main/1]).

main(Text) ->
    {Lines, Words, Chars} = count(Text, false, 0, 0, 0),
    show(Lines, Chars),
    Words.

count([], _, L, W, C) -> {L, W, C};
count([$\n | T], _, L, W, C) -> count(T, false, L + 1, W, C + 1);
count([$\s | T], _, L, W, C) -> count(T, false, L, W, C + 1);
count([_ | T], false, L, W, C) -> count(T, true, L, W + 1, C + 1);
count([_ | T], true, L, W, C) -> count(T, true, L, W, C + 1).

show(Lines, Chars) -> io_lib:format("~p ~p", [Lines, Chars]).
