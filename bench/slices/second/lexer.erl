-module(lexer).
-export([main/1]).

main(Text) ->
    {Tokens, Line} = scan(Text, {1, 1}, []),
    Words = [W || {word, W, _} <- Tokens],
    Places = [P || {_, _, P} <- Tokens],
    Sum = lists:foldl(fun({int, I, _}, A) -> A + I; (_, A) -> A end, 0, Tokens),
    {Words, Places, Sum, Line}.

scan([], {L, _}, Ts) -> {lists:reverse(Ts), L};
scan([$\n | Cs], {L, _}, Ts) -> scan(Cs, {L + 1, 1}, Ts);
scan([$\s | Cs], {L, C}, Ts) -> scan(Cs, {L, C + 1}, Ts);
scan([D | _] = Cs, {L, C} = At, Ts) when D >= $0, D =< $9 ->
    {Digits, Rest} = lists:splitwith(fun(X) -> X >= $0 andalso X =< $9 end, Cs),
    scan(Rest, {L, C + length(Digits)}, [{int, list_to_integer(Digits), At} | Ts]);
scan([A | Cs], {L, C} = At, Ts) ->
    {Word, Rest} = word(Cs, [A]),
    scan(Rest, {L, C + length(Word)}, [{word, Word, At} | Ts]).

word([A | Cs], Acc) when A >= $a, A =< $z -> word(Cs, [A | Acc]);
word(Cs, Acc) -> {lists:reverse(Acc), Cs}.
