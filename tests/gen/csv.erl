%% A line of comma-separated fields, some in quotes: clauses by the first character of a list, for
%% fathom gen.
-module(csv).
-export([split/1, frame/1, mail/1]).

-spec split(string()) -> [string()] | {error, unterminated}.
split(Line) -> field(Line, [], []).

field([], F, Fs) -> lists:reverse([lists:reverse(F) | Fs]);
field([$, | Cs], F, Fs) -> field(Cs, [], [lists:reverse(F) | Fs]);
field([$" | Cs], [], Fs) -> quoted(Cs, [], Fs);
field([C | Cs], F, Fs) -> field(Cs, [C | F], Fs).

quoted([$", $" | Cs], F, Fs) -> quoted(Cs, [$" | F], Fs);
quoted([$" | Cs], F, Fs) -> field(Cs, F, Fs);
quoted([C | Cs], F, Fs) -> quoted(Cs, [C | F], Fs);
quoted([], _, _) -> {error, unterminated}.

%% A length, as many bytes, and nothing behind them.
-spec frame(binary()) -> {ok, binary()} | {error, atom()}.
frame(<<Size, Bytes:Size/binary, Rest/binary>>) when Rest =:= <<>> -> {ok, Bytes};
frame(<<Size, _:Size/binary, _/binary>>) -> {error, trailing};
frame(_) -> {error, short}.

-spec mail(binary()) -> boolean().
mail(Address) ->
    case binary:split(Address, <<"@">>) of
        [<<>>, _] -> false;
        [_, <<>>] -> false;
        [_, _] -> true;
        _ -> false
    end.
