%% -D and -I as in erlc; a macro without a value is true.
%% RUN: fathom parse --format erl -DSIZE=3 -D VERBOSE -I headers %s
-module(macros).
-include("limits.hrl").
limits() -> {?SIZE, ?VERBOSE, ?LIMIT, ?FILE, ?LINE, ?MODULE, ?FUNCTION_NAME, ?FUNCTION_ARITY}.
%% OUT: -file("macros.erl", 1).
%% OUT:
%% OUT: -module(macros).
%% OUT:
%% OUT: -file("headers/limits.hrl", 1).
%% OUT: -file("macros.erl", 5).
%% OUT:
%% OUT: limits() ->
%% OUT:     {3, true, 10, "macros.erl", 5, macros, limits, 0}.
