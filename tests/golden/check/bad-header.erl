%% An exception in the code of a header is placed in the header.
%% RUN: fathom check %s -t "'bad-header':test" > %t/out || code=$?; grep -A2 error: %t/out; exit $code
-module('bad-header').
-export([test/0]).
-include("headers/half.hrl").

test() -> half(3).
%% OUT: ./headers/half.hrl:4:1: error: P exits: {odd,3}
%% OUT:   half(N) -> error({odd, N}).
%% OUT:   ^
%% EXIT: 2
