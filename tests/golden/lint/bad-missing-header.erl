%% A header is missing, so what is not defined may be in it: that is not reported.
%% Variables are.
%% RUN: fathom parse --lint --stats --otp-release 28 %s > /dev/null
-module(missing_header).
-export([f/1]).
-include("nope.hrl").

f(#state{name = Name, count = Count}) ->
    helper(Name, Cuont).
%% ERR: bad-missing-header.erl:6:10: error: can't find include file "nope.hrl"
%% ERR:   -include("nope.hrl").
%% ERR:            ^~~~~~~~~~
%% ERR: bad-missing-header.erl:9:18: error: variable Cuont is unbound; did you mean `Count`?
%% ERR:       helper(Name, Cuont).
%% ERR:                    ^~~~~
%% EXIT: 1
