%% A transform that does not end.
-module(endless_transform).
-export([parse_transform/2]).

parse_transform(Forms, Options) -> parse_transform(Forms, Options).
