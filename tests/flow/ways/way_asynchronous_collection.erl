-module(way_asynchronous_collection).
-compile([export_all,nowarn_export_all]).
test() -> S = self(), spawn(fun() -> S ! {ref, make_ref(), fun(R) -> S ! {back, R} end} end),
    receive {ref, R, F} -> F(R), receive {back, R} -> ok end end, erlang:garbage_collect(self(),
    [{async, fun() -> tag end}]), receive {garbage_collect, T, true} -> T() after 100 -> n end.
