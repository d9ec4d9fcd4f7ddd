%% Nothing to report, and nothing is.
%% RUN: fathom parse --lint --otp-release 28 --format erl %s
-module(clean).
-export([f/1]).

-spec f(X) -> {ok, X} | error.
f(X) when X > 0 -> {ok, X};
f(_) -> error.
%% OUT: -file("clean.erl", 1).
%% OUT:
%% OUT: -module(clean).
%% OUT: -export([f/1]).
%% OUT:
%% OUT: -spec f(X) -> {ok, X} | error.
%% OUT: f(X) when X > 0 ->
%% OUT:     {ok, X};
%% OUT: f(_) -> error.
