-module(way_maps).
-compile([export_all,nowarn_export_all]).
test() -> M = #{f => fun(X) -> {got, X} end, g => #{h => fun way_maps:other/1}},
 A = (maps:get(f, M))(1), #{g := #{h := H}} = M, B = H(2), {A, B}.
other(X) -> [X].
