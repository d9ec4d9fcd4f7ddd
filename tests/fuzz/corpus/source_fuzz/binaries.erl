f(<<A, B:8, C:N/integer-signed-big-unit:1, D/float, E:16/little, Rest/binary>>) ->
    <<"text", "text"/utf8, "t"/utf16-little, $a/utf32, A:4, B:(N + 1)/bits, -1:8, C/bytes>>,
    <<(f(A))/bitstring, (<<1>>)/binary, X:3/unit:8-native-unsigned>>,
    << <<X:8>> || <<X:4>> <= Bin, X > 1 >>,
    << (f(X)) || X <- L >>,
    <<>>, <<1, 2, 3>>, ~"sigil é\n", ~b"bin", ~B(verb\atim), ~s|str|, ~S[raw], ~b'q', ~s<>, ~'x'.
