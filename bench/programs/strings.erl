%% Strings: io_lib, string, lists of characters.
-module(strings).
-export([main/0]).

main() -> repeat(1000, 0).

repeat(0, Sum) -> Sum;
repeat(N, Sum) ->
    Text = lists:flatten([line(I) || I <- lists:seq(1, 20)]),
    Lines = string:split(Text, "\n", all),
    Words = lists:append([string:lexemes(L, " ,") || L <- Lines]),
    Upper = [string:uppercase(W) || W <- Words],
    Joined = lists:join($-, Upper),
    Title = [capital(W) || W <- Words],
    Flat = lists:flatten(Joined),
    repeat(N - 1, Sum + length(Words) + length(Flat) + length(string:trim(Flat, both, "-")) +
                      length(lists:append(Title)) + count($E, Flat, 0)).

line(I) ->
    io_lib:format("line ~w of ~p, ~s and ~ts: ~.3f ~5..0b~n",
                  [I, {a, tuple, [I]}, "text", "more", I / 7, I]).

capital([C | Cs]) when C >= $a, C =< $z -> [C - 32 | Cs];
capital(Word) -> Word.

count(_, [], N) -> N;
count(C, [C | Cs], N) -> count(C, Cs, N + 1);
count(C, [_ | Cs], N) -> count(C, Cs, N).
