%% Of long terms, the place where they begin to differ.
%% RUN: fathom test %s > %t/out || code=$?; sed 's/ in [0-9.]* s$//' %t/out; exit ${code:-0}
-module('bad-long-terms').
-include_lib("eunit/include/eunit.hrl").

short_test() -> ?assertEqual([a, b, c, d, e, f, g, h, i], [a, b, c, d, e, f, x, h, i]).
long_test() -> ?assertEqual([{N, N} || N <- lists:seq(1, 40)], [{N, N rem 31} || N <- lists:seq(1, 40)]).
prefix_test() -> ?assertEqual(lists:duplicate(40, abc), lists:duplicate(41, abc)).
text_test() -> ?assertEqual(<<"Größe und Höhe, Länge und Breite"/utf8>>, <<"Größe und Höhe, Dicke und Breite"/utf8>>).
message_test() -> error(lists:seq(1, 300)).
output_test() -> [io:format("line ~w~n", [N]) || N <- lists:seq(1, 50)], exit(done).
%% EXIT: 2
