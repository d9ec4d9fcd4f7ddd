-module(way_computed_names).
-compile([export_all,nowarn_export_all]).
test() -> F = list_to_atom("he" ++ "lper"), M = list_to_existing_atom("way_computed_names"),
    apply(M, F, [1]), M:F(2), apply(fun M:F/1, [3]).
helper(X) -> {h, X}.
