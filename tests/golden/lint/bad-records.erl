%% Records and their fields.
%% RUN: fathom parse --lint --stats --otp-release 28 %s > /dev/null
-module(records).
-export([new/1, name/1, rename/2, old/1]).
-record(person, {name, age = 0, name}).

new(Name) ->
    #person{nmae = Name, age = 1, age = 2}.

name(P) ->
    P#persn.name.

rename(P, Name) ->
    P#person{_ = Name}.

old(#person{Field = 1}) ->
    #config{}.

-record(config, {}).
%% EXIT: 1
