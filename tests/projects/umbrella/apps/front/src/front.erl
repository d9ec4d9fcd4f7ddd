-module(front).
-export([add/1, is_front/0]).
-include_lib("store/include/store.hrl").
add(List) when length(List) < ?LIMIT -> store:put(new, List);
add(List) -> List.
-ifdef(front).
is_front() -> true.
-else.
is_front() -> false.
-endif.
