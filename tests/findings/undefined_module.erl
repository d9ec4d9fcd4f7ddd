%% The module may be somewhere else.
%% NOTE undefined_function 6
-module(undefined_module).
-export([f/1]).

f(List) -> some_other_application:f(List).
