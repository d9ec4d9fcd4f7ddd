%% Shows the values of a slice's criteria to whoever runs the program (src/reduce).
-module(fathom_criterion).
-export([seen/2]).

%% The value of the criterion with this number, which is the value of the call.
seen(Number, Value) ->
    note({Number, Value}),
    Value.

note(_) -> erlang:nif_error(undef).
