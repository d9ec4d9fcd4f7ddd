-module(caesar).
-export([main/2]).

main(Text, Key) ->
    Out = [shift(C, Key) || C <- Text, C =/= $\s],
    Back = [shift(C, -Key) || C <- Out],
    Same = Back =:= Text,
    {Same, Out}.

shift(C, K) when C >= $a, C =< $z -> $a + mod(C - $a + K, 26);
shift(C, _) -> C.

mod(A, B) -> ((A rem B) + B) rem B.
