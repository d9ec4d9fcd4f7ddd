-feature(maybe_expr, enable).
-module(directives).
-include("h.hrl").
-include_lib("app/include/h.hrl").
-ifdef(HEADER).
f() -> ?HEADER.
-else.
f() -> none.
-endif.
-ifndef(NOT_THERE).
-define(X, 5).
-endif.
-if(?X > 3 andalso defined(X) andalso not defined(Y)).
g() -> if_.
-elif(?X =:= {a, "b", [1 | 2]} orelse length([1]) == 1).
g() -> elif.
-else.
g() -> else_.
-endif.
-if(?OTP_RELEASE >= 25 band 1 + tuple_size({}) * 2).
-endif.
-warning("text" ++ [1]).
-file("other.erl", 100).
h() -> {?LINE, ?FILE}.
-ifdef(NO).
-error(skipped).
this is ( not ] read $".
-endif.
i() -> maybe ok end.
%%FILE h.hrl
-ifndef(HEADER).
-define(HEADER, header).
-record(h, {a}).
-include("i.hrl").
-endif.
%%FILE i.hrl
-define(I, i).
-include("h.hrl").
i(X) -> X#h.a.
