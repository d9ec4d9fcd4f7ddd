-module(unreadable).
-export([parse_transform/2]).
parse_transform(_, _) -> Forms.
