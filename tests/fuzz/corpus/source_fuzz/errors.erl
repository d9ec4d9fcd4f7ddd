-module(bad).
f( -> .
g() -> [1, 2.
h() -> case x of y -> z.
k() -> ?UNDEFINED + ?A(.
-define(A, ?B).
-define(B, ?A).
l() -> ?A.
-endif.
-else.
-ifdef(X).
-record(r, {1}).
-spec f(...) -> a.
-type t(_) :: b.
m() -> $
n() -> 37#1 + 1.0e999 + 1.e.
o() -> ~x"a" # { } . . .. ... ?? & \ `.
-error("stop").
-include("none.hrl").
-file(1).
-undef(1).
p() -> a; q() -> b.
-export([1]).
-module(1).
