-module(way_records).
-compile([export_all,nowarn_export_all]).
-record(r,{f, g=fun(X) -> X + 1 end}).
test() -> R = #r{f = fun(Y) -> Y * 2 end}, R2 = setelement(#r.f, R, fun(Z) -> {z, Z} end),
    (R2#r.f)((R2#r.g)(3)).
