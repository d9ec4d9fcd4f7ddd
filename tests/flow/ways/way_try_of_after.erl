-module(way_try_of_after).
-compile([export_all,nowarn_export_all]).
test() -> X = [begin try F() of {ok, G} -> G() catch _:E -> E after put(done,
    true) end end || F <- [fun() -> {ok, fun() -> g end} end,
    fun() -> error(fun() -> h end) end]], [Y() || Y <- X, is_function(Y)].
