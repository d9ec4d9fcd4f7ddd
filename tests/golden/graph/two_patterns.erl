%% A value that one clause takes apart in several ways: each part has all its names.
%% RUN: fathom graph %s -t two_patterns:t | grep "fun at"
-module(two_patterns).
-export([t/0]).
t() -> f({{ok, fun() -> a end}, fun() -> b end}), f({{error, fun() -> c end}, 1}), h({1, 2}), k({fun() -> e end}).
f({{ok, X}, _} = {_, Y}) -> X(), Y();
f({_, 1} = {{error, Z}, _}) -> Z().
h({_} = {_, _}) -> z();
h(_) -> ok.
z() -> no.
k({A} = {B} = {C}) -> A(), B(), C().
%% OUT:   two_patterns.erl:11:23  A()  →  the fun at two_patterns.erl:5:98
%% OUT:   two_patterns.erl:11:28  B()  →  the fun at two_patterns.erl:5:98
%% OUT:   two_patterns.erl:11:33  C()  →  the fun at two_patterns.erl:5:98
%% OUT:   two_patterns.erl:6:29  X()  →  the fun at two_patterns.erl:5:16
%% OUT:   two_patterns.erl:6:34  Y()  →  the fun at two_patterns.erl:5:33
%% OUT:   two_patterns.erl:7:32  Z()  →  the fun at two_patterns.erl:5:62
