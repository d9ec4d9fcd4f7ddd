-module(way_composed_funs).
-compile([export_all,nowarn_export_all]).
test() -> L = [fun(X) -> X + I end || I <- [1,2,3]], lists:foldl(fun(F, A) -> F(A) end, 0, L),
    C = lists:foldr(fun(F, G) -> fun(X) -> F(G(X)) end end, fun(X) -> X end, L), C(1).
