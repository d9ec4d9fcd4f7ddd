%% The releases of OTP differ in what they refuse.
%% RUN: fathom parse --lint --stats --otp-release 28 %s > /dev/null
%% RUN: fathom parse --lint --stats --otp-release 25 %s > /dev/null
-module(release).
-export([f/1, g/2, length/1]).
-type iodata() :: [byte()].

f(<<A:8>> = <<B:4, C:4>>) -> {A, B, C}.
g(X, Y) when max(X, Y) > 1 -> length(X).
length(X) -> X.
%% ERR: bad-release.erl:6:1: error: iodata() is a predefined type, and cannot be defined anew before OTP 26
%% ERR:   -type iodata() :: [byte()].
%% ERR:   ^~~~~~~~~~~~~~~~~~~~~~~~~~
%% ERR: bad-release.erl:8:3: error: before OTP 26, a binary pattern cannot be joined with another by `=`
%% ERR:   f(<<A:8>> = <<B:4, C:4>>) -> {A, B, C}.
%% ERR:     ^~~~~~~
%% ERR: bad-release.erl:8:13: note: this is the other one
%% ERR:   f(<<A:8>> = <<B:4, C:4>>) -> {A, B, C}.
%% ERR:               ^~~~~~~~~~~~
%% ERR: bad-release.erl:9:14: error: this call is not allowed in a guard: only tests, arithmetic, comparisons and guard functions are
%% ERR:   g(X, Y) when max(X, Y) > 1 -> length(X).
%% ERR:                ^~~~~~~~~
%% ERR: bad-release.erl:9:31: error: length/1 is a function of this module and a built-in function too: write `erlang:length(…)`, or `-compile({no_auto_import, [length/1]})` to mean the function of this module
%% ERR:   g(X, Y) when max(X, Y) > 1 -> length(X).
%% ERR:                                 ^~~~~~
%% ERR: bad-release.erl:10:1: note: this function hides the built-in one
%% ERR:   length(X) -> X.
%% ERR:   ^~~~~~~~~~~~~~
%% EXIT: 1
