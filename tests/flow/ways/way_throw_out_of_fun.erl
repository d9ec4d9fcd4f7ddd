-module(way_throw_out_of_fun).
-compile([export_all,nowarn_export_all]).
test() -> R = try lists:foreach(fun(X) -> X > 2 andalso throw({found, fun() -> X end}) end,
    [1,2,3]) catch throw:{found, F} -> F() end, R.
