%% What a missing header would have defined is not reported again and again.
%% RUN: fathom parse --format erl -o /dev/null %s
-module(header).
-include("no_such_header.hrl").
-include_lib("no_such_app/include/header.hrl").
f() -> ?ONE.
g() -> ?TWO(2).
%% ERR: bad-missing-header.erl:4:10: error: can't find include file "no_such_header.hrl"
%% ERR:   -include("no_such_header.hrl").
%% ERR:            ^~~~~~~~~~~~~~~~~~~~
%% ERR: bad-missing-header.erl:4:10: warning: 2 uses of undefined macros are not shown: the missing header may define them
%% ERR:   -include("no_such_header.hrl").
%% ERR:            ^~~~~~~~~~~~~~~~~~~~
%% ERR: bad-missing-header.erl:5:14: error: can't find include lib "no_such_app/include/header.hrl"
%% ERR:   -include_lib("no_such_app/include/header.hrl").
%% ERR:                ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
%% EXIT: 1
