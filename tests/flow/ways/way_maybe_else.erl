-module(way_maybe_else).
-feature(maybe_expr, enable).
-compile([export_all,nowarn_export_all]).
test() -> A = m(#{a => fun() -> 1 end}), B = m(#{}), {A, B}.
m(M) -> maybe {ok, F} ?= maps:find(a, M), {ok, V} ?= {ok, F()},
    V else error -> (fun() -> none end)(); _ -> x end.
