-module(part).
-export([flags/0]).
flags() -> added() ++ removed() ++ kept() ++ top().
-ifdef(added).
added() -> [added].
-else.
added() -> [].
-endif.
-ifdef(removed).
removed() -> [removed].
-else.
removed() -> [].
-endif.
-ifdef(kept).
kept() -> [kept].
-else.
kept() -> [].
-endif.
-ifdef(top).
top() -> [top].
-else.
top() -> [].
-endif.
