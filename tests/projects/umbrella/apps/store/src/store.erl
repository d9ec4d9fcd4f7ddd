-module(store).
-export([put/2, limit/0]).
-include("store.hrl").
put(Value, List) when length(List) < ?LIMIT -> [Value | List].
limit() -> ?LIMIT.
