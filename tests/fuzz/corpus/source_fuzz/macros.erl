-module(macros).
-define(A, 1 + 2).
-define(B(), {b}).
-define(B(X), {b, X}).
-define(B(X, Y), {b, X, Y, ?A}).
-define(STR(X), {??X, X}).
-define(CALL(F, As), F(As)).
-define('quoted name', ok).
-define(EMPTY, ).
-define(HEAD(N), N(X) -> X).
-define(arrow, ->).
-define(IF(C, T, E), case C of true -> T; false -> E end).
f(X) -> {?A, ?B(), ?B(X), ?B({1, 2}, fun(A, B) -> A end), ?STR(foo(X, "a", 'B', $c, 1.5) + [1|2])}.
g() -> {?MODULE, ?MODULE_STRING, ?FILE, ?LINE, ?MACHINE, ?OTP_RELEASE, ?FUNCTION_NAME, ?FUNCTION_ARITY}.
h() -> ?CALL(?MODULE:f, ?'quoted name') ?EMPTY.
?HEAD(i).
j() ?arrow ?IF(?B(1) == {b, 1}, begin a, b end, [c, d]).
-undef(A).
-define(A(), new).
k() -> ?A(), ?STR(~s"x"), ?STR(<<1>>).
