-module(way_funs_by_binary).
-compile([export_all,nowarn_export_all]).
test() -> B = <<1, 2, (f(3)):8, "abc">>, <<X, Y, Z, R/binary>> = B, L = [fun() -> X end,
    fun() -> Y end, fun() -> Z end], [(lists:nth(I, L))() || <<I>> <= <<1, 2, 3>>], R.
f(X) -> X.
