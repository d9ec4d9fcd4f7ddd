%% In the text of a macro: reported where the macro is used, with a note where it is
%% written.
%% RUN: fathom parse --lint --stats --otp-release 28 %s > /dev/null
-module(macro).
-export([f/1]).
-define(LOG(Level, Text), logger:log(Level, Txet, [Line])).

f(X) ->
    ?LOG(info, "called"),
    ?LOG(Severity, X).
%% ERR: bad-macro.erl:9:5: error: variable Line is unbound
%% ERR:       ?LOG(info, "called"),
%% ERR:       ^~~~~~~~~~~~~~~~~~~~
%% ERR: bad-macro.erl:6:52: note: here in the macro ?LOG
%% ERR:   -define(LOG(Level, Text), logger:log(Level, Txet, [Line])).
%% ERR:                                                      ^~~~
%% ERR: bad-macro.erl:9:5: error: variable Txet is unbound
%% ERR:       ?LOG(info, "called"),
%% ERR:       ^~~~~~~~~~~~~~~~~~~~
%% ERR: bad-macro.erl:6:45: note: here in the macro ?LOG
%% ERR:   -define(LOG(Level, Text), logger:log(Level, Txet, [Line])).
%% ERR:                                               ^~~~
%% ERR: bad-macro.erl:10:10: error: variable Severity is unbound
%% ERR:       ?LOG(Severity, X).
%% ERR:            ^~~~~~~~
%% EXIT: 1
