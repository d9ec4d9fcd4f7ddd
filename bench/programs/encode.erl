%% Binaries: building by appending, by comprehension, escaping, base 64.
-module(encode).
-export([main/0]).

main() -> repeat(100, none).

repeat(0, Last) -> Last;
repeat(N, _) ->
    Numbers = number_lines(2500, <<>>),
    Escaped = escape(Numbers, <<>>),
    Xored = << <<(B bxor 16#5A)>> || <<B>> <= Escaped >>,
    Coded = base64(Xored, <<>>),
    Samples = << <<(S * 3):16/signed, S:24/little>> || <<S:16>> <= Xored >>,
    repeat(N - 1, {byte_size(Coded), erlang:crc32(Coded), erlang:crc32(Samples)}).

number_lines(0, Out) -> Out;
number_lines(N, Out) ->
    number_lines(N - 1, <<Out/binary, "line ", (integer_to_binary(N))/binary, ": <&>\n">>).

escape(<<$<, Rest/binary>>, Out) -> escape(Rest, <<Out/binary, "&lt;">>);
escape(<<$>, Rest/binary>>, Out) -> escape(Rest, <<Out/binary, "&gt;">>);
escape(<<$&, Rest/binary>>, Out) -> escape(Rest, <<Out/binary, "&amp;">>);
escape(<<C, Rest/binary>>, Out) -> escape(Rest, <<Out/binary, C>>);
escape(<<>>, Out) -> Out.

base64(<<A:6, B:6, C:6, D:6, Rest/binary>>, Out) ->
    base64(Rest, <<Out/binary, (digit(A)), (digit(B)), (digit(C)), (digit(D))>>);
base64(<<Rest/binary>>, Out) -> <<Out/binary, Rest/binary>>.

digit(N) when N < 26 -> $A + N;
digit(N) when N < 52 -> $a + N - 26;
digit(N) when N < 62 -> $0 + N - 52;
digit(62) -> $+;
digit(63) -> $/.
