%% Binaries: a decoder of frames with header, fields and checksum; UTF-8; bits.
-module(decode).
-export([main/0]).

main() ->
    Stream = list_to_binary([frame(N) || N <- lists:seq(1, 400)]),
    repeat(900, Stream, none).

repeat(0, _, Last) -> Last;
repeat(N, Stream, _) ->
    repeat(N - 1, Stream, {frames(Stream, 0, 0), checksum(Stream, 1, 0), characters(Stream, 0),
                           nibbles(Stream, 0)}).

frame(N) ->
    Name = integer_to_binary(N * 7919),
    Body = <<(byte_size(Name)):8, Name/binary, N:32/little, (N * 3):16, (N / 4):64/float>>,
    <<16#CAFE:16, (N rem 4):3, 0:5, (byte_size(Body)):16, Body/binary>>.

frames(<<16#CAFE:16, Type:3, _:5, Length:16, Body:Length/binary, Rest/binary>>, Count, Sum) ->
    frames(Rest, Count + 1, Sum + body(Type, Body));
frames(<<>>, Count, Sum) -> {Count, Sum}.

body(Type, <<Length:8, Name:Length/binary, N:32/little, M:16, F:64/float>>) ->
    case Type of
        0 -> N;
        1 -> M + byte_size(Name);
        2 -> round(F);
        _ -> number(Name, 0)
    end.

number(<<Digit, Rest/binary>>, N) when Digit >= $0, Digit =< $9 -> number(Rest, N * 10 + Digit - $0);
number(<<>>, N) -> N.

checksum(<<Byte, Rest/binary>>, A, B) ->
    A1 = (A + Byte) rem 65521,
    checksum(Rest, A1, (B + A1) rem 65521);
checksum(<<>>, A, B) -> (B bsl 16) bor A.

characters(<<C/utf8, Rest/binary>>, N) -> characters(Rest, N + C);
characters(<<_, Rest/binary>>, N) -> characters(Rest, N);
characters(<<>>, N) -> N.

nibbles(<<High:4, Low:4, Rest/bitstring>>, N) -> nibbles(Rest, N + High * Low);
nibbles(<<>>, N) -> N.
