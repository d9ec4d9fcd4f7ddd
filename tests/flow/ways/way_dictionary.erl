-module(way_dictionary).
-compile([export_all,nowarn_export_all]).
test() -> put(f, fun(X) -> {pd, X} end), (get(f))(1), [(V)(2) || {f, V} <- get()], F = erase(f),
    F(3).
