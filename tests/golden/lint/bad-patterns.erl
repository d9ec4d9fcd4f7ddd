%% What cannot be matched, and what binaries and guards cannot hold.
%% RUN: fathom parse --lint --stats --otp-release 28 %s > /dev/null
-module(patterns).
-export([f/1, g/1, h/2]).

f(#{name => Name}) -> Name;
f(Prefix ++ "rest") -> Prefix;
f([H | tail(T)]) -> {H, T};
f(X + 1) -> X.

g(<<Rest/binary, Last>>) -> {Rest, Last};
g(<<Size, Data:Size/binray>>) -> Data;
g(<<C:8/utf8>>) -> C;
g(<<N/signed-unsigned>>) -> #{n := N}.

h(X, Y) when lists:member(X, Y) -> X;
h(X, Y) when X ++ Y == [] -> Y.
%% EXIT: 1
